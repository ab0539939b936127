"""Request bodies: which media type is sent, and how it is written. One function per media type."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote_plus

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps
from openplaybook.tools.openapi.definitions import Definitions
from openplaybook.tools.openapi.references import resolve
from openplaybook.tools.openapi.styles import form, text
from openplaybook.tools.schema.dialect import is_true

Encoder: TypeAlias = Callable[[JsonValue], bytes]


class UnsupportedBody(Exception):
    """None of an operation's request media types can be written."""


@dataclass(frozen=True, slots=True)
class Body:
    """The body of an operation's requests."""

    media_type: str
    """As sent in `Content-Type`."""
    required: bool
    schema: JsonObject
    """2020-12, description included, sources of injection kept."""
    references: tuple[str, ...]
    """Names of the `$defs` the schema uses directly."""
    encode: Encoder


def json(value: JsonValue) -> bytes:
    """The value as JSON."""
    return dumps(value)


def urlencoded(value: JsonValue) -> bytes:
    """An object's members as a form: arrays repeat the name, nested objects are JSON (OAS 3.1.1 §4.8.15)."""
    pairs = (form(name, _flat(item), True, quote_plus) for name, item in as_object(value).items())
    return "&".join(pair for pair in pairs if pair).encode()


def plain(value: JsonValue) -> bytes:
    """Text as it is, anything else as JSON."""
    return text(value).encode()


def body_of(root: JsonObject, operation: JsonObject, definitions: Definitions) -> Body | None:
    """The body of an operation, or None when it has none.

    Raises `UnsupportedBody`, `UnresolvableReference` and `SchemaTooDeep`.
    """
    if operation.get("requestBody") is None:
        return None
    source = resolve(root, operation["requestBody"])
    contents = as_object(source.get("content"))
    if not contents:
        return None
    declared, sent, encode = _choice(contents)
    schema, references = definitions.convert(as_object(contents[declared]).get("schema"))
    if isinstance(source.get("description"), str) and "description" not in schema:
        schema = {**schema, "description": source["description"]}
    return Body(sent, is_true(source.get("required")), schema, references, encode)


def is_json(media_type: str) -> bool:
    """Whether a media type (parameters allowed) holds JSON: `application/json`, `text/json`, anything `+json`."""
    essence = media_type.partition(";")[0].strip().lower()
    return essence in ("application/json", "text/json") or essence.endswith("+json")


def _choice(contents: JsonObject) -> tuple[str, str, Encoder]:
    """The media type as declared, as sent, and how it is written: plain JSON first, then what JSON can stand for."""
    for declared in sorted(contents, key=_rank):
        written = _written(declared)
        if written is not None:
            return declared, *written
    raise UnsupportedBody(f"request bodies of type {' or '.join(contents)} are not supported yet")


def _written(declared: str) -> tuple[str, Encoder] | None:
    """The media type as sent and its encoder; None for one that cannot be written. A range is sent as a type in it."""
    essence = declared.partition(";")[0].strip().lower()
    if is_json(essence) or essence in ("*/*", "application/*"):
        return ("application/json" if "*" in essence else declared), json
    if essence == "application/x-www-form-urlencoded":
        return essence, urlencoded
    if essence in _TEXTUAL or essence.startswith("text/"):
        return ("text/plain" if "*" in essence else declared), plain
    return None


_TEXTUAL = frozenset({"application/xml", "application/x-ndjson", "application/jsonl"})


def _rank(declared: str) -> int:
    essence = declared.partition(";")[0].strip().lower()
    order = ("application/json", "+json", "*/*", "application/*", "application/x-www-form-urlencoded", "text/plain")
    return next((rank for rank, kind in enumerate(order) if essence == kind or (rank == 1 and is_json(essence))), 9)


def _flat(value: JsonValue) -> JsonValue:
    return text(value) if isinstance(value, dict) else value
