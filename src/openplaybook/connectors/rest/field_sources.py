"""More fields of entities than manifests list: from the vendor's API document where the operator has put it, and from
what the system tells about itself. Kept for a day.
"""

import gzip
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TypeVar

import yaml12

from openplaybook.connectors.base import DataType, FieldReference, SystemCall
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import (
    EntityNotFound,
    InvalidValue,
    PermissionRefused,
    SystemFault,
    SystemUnavailable,
    UnknownName,
)
from openplaybook.connectors.rest.csdl_reader import set_fields
from openplaybook.connectors.rest.entity_form import EntityForm
from openplaybook.connectors.rest.entity_pages import SystemSender
from openplaybook.connectors.rest.graphql_introspection import type_fields, type_request
from openplaybook.connectors.rest.manifest.field_notation import TYPES, from_words
from openplaybook.connectors.rest.manifest.list_model import RequestLine
from openplaybook.connectors.rest.manifest.model import (
    DescribeManifest,
    EntityManifest,
    RestField,
    SchemaSource,
    SystemManifest,
)
from openplaybook.connectors.rest.manifest.placeholders import filled_path
from openplaybook.connectors.rest.reply_paths import value_at
from openplaybook.connectors.rest.system_request import SystemRequest
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, loads
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import Lane

ResultT = TypeVar("ResultT")

KEPT_S = 86_400.0
_MOST_DOCUMENT = 60_000_000
"""Bytes of an API document, unpacked."""
_MOST_FIELDS = 1_000
"""Of an entity, beyond those of the manifest."""
_MOST_ENTITIES = 5_000
_DOCUMENTS = Lane("API documents", threads=1, waiting=64, seconds=60)
_WILDCARD = "*"
_NAME = re.compile(r"[\w.-]{1,120}")
"""Of a type that a client knows where the credential may not ask what there is; the system says whether it is there."""


class EntityForms:
    """The entity types of one connection, with all fields that are known."""

    def __init__(self, manifest: SystemManifest, sender: SystemSender, access: SystemAccess) -> None:
        self._manifest = manifest
        self._sender = sender
        self._folder = access.documents
        self._forms: dict[str, tuple[float, EntityForm]] = {}
        self._discovered: tuple[float, dict[str, str]] | None = None
        self._is_closed = False
        """Whether the credential may not ask what types there are."""
        self._metadata: dict[str, tuple[float, bytes]] = {}
        """Path → until when it is kept, and the document."""

    async def names(self, call: SystemCall) -> list[str]:
        """Names of all entity types, sorted."""
        return sorted({name for name in self._manifest.entities if name != _WILDCARD} | set(await self._found(call)))

    async def form(self, name: str, call: SystemCall) -> EntityForm:
        """One entity type. Raises `UnknownName`."""
        kept = self._forms.get(name)
        if kept is not None and monotonic() < kept[0]:
            return kept[1]
        entity = self._manifest.entities.get(name) if name != _WILDCARD else None
        if entity is None:
            entity = await self._like_wildcard(name, call)
        made = EntityForm(entity, name, (await self._fields(entity, call)).values())
        self._forms[name] = (monotonic() + KEPT_S, made)
        return made

    def forget(self) -> None:
        """Ask anew."""
        self._forms.clear()
        self._discovered = None
        self._metadata.clear()

    async def _like_wildcard(self, name: str, call: SystemCall) -> EntityManifest:
        wildcard = self._manifest.entities.get(_WILDCARD)
        found = await self._found(call)
        is_known = name in found or (self._is_closed and _NAME.fullmatch(name) is not None)
        if wildcard is None or not is_known:
            raise UnknownName("entity", name, await self.names(call))
        return replace(wildcard, name=name, path=name, description=found.get(name, ""))

    async def _found(self, call: SystemCall) -> dict[str, str]:
        """Name → label of the types that the system tells of."""
        discover = self._manifest.discover
        if discover is None:
            return {}
        if self._discovered is None or monotonic() >= self._discovered[0]:
            path = filled_path(discover.http.path, self._sender.values)
            request = SystemRequest(discover.http.method, path, host=discover.http.host, is_description=True)
            try:
                reply = await self._sender.send(request, call)
                self._is_closed = False
            except PermissionRefused:
                self._is_closed = True
                return {}
            names: dict[str, str] = {}
            for each in as_list(value_at(reply.value, discover.items))[:_MOST_ENTITIES]:
                name = value_at(each, discover.name)
                if (
                    isinstance(name, str | int)
                    and name != ""
                    and all(value_at(each, path) is True for path in discover.when)
                ):
                    names[str(name)] = str(value_at(each, discover.label) or "") if discover.label else ""
            self._discovered = (monotonic() + KEPT_S, names)
        return self._discovered[1]

    async def _fields(self, entity: EntityManifest, call: SystemCall) -> dict[str, RestField]:
        """Those of the manifest first; what it says of a field stands."""
        fields = {each.name: each for each in entity.fields}
        known = {each.path for each in entity.fields}
        source = entity.schema
        if source is None:
            return fields
        more = [*await self._documented(source), *await self._described(source.describe, entity, call)]
        if source.metadata is not None:
            more += await self._of_set(source.metadata, entity, call)
        if source.introspect:
            more += await self._of_type(source.introspect, call)
        for each in more[:_MOST_FIELDS]:
            if each.name not in fields and each.path not in known:
                fields[each.name] = each
        return fields

    async def _documented(self, source: SchemaSource) -> list[RestField]:
        if not source.document or self._folder is None:
            return []
        file = self._folder / source.document
        try:
            return await _DOCUMENTS.run(lambda: document_fields(file, source.component))
        except WorkError as error:
            raise SystemUnavailable(f"the API document {source.document} cannot be read now: {error}") from error

    async def _described(
        self, describe: DescribeManifest | None, entity: EntityManifest, call: SystemCall
    ) -> list[RestField]:
        if describe is None:
            return []
        path = filled_path(describe.http.path, {**self._sender.values, "entity": entity.path})
        request = SystemRequest(describe.http.method, path, host=describe.http.host, is_description=True)
        try:
            reply = await self._sender.send(request, call)
        except PermissionRefused:
            # Many who may read records may not read how their tables are made; those of the manifest are there.
            return []
        return described_fields(describe, reply.value, entity.path)

    async def _of_set(self, line: RequestLine, entity: EntityManifest, call: SystemCall) -> list[RestField]:
        """Fields of an entity set in the service's `$metadata`, which is kept compressed, most often for all sets."""
        path = filled_path(line.path, {**self._sender.values, "entity": entity.path})
        kept = self._metadata.get(path)
        if kept is None or monotonic() >= kept[0]:
            request = SystemRequest(line.method, path, host=line.host, is_description=True, is_xml=True)
            try:
                reply = await self._sender.send(request, call)
            except (PermissionRefused, EntityNotFound):
                if not entity.fields:
                    raise
                # Who may read entities need not be one who may read what they are made of.
                return []
            packed = await self._in_lane(lambda: zlib.compress(reply.response.body, 6))
            kept = (monotonic() + KEPT_S, packed)
            self._metadata[path] = kept
        data = kept[1]
        return await self._in_lane(lambda: set_fields(zlib.decompress(data), entity.path))

    async def _of_type(self, name: str, call: SystemCall) -> list[RestField]:
        """Fields of a type that a GraphQL system tells of; none where it does not tell."""
        try:
            reply = await self._sender.send(type_request(name), call)
        except (PermissionRefused, InvalidValue):
            return []
        return type_fields(reply.value)

    async def _in_lane(self, work: Callable[[], ResultT]) -> ResultT:
        try:
            return await _DOCUMENTS.run(work)
        except WorkError as error:
            raise SystemUnavailable(f"the system's $metadata cannot be read now: {error}") from error


def described_fields(describe: DescribeManifest, reply: JsonValue, path: str) -> list[RestField]:
    """The fields in a system's description of the entity type with this path."""
    found = value_at(reply, describe.items.replace("{entity}", path))
    rows = (
        [{"key": name, **as_object(each)} for name, each in as_object(found).items()]
        if isinstance(found, dict)
        else as_list(found)
    )
    made = [described_field(describe, each) for each in rows[:_MOST_FIELDS]]
    return [each for each in made if each is not None]


def described_field(describe: DescribeManifest, found: JsonValue) -> RestField | None:
    """A field as a system tells it; None for one of a type that the manifest does not name."""
    name, kind = value_at(found, describe.name), value_at(found, describe.type)
    words = describe.types.get(str(kind or "")) or describe.types.get("*")
    if not isinstance(name, str) or not name or words is None or any(char in name for char in " {}\t\n"):
        return None
    made = from_words(name, words, f"describe.types.{kind}")
    is_fixed = bool(describe.read_only and _is_true(value_at(found, describe.read_only)))
    is_fixed = is_fixed or bool(describe.writable and value_at(found, describe.writable) is False)
    allowed = [
        value_at(each, describe.value) if describe.value else each
        for each in (as_list(value_at(found, describe.values)) if describe.values else [])
    ]
    target = value_at(found, describe.reference) if describe.reference else None
    field = replace(
        made.field,
        is_read_only=made.field.is_read_only or is_fixed,
        is_required=bool(describe.required and _is_true(value_at(found, describe.required)) and not is_fixed),
        description=str(value_at(found, describe.label) or "")[:500] if describe.label else "",
        values=tuple(each for each in allowed if isinstance(each, str | int))[:200],
        reference=FieldReference(target, "Id") if isinstance(target, str) and target else None,
    )
    return replace(made, field=field, path=describe.path.replace("{name}", name))


def _is_true(value: JsonValue) -> bool:
    """ServiceNow writes booleans as texts."""
    return value is True or value == "true"


def document_fields(file: Path, component: str) -> list[RestField]:
    """The fields of a component of an OpenAPI (or Swagger, or Google discovery) document; none without the file.

    Raises `SystemFault` for a file that cannot be read.
    """
    if not file.is_file():
        return []
    document = _document(file)
    schemas = as_object(as_object(document.get("components")).get("schemas"))
    schemas = schemas or as_object(document.get("definitions")) or as_object(document.get("schemas"))
    if component not in schemas:
        raise SystemFault(f"the API document {file.name} has no component {component!r}")
    properties = _properties(schemas[component], schemas, 0)
    return [_documented_field(name, each, schemas) for name, each in properties.items() if " " not in name]


_READ: dict[tuple[str, int], JsonObject] = {}
"""The document that was read last, by file and time: entities of a system come one after the other."""


def _document(file: Path) -> JsonObject:
    key = (str(file), file.stat().st_mtime_ns)
    if key not in _READ:
        try:
            with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as stream:
                data = stream.read(_MOST_DOCUMENT + 1)
            if len(data) > _MOST_DOCUMENT:
                raise SystemFault(f"the API document {file.name} is larger than {_MOST_DOCUMENT:,} bytes")
            text = data.decode("utf-8-sig")
            value: JsonValue = loads(text) if text.lstrip().startswith("{") else yaml12.parse_yaml(text)
        except (OSError, ValueError) as error:
            raise SystemFault(f"the API document {file.name} cannot be read: {error}") from error
        _READ.clear()
        _READ[key] = as_object(value)
    return _READ[key]


def _resolved(schema: JsonValue, schemas: Mapping[str, JsonValue]) -> JsonObject:
    members = as_object(schema)
    for _ in range(10):
        target = members.get("$ref")
        if not isinstance(target, str):
            return members
        members = as_object(schemas.get(target.rpartition("/")[2]))
    return members


def _properties(schema: JsonValue, schemas: Mapping[str, JsonValue], depth: int) -> JsonObject:
    members = _resolved(schema, schemas)
    made: JsonObject = {}
    if depth < 8:
        for each in as_list(members.get("allOf")):
            made |= _properties(each, schemas, depth + 1)
    return made | as_object(members.get("properties"))


_OF_JSON = {"integer": "bigint", "number": "double", "boolean": "boolean", "object": "object", "array": "array"}
_OF_FORMAT = {"date": "date", "date-time": "timestamp", "uuid": "uuid", "unix-time": "epoch", "int64": "int64"}


def _documented_field(name: str, schema: JsonValue, schemas: Mapping[str, JsonValue]) -> RestField:
    members = _resolved(schema, schemas)
    kind, form = str(members.get("type", "")), str(members.get("format", ""))
    word = _OF_JSON.get(kind, "string" if kind == "string" else "any")
    if form in _OF_FORMAT and (kind != "integer" or form == "unix-time"):
        word = _OF_FORMAT[form]
    made = from_words(name, word, name)
    field = replace(
        made.field,
        is_read_only=members.get("readOnly") is True,
        description=str(members.get("description") or "")[:300],
        values=tuple(each for each in as_list(members.get("enum")) if isinstance(each, str | int))[:100],
        schema=None if TYPES[word][0] not in (DataType.STRUCT, DataType.ARRAY) else {"type": kind},
    )
    return replace(made, field=field)
