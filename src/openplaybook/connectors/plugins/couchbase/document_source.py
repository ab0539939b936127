"""Couchbase by the HTTP API of its query service: collections of one scope as entity types, SQL++."""

import re
from collections.abc import Sequence
from uuid import uuid4

from openplaybook.connectors.base import (
    ActionType,
    DataType,
    Entity,
    EntityOperation,
    EntityType,
    Field,
    QueryResult,
    SqlQuery,
    SystemCall,
)
from openplaybook.connectors.definitions import ConnectorDefinition, SystemAccess
from openplaybook.connectors.errors import (
    EntityNotFound,
    InvalidConnection,
    InvalidValue,
    OperationUnsupported,
    UnknownName,
    WriteRefused,
)
from openplaybook.connectors.plugins.base import EntityBatch, EntityScan, query_action
from openplaybook.connectors.plugins.couchbase.query_service import QueryService
from openplaybook.connectors.plugins.parameter_tests import ConditionDialect, Parameters, ParameterTests
from openplaybook.connectors.plugins.pushdown import native_test
from openplaybook.connectors.plugins.sampled_types import SAMPLE, SampledTypes, sampled_fields
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps

_KEY = Field("_id", DataType.STRING, is_key=True, is_nullable=False, description="Made where it is not given.")
_MOST_KEY = 250
"""Bytes (Couchbase's own limit)."""
_NAME = re.compile(r"[A-Za-z0-9_%.-]{1,251}")
_CURL = re.compile(r"\bCURL\b", re.IGNORECASE)
_TYPES: Sequence[tuple[type, DataType]] = (
    (bool, DataType.BOOLEAN),
    (int, DataType.BIGINT),
    (float, DataType.DOUBLE),
    (str, DataType.STRING),
    (list, DataType.ARRAY),
    (dict, DataType.STRUCT),
)


def quoted(name: str) -> str:
    """A name in SQL++, whatever it holds. Raises `InvalidValue`."""
    if not name or "\\" in name or "\0" in name or len(name) > 1_000:
        raise InvalidValue(name[:60], "is no name of a field")
    return f"`{name.replace('`', '``')}`"


def _like(prefix: str) -> tuple[str, str]:
    escaped = re.sub(r"([\\%_])", r"\\\1", prefix)
    return "LIKE", f"{escaped}%"


SQL_PLUS_PLUS = ConditionDialect(
    column=lambda name: f"d.{quoted(name)}", absent="IS NOT VALUED", present="IS VALUED", prefix=_like
)


class CouchbaseSource:
    """Implements `EntitySource`."""

    def __init__(
        self, title: str, service: QueryService, settings: ConnectionSettings, bucket: str, scope: str
    ) -> None:
        self.title = title
        self.is_open = True
        self._service = service
        self._is_read_only = settings.is_read_only
        self._bucket = bucket
        self._scope = scope
        self._collections = tuple(each.strip() for each in settings.text("collections").split(",") if each.strip())
        self._types = SampledTypes()

    async def check(self, call: SystemCall) -> None:
        """Have something computed."""
        await self._service.rows("SELECT 1 AS one", {}, call)

    async def names(self, call: SystemCall) -> Sequence[str]:
        """Collections of the scope."""
        if self._collections:
            return self._collections
        text = "SELECT RAW k.name FROM system:keyspaces AS k WHERE k.`bucket` = $bucket AND k.`scope` = $scope"
        parameters: Parameters = {"bucket": self._bucket, "scope": self._scope}
        return [str(each) for each in await self._service.rows(text, parameters, call, is_description=True)]

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        """A collection, with the fields of some of its documents."""

        async def sample() -> EntityType:
            names = await self.names(call)
            if name not in names:
                raise UnknownName("entity", name, names)
            text = f"SELECT RAW d FROM {self._keyspace(name)} AS d LIMIT $size"
            rows = await self._service.rows(text, {"size": SAMPLE}, call, is_description=True)
            documents = [as_object(each) for each in rows]
            found = sampled_fields({key: _type(value) for key, value in each.items()} for each in documents)
            own = tuple(each for each in found if each.name != _KEY.name)
            return EntityType(name, (_KEY, *own), frozenset(EntityOperation), default_sort=_KEY.name)

        return await self._types.get(name, sample)

    def actions(self) -> Sequence[ActionType]:
        """SQL++, unless only some collections may be reached: of a text it is not told which it reaches."""
        return () if self._collections else (query_action("SQL++", is_read_only=self._is_read_only),)

    def tries(self, scan: EntityScan) -> bool:
        """What SQL++ says."""
        native = native_test(scan.condition, ParameterTests(SQL_PLUS_PLUS, scan.entity_type))
        return native is not None and native.is_whole

    async def batch(self, scan: EntityScan, after: str, size: int, call: SystemCall) -> EntityBatch:
        """Documents by their keys."""
        language = ParameterTests(SQL_PLUS_PLUS, scan.entity_type)
        native = native_test(scan.condition, language)
        parameters: Parameters = {**language.parameters, "size": size}
        terms = [native.native] if native else []
        if after:
            terms.insert(0, "META(d).id > $after")
            parameters["after"] = after
        where = f" WHERE {' AND '.join(terms)}" if terms else ""
        text = (
            f"SELECT META(d).id AS `key`, {_projection(scan.fields)} AS fields "
            f"FROM {self._keyspace(scan.entity_type.name)} AS d{where} ORDER BY META(d).id LIMIT $size"
        )
        rows = await self._service.rows(text, parameters, call)
        return EntityBatch(tuple(_entity(each, scan.fields) for each in rows), len(rows) < size)

    async def one(self, entity_type: EntityType, key: str, fields: Sequence[str], call: SystemCall) -> Entity:
        """A document."""
        text = (
            f"SELECT META(d).id AS `key`, {_projection(fields)} AS fields "
            f"FROM {self._keyspace(entity_type.name)} AS d USE KEYS $key"
        )
        rows = await self._service.rows(text, {"key": key}, call)
        if not rows:
            raise _absent(entity_type, key)
        return _entity(rows[0], fields)

    async def insert(self, entity_type: EntityType, values: JsonObject, call: SystemCall) -> Entity:
        """With its own key where it is given, else with one that is made here."""
        given = values.get(_KEY.name)
        key = uuid4().hex if given is None else str(given)
        if not key or len(key.encode()) > _MOST_KEY:
            raise InvalidValue(_KEY.name, f"has 1 to {_MOST_KEY} bytes")
        document = {name: each for name, each in values.items() if name != _KEY.name}
        text = (
            f"INSERT INTO {self._keyspace(entity_type.name)} (KEY, VALUE) VALUES ($key, $document) "
            "RETURNING META().id AS `key`"
        )
        await self._service.rows(text, {"key": key, "document": document}, call, is_write=True)
        self._types.written(entity_type, values)
        return Entity(key, {_KEY.name: key, **document})

    async def change(self, entity_type: EntityType, key: str, values: JsonObject, call: SystemCall) -> None:
        """Some fields of a document."""
        parameters: Parameters = {"key": key}
        changes: list[str] = []
        for number, (name, value) in enumerate(values.items()):
            changes.append(f"d.{quoted(name)} = $v{number}")
            parameters[f"v{number}"] = value
        text = (
            f"UPDATE {self._keyspace(entity_type.name)} AS d USE KEYS $key SET {', '.join(changes)} "
            "RETURNING META(d).id AS `key`"
        )
        if not await self._service.rows(text, parameters, call, is_write=True):
            raise _absent(entity_type, key)
        self._types.written(entity_type, values)

    async def remove(self, entity_type: EntityType, key: str, call: SystemCall) -> None:
        """A document."""
        text = f"DELETE FROM {self._keyspace(entity_type.name)} AS d USE KEYS $key RETURNING META(d).id AS `key`"
        if not await self._service.rows(text, {"key": key}, call, is_write=True):
            raise _absent(entity_type, key)

    async def act(self, action: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        """Queries come by `run`."""
        raise OperationUnsupported(f"{action} is run as a query")

    async def run(self, query: SqlQuery, call: SystemCall) -> QueryResult:
        """SQL++, each `?` for a parameter."""
        if self._collections:
            raise OperationUnsupported("a connection to chosen collections takes no queries in SQL++")
        # Wherever it stands: what is a text and what is not, the system alone knows for sure.
        if _CURL.search(query.text):
            raise InvalidValue(
                "query",
                "may not hold the word CURL, a function that reads addresses from within the system; a text with it is "
                "given as a parameter",
            )
        rows, notes = await self._run(query.text, [each.value for each in query.parameters], call)
        given = tuple(as_object(each) if isinstance(each, dict) else {"value": each} for each in rows)
        return QueryResult(given[: query.most_rows], len(given) > query.most_rows, notes)

    async def aclose(self) -> None:
        """Connections are the transport's."""

    async def _run(
        self, text: str, values: Sequence[JsonValue], call: SystemCall
    ) -> tuple[list[JsonValue], JsonObject]:
        """What a query gives, and notes; only one that the service refuses since it writes is run as one that may."""
        try:
            return await self._service.read(text, values, call), {}
        except WriteRefused:
            if self._is_read_only:
                raise
        rows, count = await self._service.changed(text, values, call)
        return rows, {"rowsAffected": count}

    def _keyspace(self, collection: str) -> str:
        return f"{quoted(self._bucket)}.{quoted(self._scope)}.{quoted(collection)}"


def opened_source(
    definition: ConnectorDefinition, settings: ConnectionSettings, access: SystemAccess
) -> CouchbaseSource:
    """Nothing is sent yet. Raises `InvalidConnection` and `CredentialAbsent`."""
    destination = settings.destination(definition.default_port)
    host = destination.host
    if not re.fullmatch(r"[A-Za-z0-9._:-]+", host):
        raise InvalidConnection("configVariables.host", f"{host[:60]!r} is no name of a host")
    shown = f"[{host}]" if ":" in host else host
    bucket, scope = _config_name(settings, "bucket", ""), _config_name(settings, "scope", "_default")
    url = f"https://{shown}:{destination.port}/query/service"
    context = f"default:{quoted(bucket)}.{quoted(scope)}"
    service = QueryService(settings, access, settings.login(), url, context)
    return CouchbaseSource(definition.title, service, settings, bucket, scope)


def _config_name(settings: ConnectionSettings, key: str, default: str) -> str:
    name = settings.text(key) or default
    if not _NAME.fullmatch(name):
        raise InvalidConnection(f"configVariables.{key}", f"must be the name of a {key}, not {name[:60]!r}")
    return name


def _type(value: JsonValue) -> DataType | None:
    if value is None:
        return None
    return next((kind for each, kind in _TYPES if isinstance(value, each)), DataType.DECIMAL)


def _projection(fields: Sequence[str]) -> str:
    """The chosen fields alone."""
    pairs = [f"{dumps(name).decode()}: d.{quoted(name)}" for name in fields if name != _KEY.name]
    return f"{{{', '.join(pairs)}}}"


def _entity(row: JsonValue, fields: Sequence[str]) -> Entity:
    members = as_object(row)
    key = str(members.get("key"))
    values: JsonObject = {**as_object(members.get("fields")), _KEY.name: key}
    return Entity(key, values if not fields else {name: values.get(name) for name in fields})


def _absent(entity_type: EntityType, key: str) -> EntityNotFound:
    return EntityNotFound(f"{entity_type.name} has no document {key!r}")
