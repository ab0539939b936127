"""Values → the narrowest OpenAPI 3.0 schema that plainly holds for all of them."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TypeAlias

from openplaybook.drafting.api_words import words_of
from openplaybook.drafting.text_formats import format_of, is_identifier
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.telemetry.redaction import is_secret_name

SeenValue: TypeAlias = tuple[int, JsonValue]
"""A value, and the number of the sample it was seen in."""

MAX_DEPTH = 24
"""Objects and arrays within each other that are described; what lies deeper may be anything."""

_INT32, _INT64 = 2**31, 2**63
_MIN_CODES = 12
"""Keys of one form, such as `EUR` and `USD`, from which on they are taken for values."""
_MIN_SAMPLES = 3
_MIN_VALUES = 8
_MAX_OPTIONS = 6
_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}", re.ASCII)
_FREE = frozenset(
    {"id", "ids", "name", "title", "description", "text", "message", "comment", "note", "query", "search", "user"}
    | {"username", "city", "street", "country", "author", "owner", "label", "key", "value", "url", "email", "phone"}
)


def schema_of(seen: Sequence[SeenValue], name: str = "", depth: int = 0) -> JsonObject:
    """The schema of values under one name. None at all gives `{}`, nulls alone `{"nullable": true}`."""
    if depth > MAX_DEPTH:
        return {"description": "Nested more deeply than this schema describes."}
    by_type = partitioned(seen)
    has_null = by_type.pop("null", None) is not None
    if "number" in by_type:
        by_type["number"] += by_type.pop("integer", [])
    schemas = [_OF_TYPE[kind](values, name, depth) for kind, values in by_type.items()]
    schema = schemas[0] if len(schemas) == 1 else {"anyOf": schemas} if schemas else {}
    return nullable(schema) if has_null else schema


def nullable(schema: JsonObject) -> JsonObject:
    """The schema with null allowed too, which an enumeration has to name (OAS 3.0.3, proposal of 2019-10-31)."""
    if "anyOf" in schema:
        first, *others = schema["anyOf"]
        return {**schema, "anyOf": [nullable(first), *others]}
    options = {"enum": [*schema["enum"], None]} if "enum" in schema and None not in schema["enum"] else {}
    return {**schema, **options, "nullable": True}


def partitioned(seen: Iterable[SeenValue]) -> dict[str, list[SeenValue]]:
    """Values by JSON type, in order of their first appearance; a number written with a point is no integer."""
    by_type: dict[str, list[SeenValue]] = {}
    for each in seen:
        by_type.setdefault(type_of(each[1]), []).append(each)
    return by_type


def type_of(value: JsonValue) -> str:
    """The JSON type of a value, `integer` told from `number` by how it was written."""
    return _TYPES[type(value)]


_TYPES: Mapping[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    Decimal: "number",
    str: "string",
    list: "array",
    dict: "object",
}


def members(objects: Sequence[SeenValue]) -> dict[str, list[SeenValue]]:
    """The values of each member of the objects, members in order of their first appearance."""
    by_key: dict[str, list[SeenValue]] = {}
    for sample, value in objects:
        for key, member in as_object(value).items():
            by_key.setdefault(key, []).append((sample, member))
    return by_key


def items(arrays: Sequence[SeenValue]) -> list[SeenValue]:
    """The items of all arrays."""
    return [(sample, item) for sample, value in arrays for item in as_list(value)]


def is_map(by_key: Mapping[str, Sequence[SeenValue]]) -> bool:
    """Whether the keys of objects are values rather than names: identifiers, or many codes of one form."""
    if not by_key:
        return False
    if all(map(is_identifier, by_key)):
        return True
    lengths, forms = {len(key) for key in by_key}, {(key.isalpha(), key.isupper(), key.islower()) for key in by_key}
    types = {type_of(value) for values in by_key.values() for _, value in values}
    return len(by_key) >= _MIN_CODES and len(lengths) == len(forms) == len(types) == 1 and max(lengths) <= 4


def _object(seen: list[SeenValue], name: str, depth: int) -> JsonObject:
    by_key = members(seen)
    if is_map(by_key):
        values = [each for listed in by_key.values() for each in listed]
        return {"type": "object", "additionalProperties": schema_of(values, name, depth + 1)}
    schema: JsonObject = {"type": "object"}
    if by_key:
        schema["properties"] = {key: schema_of(values, key, depth + 1) for key, values in by_key.items()}
    # A key occurs once in an object, so as many values as objects means that it is in each.
    if always := [key for key, values in by_key.items() if len(values) == len(seen)]:
        schema["required"] = always
    return schema


def _array(seen: list[SeenValue], name: str, depth: int) -> JsonObject:
    return {"type": "array", "items": schema_of(items(seen), name, depth + 1)}


def _string(seen: list[SeenValue], name: str, depth: int) -> JsonObject:
    schema: JsonObject = {"type": "string"}
    if options := _options(seen, name):
        return {**schema, "enum": options}
    kind = format_of(str(value) for _, value in seen)
    return {**schema, "format": kind} if kind else schema


def _options(seen: Sequence[SeenValue], name: str) -> list[str]:
    """The values allowed for a text called `name`, sorted; empty without good evidence.

    That is: several samples, many values, few different ones, each met again, all of them words as programs write
    them, under a name that does not promise anything a person may write.
    """
    words = words_of(name)
    if not words or words[-1] in _FREE or is_secret_name(name):
        return []
    if len(seen) < _MIN_VALUES or len({sample for sample, _ in seen}) < _MIN_SAMPLES:
        return []
    counts = Counter(str(value) for _, value in seen)
    if not 1 < len(counts) <= min(_MAX_OPTIONS, len(seen) // 3) or min(counts.values()) < 2:
        return []
    return sorted(counts) if all(map(_TOKEN.fullmatch, counts)) else []


def _integer(seen: list[SeenValue], name: str, depth: int) -> JsonObject:
    least, most = min(value for _, value in seen), max(value for _, value in seen)
    is_long = least < -_INT32 or most >= _INT32
    fits = least >= -_INT64 and most < _INT64
    return {"type": "integer", "format": "int64"} if is_long and fits else {"type": "integer"}


def _number(seen: list[SeenValue], name: str, depth: int) -> JsonObject:
    return {"type": "number"}


def _boolean(seen: list[SeenValue], name: str, depth: int) -> JsonObject:
    return {"type": "boolean"}


_OF_TYPE: Mapping[str, Callable[[list[SeenValue], str, int], JsonObject]] = {
    "object": _object,
    "array": _array,
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
}
