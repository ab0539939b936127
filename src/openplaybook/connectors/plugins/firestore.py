"""Firestore by its REST API (v1): collections as entity types, documents as entities."""

import re
from collections.abc import Sequence
from urllib.parse import quote

from openplaybook.connectors.base import (
    LARGEST_PAGE_SIZE,
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
from openplaybook.connectors.conditions.normal_form import conjuncts
from openplaybook.connectors.conditions.syntax import ColumnComparison, ComparisonOperator, Condition, Membership
from openplaybook.connectors.definitions import ConnectorDefinition, SystemAccess
from openplaybook.connectors.errors import InvalidConnection, InvalidValue, OperationUnsupported, UnknownName
from openplaybook.connectors.plugins.base import EntityBatch, EntityScan
from openplaybook.connectors.plugins.firestore_values import json_fields, native_literal, native_value, value_type
from openplaybook.connectors.plugins.google_login import GoogleLogin, google_words
from openplaybook.connectors.plugins.http_desk import HttpAsked, HttpDesk, json_body
from openplaybook.connectors.plugins.sampled_types import SAMPLE, SampledTypes, sampled_fields
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_BASE = "https://firestore.googleapis.com/v1"
_SCOPES = ("https://www.googleapis.com/auth/datastore",)
_KEY = Field("id", DataType.STRING, is_key=True, is_nullable=False, description="Of the document.")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_RESERVED = re.compile(r"__.*__")
_PROJECT = re.compile(r"[a-z0-9][a-z0-9:.-]{0,60}")
_DATABASE = re.compile(r"\(default\)|[a-z0-9][a-z0-9-]{0,62}")
_MOST_ID = 1_500
"""Bytes."""
_MOST_MEMBERS = 30
"""Of IN (Firestore's own limit)."""
_MOST_COLLECTIONS = 300
_DISTINCT = frozenset({"from", "where", "orderBy", "select", "limit", "offset", "startAt", "endAt"})


class FirestoreSource:
    """Implements `EntitySource`. Equality is asked of Firestore, for which it needs no index of its own making; all
    else is tried here."""

    def __init__(self, title: str, desk: HttpDesk, database: str, collections: Sequence[str]) -> None:
        """`database` is the resource name. Without collections, all at the top are there."""
        self.title = title
        self.is_open = True
        self._desk = desk
        self._root = f"{database}/documents"
        self._collections = tuple(collections)
        self._types = SampledTypes()

    async def check(self, call: SystemCall) -> None:
        """Ask for a collection."""
        await self._collection_ids(1, call)

    async def names(self, call: SystemCall) -> Sequence[str]:
        """Of the collections."""
        return self._collections or await self._collection_ids(_MOST_COLLECTIONS, call)

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        """A collection, with the fields of some of its documents."""

        async def sample() -> EntityType:
            names = await self.names(call)
            if name not in names:
                raise UnknownName("entity", name, names)
            found = await self._documents(_query(name, SAMPLE), call, is_description=True)
            members = [as_object(each.get("fields")) for each in found]
            fields = sampled_fields({key: value_type(value) for key, value in each.items()} for each in members)
            own = tuple(each for each in fields if each.name != _KEY.name)
            return EntityType(name, (_KEY, *own), frozenset(EntityOperation), default_sort=_KEY.name)

        return await self._types.get(name, sample)

    def actions(self) -> Sequence[ActionType]:
        """`RunStructuredQuery` alone."""
        return FIRESTORE_ACTIONS

    def tries(self, scan: EntityScan) -> bool:
        """Equality."""
        found = conjuncts(scan.condition)
        return len(_filters(scan)) == len(found)

    async def batch(self, scan: EntityScan, after: str, size: int, call: SystemCall) -> EntityBatch:
        """Documents by their names."""
        query = _query(scan.entity_type.name, size)
        query["select"] = {"fields": [{"fieldPath": _path(name)} for name in _read(scan.fields)]}
        filters = _filters(scan)
        if filters:
            query["where"] = filters[0] if len(filters) == 1 else {"compositeFilter": {"op": "AND", "filters": filters}}
        if after:
            value = {"referenceValue": f"{self._root}/{scan.entity_type.name}/{after}"}
            query["startAt"] = {"values": [value], "before": False}
        found = await self._documents(query, call)
        entities = tuple(_entity(each, scan.fields) for each in found)
        return EntityBatch(entities, is_last=len(found) < size)

    async def one(self, entity_type: EntityType, key: str, fields: Sequence[str], call: SystemCall) -> Entity:
        """A document."""
        mask = [("mask.fieldPaths", _path(name)) for name in fields if name != _KEY.name]
        reply = await self._desk.json(HttpAsked("GET", self._url(entity_type, key), mask), call)
        return _entity(as_object(reply), fields)

    async def insert(self, entity_type: EntityType, values: JsonObject, call: SystemCall) -> Entity:
        """With its own name where `id` is given, else with one that Firestore makes."""
        key = values.get(_KEY.name)
        named = [] if key is None else [("documentId", _checked_id(str(key)))]
        body = json_body({"fields": _native(entity_type, values)})
        url = f"{_BASE}/{self._root}/{quote(entity_type.name, safe='')}"
        reply = await self._desk.json(HttpAsked("POST", url, named, body, is_write=True), call)
        self._types.written(entity_type, values)
        return _entity(as_object(reply), ())

    async def change(self, entity_type: EntityType, key: str, values: JsonObject, call: SystemCall) -> None:
        """Some fields of a document that is there."""
        query = [("updateMask.fieldPaths", _path(name)) for name in values]
        query.append(("currentDocument.exists", "true"))
        body = json_body({"fields": _native(entity_type, values)})
        asked = HttpAsked("PATCH", self._url(entity_type, key), query, body, is_write=True, is_repeatable=True)
        await self._desk.json(asked, call)
        self._types.written(entity_type, values)

    async def remove(self, entity_type: EntityType, key: str, call: SystemCall) -> None:
        """A document that is there."""
        query = [("currentDocument.exists", "true")]
        await self._desk.send(HttpAsked("DELETE", self._url(entity_type, key), query, is_write=True), call)

    async def act(self, action: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        """`RunStructuredQuery`."""
        del action
        query = dict(as_object(parameters.get("structuredQuery")))
        unknown = sorted(set(query) - _DISTINCT)
        if unknown:
            raise InvalidValue("structuredQuery", f"may not hold {unknown[0]}; it may: {', '.join(sorted(_DISTINCT))}")
        names = await self.names(call)
        selectors = [as_object(each) for each in as_list(query.get("from"))]
        if len(selectors) != 1 or set(selectors[0]) - {"collectionId"} or selectors[0].get("collectionId") not in names:
            raise InvalidValue("structuredQuery", f"must be from one collection: {', '.join(names)}")
        given = query.get("limit")
        most = given if isinstance(given, int) and 0 < given <= LARGEST_PAGE_SIZE else LARGEST_PAGE_SIZE
        query["limit"] = most
        found = await self._documents(query, call)
        rows = tuple(_entity(each, ()).fields for each in found)
        return QueryResult(rows, is_truncated=len(rows) == LARGEST_PAGE_SIZE and most != given)

    async def run(self, query: SqlQuery, call: SystemCall) -> QueryResult:
        """There is no language of text."""
        raise OperationUnsupported(f"{self.title} has no query language; the action RunStructuredQuery takes queries")

    async def aclose(self) -> None:
        """Connections are the transport's."""

    async def _collection_ids(self, most: int, call: SystemCall) -> Sequence[str]:
        found: list[str] = []
        token = ""
        while len(found) < most:
            body: JsonObject = {"pageSize": min(100, most), **({"pageToken": token} if token else {})}
            asked = HttpAsked(
                "POST", f"{_BASE}/{self._root}:listCollectionIds", (), json_body(body), is_description=True
            )
            reply = as_object(await self._desk.json(asked, call))
            found += [str(each) for each in as_list(reply.get("collectionIds"))]
            token = str(reply.get("nextPageToken") or "")
            if not token:
                break
        return tuple(found)

    async def _documents(
        self, query: JsonObject, call: SystemCall, *, is_description: bool = False
    ) -> Sequence[JsonObject]:
        body = json_body({"structuredQuery": query})
        asked = HttpAsked("POST", f"{_BASE}/{self._root}:runQuery", (), body, is_description=is_description)
        reply = await self._desk.json(asked, call)
        members = [as_object(each).get("document") for each in as_list(reply)]
        return [as_object(each) for each in members if each is not None]

    def _url(self, entity_type: EntityType, key: str) -> str:
        return f"{_BASE}/{self._root}/{quote(entity_type.name, safe='')}/{quote(_checked_id(key), safe='')}"


def opened_source(
    definition: ConnectorDefinition, settings: ConnectionSettings, access: SystemAccess
) -> FirestoreSource:
    """Nothing is sent yet. Raises `InvalidConnection` and `CredentialAbsent`."""
    project = settings.text("project")
    if not _PROJECT.fullmatch(project):
        raise InvalidConnection("configVariables.project", f"must be the id of a project, not {project!r}")
    database = settings.text("database") or "(default)"
    if not _DATABASE.fullmatch(database):
        raise InvalidConnection("configVariables.database", f"must be the id of a database, not {database!r}")
    collections = [each.strip() for each in settings.text("collections").split(",") if each.strip()]
    for each in collections:
        if "/" in each or each in (".", "..") or _RESERVED.fullmatch(each):
            raise InvalidConnection("configVariables.collections", f"{each!r} is no collection at the top")
    desk = HttpDesk(settings, access, GoogleLogin(settings, access, _SCOPES), google_words)
    return FirestoreSource(definition.title, desk, f"projects/{project}/databases/{database}", collections)


def _query(collection: str, size: int) -> JsonObject:
    return {
        "from": [{"collectionId": collection}],
        "orderBy": [{"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"}],
        "limit": size,
    }


def _filters(scan: EntityScan) -> list[JsonValue]:
    """The parts of the condition, all of which must hold, that Firestore can try; of memberships one alone, since they
    multiply."""
    found: list[JsonValue] = []
    has_membership = False
    for each in conjuncts(scan.condition):
        made = _filter(scan.entity_type, each)
        if made is None or (isinstance(each, Membership) and has_membership):
            continue
        has_membership = has_membership or isinstance(each, Membership)
        found.append(made)
    return found


def _filter(entity_type: EntityType, condition: Condition) -> JsonObject | None:
    if not isinstance(condition, ColumnComparison | Membership):
        return None
    field = entity_type.field(condition.column)
    if field is None or field.is_key:
        return None
    if isinstance(condition, ColumnComparison):
        value = native_literal(condition.value, field.data_type)
        if condition.operator is not ComparisonOperator.EQUAL or value is None:
            return None
        return {"fieldFilter": {"field": {"fieldPath": _path(field.name)}, "op": "EQUAL", "value": value}}
    values = [native_literal(each, field.data_type) for each in condition.values]
    if None in values or len(values) > _MOST_MEMBERS:
        return None
    listed: JsonObject = {"arrayValue": {"values": values}}
    return {"fieldFilter": {"field": {"fieldPath": _path(field.name)}, "op": "IN", "value": listed}}


def _read(fields: Sequence[str]) -> list[str]:
    """Without any, the names of documents alone come back."""
    return [name for name in fields if name != _KEY.name] or ["__name__"]


def _path(name: str) -> str:
    if name == "__name__" or _PLAIN.fullmatch(name):
        return name
    escaped = name.replace("\\", "\\\\").replace("`", "\\`")
    return f"`{escaped}`"


def _native(entity_type: EntityType, values: JsonObject) -> JsonObject:
    made: JsonObject = {}
    for name, value in values.items():
        if name == _KEY.name:
            continue
        if not name or _RESERVED.fullmatch(name) or len(name.encode()) > _MOST_ID:
            raise InvalidValue(name[:60], "is no name of a field")
        field = entity_type.field(name)
        made[name] = native_value(value, field.data_type if field else None, name)
    return made


def _entity(document: JsonObject, fields: Sequence[str]) -> Entity:
    key = str(document.get("name") or "").rpartition("/")[2]
    members: JsonObject = {_KEY.name: key, **json_fields(document.get("fields"))}
    return Entity(key, members if not fields else {name: members.get(name) for name in fields})


def _checked_id(text: str) -> str:
    if "/" in text or text in ("", ".", "..") or _RESERVED.fullmatch(text) or len(text.encode()) > _MOST_ID:
        raise InvalidValue(_KEY.name, f"{text[:60]!r} is no id of a document")
    return text


FIRESTORE_ACTIONS = (
    ActionType(
        "RunStructuredQuery",
        "Run structured query",
        f"Gives documents of a collection by a StructuredQuery of Firestore's API, at most {LARGEST_PAGE_SIZE}.",
        (
            Field(
                "structuredQuery",
                DataType.STRUCT,
                is_required=True,
                is_nullable=False,
                description="Such as {from: [{collectionId}], where, orderBy, select, limit}.",
            ),
        ),
        is_read_only=True,
        is_repeatable=True,
    ),
)
