"""Google Cloud Storage by its JSON API (v1): buckets and objects as entities, contents by actions."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote

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
from openplaybook.connectors.conditions.normal_form import conjuncts
from openplaybook.connectors.conditions.syntax import ColumnComparison, Likeness
from openplaybook.connectors.definitions import ConnectorDefinition, SystemAccess
from openplaybook.connectors.errors import (
    EntityNotFound,
    InvalidConnection,
    InvalidValue,
    OperationUnsupported,
    PermissionRefused,
    SystemFault,
    UnknownName,
)
from openplaybook.connectors.plugins.base import MOST_BYTES, EntityBatch, EntityScan, text_of
from openplaybook.connectors.plugins.file_content import CONTENT, content_result, given_content
from openplaybook.connectors.plugins.google_login import GoogleLogin, google_words
from openplaybook.connectors.plugins.http_desk import HttpAsked, HttpDesk, json_body
from openplaybook.connectors.plugins.pushdown import equal_texts, literal_prefix
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_HOST = "https://storage.googleapis.com"
_BASE = f"{_HOST}/storage/v1"
_SCOPES = ("https://www.googleapis.com/auth/devstorage.read_write",)
_READ_SCOPES = ("https://www.googleapis.com/auth/devstorage.read_only",)
_BUCKET = re.compile(r"[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]")
_MOST_PAGES = 20
_LARGEST_PAGE = 1_000
_COPY_STEPS = 50
_MOST_DIGITS = 18
"""Of a size."""

BUCKETS = EntityType(
    "Buckets",
    (
        Field("name", DataType.STRING, is_key=True, is_nullable=False, is_read_only=True),
        Field("location", DataType.STRING, is_read_only=True),
        Field("storageClass", DataType.STRING, is_read_only=True),
        Field("timeCreated", DataType.TIMESTAMP_WITH_ZONE, is_read_only=True),
        Field("updated", DataType.TIMESTAMP_WITH_ZONE, is_read_only=True),
        Field("labels", DataType.STRUCT, is_read_only=True),
    ),
    frozenset({EntityOperation.LIST, EntityOperation.GET}),
    description="Buckets of the project.",
    default_sort="name",
)
OBJECTS = EntityType(
    "Objects",
    (
        Field("path", DataType.STRING, is_key=True, is_nullable=False, is_read_only=True, description="bucket/name"),
        Field("bucket", DataType.STRING, is_nullable=False, is_read_only=True),
        Field("name", DataType.STRING, is_nullable=False, is_read_only=True),
        Field("size", DataType.BIGINT, is_read_only=True, description="Bytes."),
        Field("contentType", DataType.STRING),
        Field("contentEncoding", DataType.STRING),
        Field("contentLanguage", DataType.STRING),
        Field("contentDisposition", DataType.STRING),
        Field("cacheControl", DataType.STRING),
        Field("customTime", DataType.TIMESTAMP_WITH_ZONE),
        Field("metadata", DataType.STRUCT, description="Texts by name."),
        Field("storageClass", DataType.STRING, is_read_only=True),
        Field("md5Hash", DataType.STRING, is_read_only=True),
        Field("generation", DataType.STRING, is_read_only=True),
        Field("timeCreated", DataType.TIMESTAMP_WITH_ZONE, is_read_only=True),
        Field("updated", DataType.TIMESTAMP_WITH_ZONE, is_read_only=True),
    ),
    frozenset({EntityOperation.LIST, EntityOperation.GET, EntityOperation.UPDATE, EntityOperation.DELETE}),
    description="Objects of one bucket: the connection's, or that of bucket = '…' in the condition.",
    default_sort="path",
)
_TYPES: Mapping[str, EntityType] = {each.name: each for each in (BUCKETS, OBJECTS)}


class CloudStorageSource:
    """Implements `EntitySource`."""

    def __init__(self, title: str, desk: HttpDesk, project: str, bucket: str) -> None:
        """Where there is a `bucket`, no other can be reached."""
        self.title = title
        self.is_open = False
        self._desk = desk
        self._project = project
        self._bucket = bucket

    async def check(self, call: SystemCall) -> None:
        """Read the bucket, or list one."""
        if self._bucket:
            await self._desk.json(HttpAsked("GET", _bucket_url(self._bucket), [("fields", "name")]), call)
        else:
            await self._buckets_page("", 1, "", call)

    async def names(self, call: SystemCall) -> Sequence[str]:
        """Both."""
        del call
        return tuple(_TYPES)

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        """One of them."""
        del call
        if name not in _TYPES:
            raise UnknownName("entity", name, _TYPES)
        return _TYPES[name]

    def actions(self) -> Sequence[ActionType]:
        """What can be done with objects."""
        return OBJECT_ACTIONS

    def tries(self, scan: EntityScan) -> bool:
        """The bucket of objects, and how their names begin."""
        if scan.entity_type is BUCKETS:
            return scan.condition is None
        return all(_is_tried(each) for each in conjuncts(scan.condition))

    async def batch(self, scan: EntityScan, after: str, size: int, call: SystemCall) -> EntityBatch:
        """Buckets, or objects, by name."""
        if scan.entity_type is BUCKETS:
            return await self._buckets(scan, after, size, call)
        bucket = self._scanned_bucket(scan)
        prefix = _prefix(scan)
        start = after.removeprefix(f"{bucket}/")
        query = [("maxResults", str(min(size + 1, _LARGEST_PAGE)))]
        query += [("startOffset", start)] if start else []
        query += [("prefix", prefix)] if prefix else []
        query.append(("fields", f"items({','.join(_read_names(scan.fields))}),nextPageToken"))
        token = ""
        for _ in range(_MOST_PAGES):
            more = [("pageToken", token)] if token else []
            asked = HttpAsked("GET", f"{_bucket_url(bucket)}/o", [*query, *more])
            reply = as_object(await self._desk.json(asked, call))
            found = [_object(each, scan.fields) for each in as_list(reply.get("items"))]
            kept = tuple(each for each in found if each.key != after)
            token = str(reply.get("nextPageToken") or "")
            if kept or not token:
                return EntityBatch(kept, not token)
        return EntityBatch((), is_last=True, is_cut=True)

    async def one(self, entity_type: EntityType, key: str, fields: Sequence[str], call: SystemCall) -> Entity:
        """A bucket's or an object's metadata."""
        if entity_type is BUCKETS:
            query = [("fields", ",".join(dict.fromkeys(("name", *fields))))]
            reply = await self._desk.json(HttpAsked("GET", _bucket_url(self._allowed(key)), query), call)
            return _entity(as_object(reply), BUCKETS, str(as_object(reply).get("name") or key), fields)
        query = [("fields", ",".join(_read_names(fields)))]
        return _object(await self._desk.json(HttpAsked("GET", self._object_url(key), query), call), fields)

    async def insert(self, entity_type: EntityType, values: JsonObject, call: SystemCall) -> Entity:
        """By the action `UploadObject` instead."""
        raise OperationUnsupported("objects are made by the action UploadObject")

    async def change(self, entity_type: EntityType, key: str, values: JsonObject, call: SystemCall) -> None:
        """An object's metadata."""
        asked = HttpAsked(
            "PATCH",
            self._object_url(key),
            [("fields", "name")],
            json_body(values),
            is_write=True,
            is_repeatable=True,
        )
        await self._desk.json(asked, call)

    async def remove(self, entity_type: EntityType, key: str, call: SystemCall) -> None:
        """An object."""
        await self._desk.send(HttpAsked("DELETE", self._object_url(key), is_write=True), call)

    async def act(self, action: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        """What can be done with objects."""
        bucket = self._allowed(text_of(parameters, "bucket") or self._bucket)
        name = _object_name(text_of(parameters, "name"), "name")
        if action == "DownloadObject":
            return await self._downloaded(f"{bucket}/{name}", call)
        if action == "UploadObject":
            return await self._uploaded(bucket, name, parameters, call)
        target = _object_name(text_of(parameters, "targetName"), "targetName")
        guard = [] if parameters.get("overwrite") is True else [("ifGenerationMatch", "0")]
        if action == "MoveObject":
            url = f"{self._object_url(f'{bucket}/{name}')}/moveTo/o/{quote(target, safe='')}"
            reply = await self._desk.json(HttpAsked("POST", url, guard, is_write=True), call)
            return QueryResult((_object(reply, _RESULT).fields,))
        target_bucket = self._allowed(text_of(parameters, "targetBucket") or bucket)
        return await self._copied(f"{bucket}/{name}", target_bucket, target, guard, call)

    async def run(self, query: SqlQuery, call: SystemCall) -> QueryResult:
        """There is no language."""
        raise OperationUnsupported(f"{self.title} has no query language")

    async def aclose(self) -> None:
        """Connections are the transport's."""

    async def _buckets(self, scan: EntityScan, after: str, size: int, call: SystemCall) -> EntityBatch:
        if self._bucket:
            is_there = not after
            found = (await self.one(BUCKETS, self._bucket, scan.fields, call),) if is_there else ()
            return EntityBatch(found, is_last=True)
        kept: list[Entity] = []
        token = ""
        for _ in range(_MOST_PAGES):
            reply = await self._buckets_page(
                token, _LARGEST_PAGE, ",".join(dict.fromkeys(("name", *scan.fields))), call
            )
            items = [as_object(each) for each in as_list(reply.get("items"))]
            found = [_entity(each, BUCKETS, str(each.get("name")), scan.fields) for each in items]
            kept += [each for each in found if each.key > after]
            token = str(reply.get("nextPageToken") or "")
            if len(kept) >= size or not token:
                return EntityBatch(tuple(kept), not token)
        return EntityBatch(tuple(kept), is_last=True, is_cut=True)

    async def _buckets_page(self, token: str, size: int, fields: str, call: SystemCall) -> JsonObject:
        query = [("project", self._project), ("maxResults", str(size))]
        query += [("pageToken", token)] if token else []
        query += [("fields", f"items({fields}),nextPageToken")] if fields else []
        return as_object(await self._desk.json(HttpAsked("GET", f"{_BASE}/b", query), call))

    async def _downloaded(self, key: str, call: SystemCall) -> QueryResult:
        asked = HttpAsked("GET", self._object_url(key), [("alt", "media")])
        response = await self._desk.send(asked, call)
        if response.truncated:
            raise InvalidValue("name", f"the object is larger than {MOST_BYTES:,} bytes, which is the limit")
        result = content_result("path", key, response.body)
        return QueryResult(({**result, "contentType": response.header("Content-Type")},))

    async def _uploaded(self, bucket: str, name: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        data = given_content(parameters)
        is_text = parameters.get("content") is not None
        kind = text_of(
            parameters, "contentType", "text/plain; charset=utf-8" if is_text else "application/octet-stream"
        )
        if any(ord(char) < 0x20 or ord(char) > 0x7E for char in kind):
            raise InvalidValue("contentType", "is no media type")
        overwrites = parameters.get("overwrite") is True
        query = [("uploadType", "media"), ("name", name)]
        query += [] if overwrites else [("ifGenerationMatch", "0")]
        url = f"{_HOST}/upload/storage/v1/b/{quote(bucket, safe='')}/o"
        asked = HttpAsked("POST", url, query, data, kind, is_write=True, is_repeatable=overwrites)
        return QueryResult((_object(await self._desk.json(asked, call), _RESULT).fields,))

    async def _copied(
        self, key: str, bucket: str, name: str, guard: list[tuple[str, str]], call: SystemCall
    ) -> QueryResult:
        """Large objects, or those that go to another place, are copied in steps."""
        url = f"{self._object_url(key)}/rewriteTo/b/{quote(bucket, safe='')}/o/{quote(name, safe='')}"
        token = ""
        for _ in range(_COPY_STEPS):
            query = [*guard, *([("rewriteToken", token)] if token else [])]
            reply = as_object(await self._desk.json(HttpAsked("POST", url, query, is_write=True), call))
            if reply.get("done") is True:
                return QueryResult((_object(reply.get("resource"), _RESULT).fields,))
            token = str(reply.get("rewriteToken") or "")
        raise SystemFault(f"the object was not copied in {_COPY_STEPS} steps; its old state is unchanged")

    def _scanned_bucket(self, scan: EntityScan) -> str:
        named = equal_texts(scan.condition, "bucket")
        if not named and not self._bucket:
            raise InvalidValue("conditions", "must say bucket = '…' to list Objects, with AND before all else")
        return self._allowed(named[0] if named else self._bucket)

    def _allowed(self, bucket: str) -> str:
        if not _BUCKET.fullmatch(bucket):
            raise InvalidValue("bucket", f"{bucket[:60]!r} is no name of a bucket")
        if self._bucket and bucket != self._bucket:
            raise PermissionRefused(f"this connection reaches the bucket {self._bucket} alone")
        return bucket

    def _object_url(self, key: str) -> str:
        bucket, _, name = key.partition("/")
        return f"{_bucket_url(self._allowed(bucket))}/o/{quote(_object_name(name, 'path'), safe='')}"


def opened_source(
    definition: ConnectorDefinition, settings: ConnectionSettings, access: SystemAccess
) -> CloudStorageSource:
    """Nothing is sent yet. Raises `InvalidConnection` and `CredentialAbsent`."""
    scopes = _READ_SCOPES if settings.is_read_only else _SCOPES
    desk = HttpDesk(settings, access, GoogleLogin(settings, access, scopes), google_words)
    project, bucket = settings.text("project"), settings.text("bucket")
    if not project and not bucket:
        raise InvalidConnection("configVariables.project", "is required, or a bucket")
    return CloudStorageSource(definition.title, desk, project, bucket)


def _bucket_url(bucket: str) -> str:
    return f"{_BASE}/b/{quote(bucket, safe='')}"


def _object_name(text: str, name: str) -> str:
    if text in ("", ".", "..") or len(text.encode()) > 1_024 or "\r" in text or "\n" in text:
        raise InvalidValue(name, f"{text[:60]!r} is no name of an object")
    return text


def _is_tried(condition: object) -> bool:
    if isinstance(condition, ColumnComparison):
        return condition.column == "bucket" and bool(equal_texts(condition, "bucket"))
    return isinstance(condition, Likeness) and condition.column == "name" and literal_prefix(condition)[1]


def _prefix(scan: EntityScan) -> str:
    """How all names begin that meet the condition."""
    found = [*equal_texts(scan.condition, "name")]
    for each in conjuncts(scan.condition):
        if isinstance(each, Likeness) and each.column == "name":
            found.append(literal_prefix(each)[0])
    return max(found, key=len, default="")


def _read_names(fields: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(["bucket", "name", *(name for name in fields if name != "path")]))


def _object(value: JsonValue, fields: Sequence[str]) -> Entity:
    members = as_object(value)
    key = f"{members.get('bucket')}/{members.get('name')}"
    size = members.get("size")
    read: JsonObject = {**members, "path": key}
    if isinstance(size, str) and size.isascii() and size.isdecimal() and len(size) <= _MOST_DIGITS:
        read["size"] = int(size)
    return _entity(read, OBJECTS, key, fields)


def _entity(members: JsonObject, entity_type: EntityType, key: str, fields: Sequence[str]) -> Entity:
    names = [each.name for each in entity_type.fields if not fields or each.name in fields]
    if not members:
        raise EntityNotFound(f"the system says nothing of {key}")
    return Entity(key, {name: members.get(name) for name in names})


_RESULT = ("path", "bucket", "name", "size", "contentType", "generation")
_WHERE = Field("bucket", DataType.STRING, description="The connection's own where it is empty.")
_NAME = Field("name", DataType.STRING, is_required=True, is_nullable=False)
_TARGET = Field("targetName", DataType.STRING, is_required=True, is_nullable=False)
_OVERWRITE = Field("overwrite", DataType.BOOLEAN, default=False, description="Whether to replace what is there.")
_CONTENT_TYPE = Field("contentType", DataType.STRING)
_RESULTS = tuple(each for each in OBJECTS.fields if each.name in _RESULT)
OBJECT_ACTIONS = (
    ActionType(
        "DownloadObject",
        "Download object",
        f"Gives the content of an object of at most {MOST_BYTES:,} bytes.",
        (_WHERE, _NAME),
        (Field("path", DataType.STRING), Field("size", DataType.BIGINT), _CONTENT_TYPE, *CONTENT),
        is_read_only=True,
        is_repeatable=True,
    ),
    ActionType(
        "UploadObject",
        "Upload object",
        "Makes an object.",
        (_WHERE, _NAME, *CONTENT, _CONTENT_TYPE, _OVERWRITE),
        _RESULTS,
    ),
    ActionType(
        "CopyObject",
        "Copy object",
        "Makes a second object like one.",
        (_WHERE, _NAME, Field("targetBucket", DataType.STRING), _TARGET, _OVERWRITE),
        _RESULTS,
    ),
    ActionType(
        "MoveObject",
        "Move object",
        "Gives an object another name in its bucket.",
        (_WHERE, _NAME, _TARGET, _OVERWRITE),
        _RESULTS,
    ),
)
