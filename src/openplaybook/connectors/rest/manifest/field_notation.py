"""Fields as manifests write them: `{id: key, email: string, created: epoch ro, status: [open, paid], owner: string ->
users}`.

A field is a text of words: first its type (or its only values, `open|paid`), then flags; or a list of its only values;
or a mapping with `type` (such a text), `values`, `description`, `path`, `sent_as`, `default`.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from openplaybook.connectors.base import DataType, Field, FieldReference
from openplaybook.connectors.rest.manifest.kinds import ValueCodec
from openplaybook.connectors.rest.manifest.manifest_node import InvalidManifest, ManifestNode
from openplaybook.connectors.rest.manifest.model import RestField
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list

TYPES: dict[str, tuple[DataType, ValueCodec]] = {
    "string": (DataType.STRING, ValueCodec.PLAIN),
    "text": (DataType.TEXT, ValueCodec.PLAIN),
    "boolean": (DataType.BOOLEAN, ValueCodec.PLAIN),
    "integer": (DataType.INTEGER, ValueCodec.PLAIN),
    "bigint": (DataType.BIGINT, ValueCodec.PLAIN),
    "int64": (DataType.BIGINT, ValueCodec.NUMBER_TEXT),
    "double": (DataType.DOUBLE, ValueCodec.PLAIN),
    "decimal": (DataType.DECIMAL, ValueCodec.PLAIN),
    "decimal_text": (DataType.DECIMAL, ValueCodec.NUMBER_TEXT),
    "date": (DataType.DATE, ValueCodec.PLAIN),
    "time": (DataType.TIME, ValueCodec.PLAIN),
    "timestamp": (DataType.TIMESTAMP_WITH_ZONE, ValueCodec.PLAIN),
    "epoch": (DataType.TIMESTAMP_WITH_ZONE, ValueCodec.EPOCH),
    "epoch_ms": (DataType.TIMESTAMP_WITH_ZONE, ValueCodec.EPOCH_MS),
    "utc": (DataType.TIMESTAMP_WITH_ZONE, ValueCodec.UTC_TEXT),
    "boolean_text": (DataType.BOOLEAN, ValueCodec.BOOLEAN_TEXT),
    "uuid": (DataType.UUID, ValueCodec.PLAIN),
    "binary": (DataType.BINARY, ValueCodec.PLAIN),
    "object": (DataType.STRUCT, ValueCodec.PLAIN),
    "array": (DataType.ARRAY, ValueCodec.PLAIN),
    "csv": (DataType.ARRAY, ValueCodec.CSV),
    "adf": (DataType.TEXT, ValueCodec.ADF),
    "segment": (DataType.STRING, ValueCodec.SEGMENT),
    "text_runs": (DataType.TEXT, ValueCodec.TEXT_RUNS),
    "mail": (DataType.TEXT, ValueCodec.MAIL),
    "date_v2": (DataType.DATE, ValueCodec.SLASH_DATE),
    "datetime_v2": (DataType.TIMESTAMP, ValueCodec.SLASH_DATE),
    "timestamp_v2": (DataType.TIMESTAMP_WITH_ZONE, ValueCodec.SLASH_DATE),
    "json_text": (DataType.STRUCT, ValueCodec.JSON_TEXT),
    "any": (DataType.OTHER, ValueCodec.PLAIN),
}
"""Name of a type in manifests → what it is to clients, and how the system writes it."""

FLAGS = ("key", "ro", "wo", "create", "update", "required", "nofilter", "scope", "outside", "filter")
_FLAGS = frozenset(FLAGS)

_JSON_TYPES = {
    DataType.BOOLEAN: "boolean",
    DataType.INTEGER: "integer",
    DataType.BIGINT: "integer",
    DataType.DOUBLE: "number",
    DataType.STRUCT: "object",
    DataType.ARRAY: "array",
}
_ARGUMENTS = re.compile(r"\([^()]*\)")
"""Of fields of GraphQL, in a path."""
_NAME = re.compile(r"[^\s{}]{1,100}")


def read_fields(node: ManifestNode, key: str) -> tuple[RestField, ...]:
    """The fields under a key, in order."""
    return tuple(read_field(name, each, f"{node.at(key)}.{name}") for name, each in node.mapping(key).items())


def read_field(name: str, value: JsonValue, path: str) -> RestField:
    """One field. Raises `InvalidManifest`."""
    if not _NAME.fullmatch(name):
        raise InvalidManifest(path, "is no name of a field: it has a blank or a brace")
    if isinstance(value, str):
        return from_words(name, value, path)
    if isinstance(value, list):
        return _with_values(from_words(name, "string", path), as_list(value))
    node = ManifestNode(value, path)
    made = from_words(name, node.text("type", "string"), path)
    allowed = as_list(node.take("values"))
    made = _with_values(made, allowed) if allowed else made
    described = replace(made.field, description=node.text("description"), default=node.take("default"))
    given = node.text("path", name)
    bare = _ARGUMENTS.sub("", given)
    made = replace(
        made, field=described, path=bare, sent_as=node.text("sent_as"), selection=given if given != bare else ""
    )
    node.close()
    return made


@dataclass(frozen=True, slots=True)
class _Words:
    """A type, flags and a reference, as they were written."""

    type: str
    is_list: bool
    values: tuple[str, ...]
    flags: frozenset[str]
    target: str


@lru_cache(maxsize=2_000)
def _split(text: str) -> _Words:
    """The words of a field; the same few are written over and over."""
    words, _, target = (part.strip() for part in text.partition("->"))
    first, *flags = words.split() or ["string"]
    if first == "key":
        first, flags = "string", ["key", "ro", *flags]
    values = tuple(first.split("|")) if "|" in first else ()
    first = "string" if values else first
    return _Words(first.removesuffix("[]"), first.endswith("[]"), values, frozenset(flags), target)


def from_words(name: str, text: str, path: str) -> RestField:
    """A field of words such as `string[] required` or `string ro -> users.id`."""
    words = _split(text)
    flags = words.flags
    if words.type not in TYPES:
        raise InvalidManifest(path, f"has the type {words.type!r}; one of {', '.join(TYPES)} is expected, also with []")
    if not flags <= _FLAGS:
        unknown = min(flags - _FLAGS)
        raise InvalidManifest(path, f"has the flag {unknown!r}; one of {', '.join(FLAGS)} is expected")
    data_type, codec = TYPES[words.type]
    is_given = "wo" not in flags and "filter" not in flags
    made = Field(
        name=name,
        data_type=DataType.ARRAY if words.is_list else data_type,
        is_key="key" in flags,
        is_nullable="key" not in flags and "required" not in flags,
        is_read_only="ro" in flags or "filter" in flags,
        is_filterable="nofilter" not in flags and "wo" not in flags,
        is_given=is_given,
        values=words.values,
        is_required="required" in flags or ("scope" in flags and "ro" not in flags),
        schema=_list_schema(data_type) if words.is_list else None,
        reference=_reference(words.target) if words.target else None,
    )
    return RestField(
        field=made,
        path=name,
        codec=codec,
        is_write_only=not is_given,
        is_create_only="create" in flags or "scope" in flags,
        is_update_only="update" in flags,
        is_scope="scope" in flags,
        is_outside="outside" in flags,
    )


def _with_values(made: RestField, values: list[JsonValue]) -> RestField:
    return replace(made, field=replace(made.field, values=tuple(values)))


def _list_schema(data_type: DataType) -> JsonObject:
    return {"type": "array", "items": {"type": _JSON_TYPES.get(data_type, "string")}}


def _reference(target: str) -> FieldReference:
    entity, _, name = target.partition(".")
    return FieldReference(entity, name or "id")
