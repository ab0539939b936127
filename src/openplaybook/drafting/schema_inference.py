"""Values → the narrowest OpenAPI 3.0 schema that plainly holds for all of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal

from openplaybook.drafting.enums import SeenValue, options_of
from openplaybook.drafting.text_formats import format_of, is_identifier
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

MAX_DEPTH = 24
"""Objects and arrays within each other that are described; what lies deeper may be anything."""

_INT32, _INT64 = 2**31, 2**63
_MIN_CODES = 12
"""Keys of one form, such as `EUR` and `USD`, from which on they are taken for values."""


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
    found: dict[str, list[SeenValue]] = {}
    for each in seen:
        found.setdefault(type_of(each[1]), []).append(each)
    return found


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
    found: dict[str, list[SeenValue]] = {}
    for sample, value in objects:
        for key, member in as_object(value).items():
            found.setdefault(key, []).append((sample, member))
    return found


def items(arrays: Sequence[SeenValue]) -> list[SeenValue]:
    """The items of all arrays."""
    return [(sample, item) for sample, value in arrays for item in as_list(value)]


def is_map(found: Mapping[str, Sequence[SeenValue]]) -> bool:
    """Whether the keys of objects are values rather than names: identifiers, or many codes of one form."""
    if not found:
        return False
    if all(map(is_identifier, found)):
        return True
    lengths, forms = {len(key) for key in found}, {(key.isalpha(), key.isupper(), key.islower()) for key in found}
    types = {type_of(value) for values in found.values() for _, value in values}
    return len(found) >= _MIN_CODES and len(lengths) == len(forms) == len(types) == 1 and max(lengths) <= 4


def _object(seen: list[SeenValue], name: str, depth: int) -> JsonObject:
    found = members(seen)
    if is_map(found):
        values = [each for listed in found.values() for each in listed]
        return {"type": "object", "additionalProperties": schema_of(values, name, depth + 1)}
    schema: JsonObject = {"type": "object"}
    if found:
        schema["properties"] = {key: schema_of(values, key, depth + 1) for key, values in found.items()}
    # A key occurs once in an object, so as many values as objects means that it is in each.
    if always := [key for key, values in found.items() if len(values) == len(seen)]:
        schema["required"] = always
    return schema


def _array(seen: list[SeenValue], name: str, depth: int) -> JsonObject:
    return {"type": "array", "items": schema_of(items(seen), name, depth + 1)}


def _string(seen: list[SeenValue], name: str, depth: int) -> JsonObject:
    schema: JsonObject = {"type": "string"}
    if options := options_of(seen, name):
        return {**schema, "enum": options}
    kind = format_of(str(value) for _, value in seen)
    return {**schema, "format": kind} if kind else schema


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
