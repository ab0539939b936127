"""Files in arguments: what the model may give for one, and what becomes of it."""

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from mimetypes import guess_type

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.base import Files
from openplaybook.tools.openapi.requests.bodies.media_types import BodyFormat, kind_of
from openplaybook.tools.openapi.requests.bodies.schema_views import SchemaView, view
from openplaybook.tools.openapi.requests.parameter_places import InvalidArguments
from openplaybook.tools.openapi.schemas.definitions import Definitions
from openplaybook.tools.schema.dialect import INJECTION

_ACCEPTED = (
    'a file: {"name", "contents" (base64), "mimeType"}, the handle of a file of this conversation, or {"file": handle}'
)
_OR_TEXT = "; the contents of a text file may be given as a plain text"
_FORMS: tuple[JsonObject, ...] = (
    {"type": "string"},
    {
        "type": "object",
        "required": ["contents"],
        "properties": {
            "name": {"type": "string", "description": "File name"},
            "contents": {"type": "string", "contentEncoding": "base64"},
            "mimeType": {"type": "string"},
        },
    },
    {
        "type": "object",
        "required": ["file"],
        "properties": {
            "file": {
                "type": ["string", "object"],
                "description": "Handle of a file of this conversation",
                "required": ["handle"],
                "properties": {"handle": {"type": "string"}},
            }
        },
    },
)
"""What may be given for a file; an object in place of a handle holds it, as answers do."""

_NULL: JsonObject = {"type": "null"}
_HANDLE = re.compile(r"projects/\S+/sessions/[^/\s]+/files/[^/\s]+")
_KEPT = ("title", INJECTION, "deprecated")
_MAX_DEPTH = 8
_MAX_PARTS = 200
"""Schemas that one with files may be composed of; real ones have a handful."""


@dataclass(frozen=True, slots=True)
class BodyFile:
    """A file that is sent."""

    name: str
    """Empty when it has none."""
    media_type: str
    """Empty when nobody said it."""
    data: bytes = field(repr=False)

    @property
    def likely_type(self) -> str:
        """Its media type, said or as its name has it: to choose among those that a description allows."""
        return self.media_type or guess_type(self.name)[0] or ""


def file_schema(described: JsonObject, *, allows_text: bool, allows_null: bool = False) -> JsonObject:
    """What the model may give for a file, with what the description says of it."""
    descriptions = [str(described["description"]).strip()] if described.get("description") else []
    accepted = _ACCEPTED[0].upper() + _ACCEPTED[1:] + (_OR_TEXT if allows_text else "")
    members = {key: described[key] for key in _KEPT if key in described}
    forms = [*_FORMS, _NULL] if allows_null else [*_FORMS]
    return {**members, "description": "\n".join([*descriptions, accepted]), "anyOf": forms}


def is_file(schema_view: SchemaView) -> bool:
    """Whether values of a schema are raw bytes rather than JSON (OAS 3.1.1 §4.4.3, OAS 3.0.4 §4.4.1).

    A `contentEncoding` says that they are text already, and a media type of a text that they are one.
    """
    if schema_view.content_encoding or schema_view.type not in ("", "string"):
        return False
    return schema_view.format == "binary" or bool(
        schema_view.content_type and kind_of(schema_view.content_type) is BodyFormat.FILE
    )


def with_files(schema: JsonObject, definitions: Definitions, named: Sequence[str] = ()) -> tuple[JsonObject, set[str]]:
    """A schema of an object in which members that are files accept them, and the names of these members.

    `named` are those that are files whatever their schema says. A schema without files comes back as it is.
    """
    whole = _with_files(schema, definitions, named, {})
    # What is too large to be written out is shown as it is: a text may be the handle of a file all the same.
    return (whole.schema if whole.size <= _MAX_PARTS else schema), set(whole.names)


@dataclass(frozen=True, slots=True)
class _WithFiles:
    """A schema in which files are accepted, the names of these members, and how many schemas it is composed of."""

    schema: JsonObject
    names: frozenset[str] = frozenset()
    size: int = 1


def _with_files(
    schema: JsonObject, definitions: Definitions, named: Sequence[str], known: dict[str, _WithFiles]
) -> _WithFiles:
    """`known` are the references followed so far, by what came of them; nothing while they are being followed."""
    reference = str(schema.get("$ref", ""))
    if reference in known:
        return known[reference]
    if reference:
        known[reference] = _WithFiles(schema)
    resolved = definitions.look_through(schema)
    result, names = _with_file_members(resolved, definitions, named)
    size = 1
    for key in ("allOf", "anyOf", "oneOf"):
        parts = [_with_files(as_object(part), definitions, named, known) for part in as_list(resolved.get(key))]
        size += sum(part.size for part in parts)
        if inner := frozenset[str]().union(*(part.names for part in parts)):
            names |= inner
            result = {**result, key: [part.schema for part in parts]}
    answer = _WithFiles(result, names, size) if names else _WithFiles(schema)
    if reference:
        known[reference] = answer
    return answer


def _with_file_members(
    schema: JsonObject, definitions: Definitions, named: Sequence[str]
) -> tuple[JsonObject, frozenset[str]]:
    """The same for the members that the schema itself names."""
    members = as_object(schema.get("properties"))
    changed = {name: _as_file(as_object(child), definitions, name in named, 0) for name, child in members.items()}
    file_members = frozenset(name for name, child in changed.items() if child is not members[name])
    return ({**schema, "properties": changed} if file_members else schema), file_members


def _as_file(schema: JsonObject, definitions: Definitions, is_named: bool, depth: int) -> JsonObject:
    """The schema itself when no file stands in it; else one that accepts a file, in an array too."""
    schema_view = view(schema, definitions)
    if is_file(schema_view) or (is_named and schema_view.type in ("", "string")):
        own = definitions.look_through(schema)
        is_nullable = "null" in as_list(own.get("type")) or _NULL in as_list(own.get("anyOf"))
        return file_schema(own, allows_text=True, allows_null=is_nullable)
    if not schema_view.items or depth > _MAX_DEPTH:
        return schema
    items = _as_file(schema_view.items, definitions, is_named, depth + 1)
    if items is schema_view.items:
        return schema
    return {**definitions.look_through(schema), "items": items}


async def attached(value: JsonValue, files: Files | None, where: str, *, allows_text: bool) -> BodyFile:
    """The file that an argument stands for; raises `InvalidArguments`."""
    if isinstance(value, str):
        if _HANDLE.fullmatch(value):
            return await _stored(value, files, where)
        if allows_text:
            return BodyFile("", "", value.encode())
        raise InvalidArguments(f"{where} must be {_ACCEPTED}")
    members = as_object(value)
    handle = members.get("file")
    handle = as_object(handle).get("handle", handle)
    if isinstance(handle, str):
        return await _stored(handle, files, where)
    return _decoded(members, where, allows_text=allows_text)


async def _stored(handle: str, files: Files | None, where: str) -> BodyFile:
    stored = await files.get(handle) if files is not None else None
    if stored is None:
        raise InvalidArguments(f"{where}: this conversation has no file {handle!r}")
    return BodyFile(stored.name, stored.media_type, stored.data)


def _decoded(members: JsonObject, where: str, *, allows_text: bool) -> BodyFile:
    contents = members.get("contents")
    if not isinstance(contents, str):
        raise InvalidArguments(f"{where} must be {_ACCEPTED}{_OR_TEXT if allows_text else ''}")
    try:
        data = base64.b64decode("".join(contents.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidArguments(f"{where}.contents is not base64: {error}") from error
    name = str(members.get("name") or "")
    return BodyFile(name, str(members.get("mimeType") or ""), data)
