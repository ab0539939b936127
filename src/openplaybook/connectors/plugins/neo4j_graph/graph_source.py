"""Labels and nodes of one Neo4j database, over Bolt."""

import ssl
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any, cast

import neo4j
from neo4j import exceptions as driver

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
    AuthenticationRefused,
    ConnectorError,
    EntityConflict,
    EntityNotFound,
    InvalidValue,
    OperationUnsupported,
    PermissionRefused,
    SystemFault,
    SystemUnavailable,
    UnknownName,
    WriteRefused,
)
from openplaybook.connectors.plugins.base import MOST_BYTES, EntityBatch, EntityScan, query_action
from openplaybook.connectors.plugins.dialled_address import CONNECT_S, checked_addresses, tls_context
from openplaybook.connectors.plugins.exchange import Asked, SystemDesk, unanswered
from openplaybook.connectors.plugins.neo4j_graph.cypher import CYPHER, bound_query, checked_count, quoted
from openplaybook.connectors.plugins.neo4j_graph.graph_values import graph_type, json_of, property_of
from openplaybook.connectors.plugins.parameter_tests import Parameters, ParameterTests
from openplaybook.connectors.plugins.pushdown import native_test
from openplaybook.connectors.plugins.sampled_types import SAMPLE, SampledTypes, sampled_fields
from openplaybook.connectors.settings import ConnectionSettings, Destination
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, rough_size

_KEY = Field("_id", DataType.STRING, is_key=True, is_nullable=False, is_read_only=True, description="elementId")
_KEY_TEXT = "elementId(n)"


class _NamedContext(ssl.SSLContext):
    """Checks the server's certificate for the name that is meant: the driver knows the address alone."""

    expected_host = ""

    def wrap_bio(self, *args: Any, server_hostname: str | bytes | None = None, **more: Any) -> ssl.SSLObject:
        """As the base class, for that name."""
        del server_hostname
        return super().wrap_bio(*args, server_hostname=self.expected_host, **more)


class GraphDialling:
    """The driver of one connection, made when it is first used."""

    def __init__(self, settings: ConnectionSettings, access: SystemAccess, destination: Destination) -> None:
        self._settings = settings
        self._access = access
        self.destination = destination
        self.login = settings.login()
        self.failure: ConnectorError | None = None
        """Why the name was not resolved."""
        self._driver: neo4j.AsyncDriver | None = None
        self._context: ssl.SSLContext | None = None
        if settings.tls.is_used:
            named = type("_Named", (_NamedContext,), {"expected_host": destination.host})
            self._context = tls_context(settings.tls, named)

    def session(self, *, reads: bool) -> neo4j.AsyncSession:
        """A session that the server lets only read, or write too."""
        if self._driver is None:
            self._driver = self._made()
        mode = neo4j.READ_ACCESS if reads else neo4j.WRITE_ACCESS
        database = self._settings.text("database") or None
        return cast(Any, self._driver).session(database=database, default_access_mode=mode, fetch_size=200)

    async def aclose(self) -> None:
        """Close it."""
        if self._driver is not None:
            await self._driver.close()

    def _made(self) -> neo4j.AsyncDriver:
        host = f"[{self.destination.host}]" if ":" in self.destination.host else self.destination.host
        tls: dict[str, Any] = {"ssl_context": self._context} if self._context is not None else {}
        return cast(Any, neo4j.AsyncGraphDatabase).driver(
            # Not neo4j://: other members that the server tells of are not dialled.
            f"bolt://{host}:{self.destination.port}",
            auth=neo4j.basic_auth(self.login.user, self.login.password),
            resolver=self._addresses,
            connection_timeout=CONNECT_S,
            connection_acquisition_timeout=CONNECT_S,
            max_connection_pool_size=10,
            max_transaction_retry_time=0.0,
            user_agent="openplaybook",
            telemetry_disabled=True,
            notifications_min_severity="OFF",
            **tls,
        )

    async def _addresses(self, address: object) -> list[tuple[str, int]]:
        """Of the server that is meant alone, whatever the driver asks for."""
        del address
        host, port = self.destination.host, self.destination.port
        try:
            return [(each, port) for each in await checked_addresses(self._access, host, port)]
        except ConnectorError as error:
            self.failure = error
            raise OSError(str(error)) from error


class GraphSource:
    """Implements `EntitySource`."""

    def __init__(
        self, title: str, dialling: GraphDialling, settings: ConnectionSettings, labels: Sequence[str]
    ) -> None:
        """`labels` are those that there are; without any, all of the database."""
        self.title = title
        self.is_open = True
        self._dialling = dialling
        self._is_read_only = settings.is_read_only
        self._cap = settings.write_cap
        self._labels = tuple(labels)
        self._types = SampledTypes()
        where = dialling.destination
        address = f"bolt://{where.host}:{where.port}/{settings.text('database')}"
        self._desk = SystemDesk(settings, address, self._failure, [dialling.login.password])

    async def check(self, call: SystemCall) -> None:
        """Log in, and have something computed."""
        await self._rows("RETURN 1 AS one", {}, call)

    async def names(self, call: SystemCall) -> Sequence[str]:
        """Labels."""
        if self._labels:
            return self._labels
        rows = await self._rows("CALL db.labels() YIELD label RETURN label", {}, call, is_description=True)
        return [str(row["label"]) for row in rows]

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        """A label, with the properties of some of its nodes."""

        async def sample() -> EntityType:
            names = await self.names(call)
            if name not in names:
                raise UnknownName("entity", name, names)
            text = f"MATCH (n:{quoted(name)}) WITH n LIMIT $size RETURN properties(n) AS fields"
            rows = await self._rows(text, {"size": SAMPLE}, call, is_description=True)
            found = sampled_fields({key: graph_type(each) for key, each in row["fields"].items()} for row in rows)
            own = tuple(each for each in found if each.name != _KEY.name)
            return EntityType(name, (_KEY, *own), frozenset(EntityOperation), default_sort=_KEY.name)

        return await self._types.get(name, sample)

    def actions(self) -> Sequence[ActionType]:
        """Cypher, unless only some labels may be reached: of a text it cannot be told which it reaches."""
        return () if self._labels else (query_action("Cypher", is_read_only=self._is_read_only),)

    def tries(self, scan: EntityScan) -> bool:
        """What Cypher says."""
        native = native_test(scan.condition, ParameterTests(CYPHER, scan.entity_type))
        return native is not None and native.is_whole

    async def batch(self, scan: EntityScan, after: str, size: int, call: SystemCall) -> EntityBatch:
        """Nodes by their element ids."""
        language = ParameterTests(CYPHER, scan.entity_type)
        native = native_test(scan.condition, language)
        parameters: Parameters = {**language.parameters, "size": size}
        terms = [native.native] if native else []
        if after:
            terms.insert(0, f"{_KEY_TEXT} > $after")
            parameters["after"] = after
        where = f" WHERE {' AND '.join(terms)}" if terms else ""
        text = (
            f"MATCH (n:{quoted(scan.entity_type.name)}){where} WITH n ORDER BY {_KEY_TEXT} LIMIT $size "
            f"RETURN {_KEY_TEXT} AS key, {_projection(scan.fields)} AS fields ORDER BY key"
        )
        rows = await self._rows(text, parameters, call)
        return EntityBatch(tuple(_entity(row, scan.fields) for row in rows), len(rows) < size)

    async def one(self, entity_type: EntityType, key: str, fields: Sequence[str], call: SystemCall) -> Entity:
        """A node."""
        text = f"{_matched(entity_type)} RETURN {_KEY_TEXT} AS key, {_projection(fields)} AS fields"
        rows = await self._rows(text, {"key": key}, call)
        if not rows:
            raise _absent(entity_type, key)
        return _entity(rows[0], fields)

    async def insert(self, entity_type: EntityType, values: JsonObject, call: SystemCall) -> Entity:
        """A new node of this label."""
        text = (
            f"CREATE (n:{quoted(entity_type.name)}) SET n = $values RETURN {_KEY_TEXT} AS key, properties(n) AS fields"
        )
        rows = await self._rows(text, {"values": _properties(entity_type, values)}, call, is_write=True)
        self._types.written(entity_type, values)
        if not rows:
            raise SystemFault("the system tells nothing of the new node")
        return _entity(rows[0], ())

    async def change(self, entity_type: EntityType, key: str, values: JsonObject, call: SystemCall) -> None:
        """Some properties of a node; null takes one away."""
        text = f"{_matched(entity_type)} SET n += $values RETURN count(n) AS changed"
        parameters: Parameters = {"key": key, "values": _properties(entity_type, values)}
        rows = await self._rows(text, parameters, call, is_write=True)
        if not rows or rows[0]["changed"] == 0:
            raise _absent(entity_type, key)
        self._types.written(entity_type, values)

    async def remove(self, entity_type: EntityType, key: str, call: SystemCall) -> None:
        """A node without relations."""
        text = f"{_matched(entity_type)} DELETE n RETURN count(*) AS changed"
        rows = await self._rows(text, {"key": key}, call, is_write=True)
        if not rows or rows[0]["changed"] == 0:
            raise _absent(entity_type, key)

    async def act(self, action: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        """Queries come by `run`."""
        raise OperationUnsupported(f"{action} is run as a query")

    async def run(self, query: SqlQuery, call: SystemCall) -> QueryResult:
        """Cypher, each `?` for a parameter."""
        if self._labels:
            raise OperationUnsupported("a connection to chosen labels takes no queries in Cypher")
        text, parameters = bound_query(query)
        is_write = not self._is_read_only
        counts: list[int] = []
        rows = await self._rows(
            text,
            parameters,
            call,
            is_write=is_write,
            most=query.most_rows + 1,
            counted=lambda counters: counts.append(checked_count(counters, self._cap)),
        )
        notes: JsonObject = {"rowsAffected": counts[0]} if any(counts) else {}
        given = tuple(as_object(json_of(row)) for row in rows[: query.most_rows])
        return QueryResult(given, len(rows) > query.most_rows, notes)

    async def aclose(self) -> None:
        """Close the driver."""
        await self._dialling.aclose()

    async def _rows(
        self,
        text: str,
        parameters: Parameters,
        call: SystemCall,
        *,
        is_write: bool = False,
        is_description: bool = False,
        most: int = 1_000,
        counted: Callable[[neo4j.SummaryCounters], None] = lambda counters: None,
    ) -> list[dict[str, Any]]:
        """All in one transaction, which is undone where anything fails in it; `counted` is told what it has changed
        before it is committed."""
        shown = f"{text}\n{parameters}" if parameters else text
        asked = Asked("CYPHER", shown, is_write=is_write, is_description=is_description)
        self._desk.admit(asked, call)
        async with AsyncExitStack() as stack:
            session = self._dialling.session(reads=not is_write)
            stack.push_async_callback(session.close)
            begin = Asked("BEGIN", "", is_description=is_description)
            timeout = max(call.timeout_s, 0.05)
            transaction = await self._desk.sent(
                begin, call, lambda: session.begin_transaction(timeout=timeout), lambda _: ""
            )
            return await self._desk.sent(asked, call, lambda: _run(transaction, text, parameters, most, counted), _told)

    def _failure(self, error: Exception, said: str, asked: Asked) -> ConnectorError | None:
        """By the driver's classes and the server's codes."""
        unresolved, self._dialling.failure = self._dialling.failure, None
        if unresolved is not None:
            return unresolved
        if isinstance(error, driver.Neo4jError):
            return _said_by_server(error, said)
        if isinstance(error, driver.ServiceUnavailable | driver.SessionExpired | driver.IncompleteCommit | OSError):
            return unanswered(asked, said)
        if isinstance(error, driver.DriverError):
            return SystemUnavailable(f"the system does not answer: {said}")
        return InvalidValue("", said) if isinstance(error, ValueError | TypeError) else None


async def _run(
    transaction: neo4j.AsyncTransaction,
    text: str,
    parameters: Parameters,
    most: int,
    counted: Callable[[neo4j.SummaryCounters], None],
) -> list[dict[str, Any]]:
    async with transaction:
        # The text is ours, or somebody's on purpose; values are in the parameters.
        result = await transaction.run(text, parameters)  # pyright: ignore[reportArgumentType]
        rows: list[dict[str, Any]] = []
        size = 0
        async for record in result:
            rows.append(dict(cast("list[tuple[str, Any]]", cast(Any, record).items())))
            size += rough_size(json_of(rows[-1]), MOST_BYTES)
            if size > MOST_BYTES:
                raise SystemFault(f"the rows have more than {MOST_BYTES:,} bytes together; ask for fewer, or for less")
            if len(rows) == most:
                break
        counted((await result.consume()).counters)
        await transaction.commit()
    return rows


def _said_by_server(error: driver.Neo4jError, said: str) -> ConnectorError:
    code = error.code or ""
    told = f"the system says: {said}"
    if isinstance(error, driver.AuthError) and not isinstance(error, driver.Forbidden):
        return AuthenticationRefused(told)
    if code.endswith("Statement.AccessMode"):
        return WriteRefused("this connection only reads; the system has undone the query")
    made: tuple[tuple[type[Exception], type[ConnectorError]], ...] = (
        (driver.Forbidden, PermissionRefused),
        (driver.ConstraintError, EntityConflict),
        (driver.TransientError, SystemUnavailable),
        (driver.DatabaseError, SystemFault),
    )
    found = next((kind for each, kind in made if isinstance(error, each)), None)
    if found is not None:
        return found(told)
    return EntityConflict(told) if ".Schema.Constraint" in code else InvalidValue("", said)


def opened_source(definition: ConnectorDefinition, settings: ConnectionSettings, access: SystemAccess) -> GraphSource:
    """Nothing is sent yet. Raises `InvalidConnection` and `CredentialAbsent`."""
    dialling = GraphDialling(settings, access, settings.destination(definition.default_port))
    labels = [each.strip() for each in settings.text("labels").split(",") if each.strip()]
    return GraphSource(definition.title, dialling, settings, labels)


def _matched(entity_type: EntityType) -> str:
    return f"MATCH (n:{quoted(entity_type.name)}) WHERE {_KEY_TEXT} = $key"


def _projection(fields: Sequence[str]) -> str:
    """The chosen properties alone."""
    return f"n{{{', '.join(f'.{quoted(name)}' for name in fields if name != _KEY.name)}}}"


def _properties(entity_type: EntityType, values: JsonObject) -> Parameters:
    for name in values:
        quoted(name)
    return {name: property_of(each, entity_type.field(name), name) for name, each in values.items()}


def _entity(row: dict[str, Any], fields: Sequence[str]) -> Entity:
    key = str(row["key"])
    members: JsonObject = {**as_object(json_of(row["fields"])), _KEY.name: key}
    return Entity(key, members if not fields else {name: members.get(name) for name in fields})


def _absent(entity_type: EntityType, key: str) -> EntityNotFound:
    return EntityNotFound(f"{entity_type.name} has no node {key!r}")


def _told(rows: list[dict[str, Any]]) -> str:
    first: list[JsonValue] = [json_of(row) for row in rows[:20]]
    return f"{len(rows)} rows: {str(first)[:8_000]}"
