"""Values in and out of argument objects, and whether a value fits its slot."""

import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

import jsonschema_rs

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, is_number
from openplaybook.models.offline.slots.slot_schema import Path, Slot

_DEEPEST = 20
_MAX_MATCHED = 2_000
"""Characters of a text that is held against a pattern; the tool judges longer ones."""
_MAX_STEPS = 2_000
"""Of backtracking, before a pattern counts as one that does not match."""
_MAX_BYTES = 50_000
"""Of a compiled pattern; the tool judges by larger ones."""


def fits(slot: Slot, value: JsonValue) -> bool:
    """Whether one scalar may stand in the slot (for an array: may be one of its items)."""
    if slot.options and not any(_is_same(value, option) for option in slot.options):
        return False
    if slot.type == "boolean":
        return isinstance(value, bool)
    if slot.type in ("integer", "number"):
        return _fits_number(slot, value)
    return slot.type == "string" and isinstance(value, str) and _fits_text(slot.schema, value)


def may_stand(slot: Slot, value: JsonValue) -> bool:
    """Whether a slot may have a value; one without a type may have any."""
    if value is None or not slot.type:
        return value is not None
    if slot.is_array:
        items = as_list(value)
        return bool(items) and all(fits(slot, item) for item in items)
    return fits(slot, value)


def _is_same(one: JsonValue, other: JsonValue) -> bool:
    """Whether two JSON values are equal, which `true` and `1` are not."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _fits_number(slot: Slot, value: JsonValue) -> bool:
    if not is_number(value):
        return False
    if slot.type == "integer" and not isinstance(value, int):
        return False
    return _in_range(slot.schema, value)


def _in_range(schema: JsonObject, value: float | Decimal) -> bool:
    low, high = _bound(schema, "minimum", -math.inf), _bound(schema, "maximum", math.inf)
    above, below = _bound(schema, "exclusiveMinimum", -math.inf), _bound(schema, "exclusiveMaximum", math.inf)
    step = _bound(schema, "multipleOf", 0)
    return low <= value <= high and above < value < below and (step <= 0 or _is_multiple(value, step))


def _is_multiple(value: float | Decimal, step: float | Decimal) -> bool:
    """Whether a number is a whole multiple as it is written: 19.99 of 0.01, although binary fractions say no."""
    if any(isinstance(each, float) and not math.isfinite(each) for each in (value, step)):
        return False
    return (Fraction(str(value)) / Fraction(str(step))).denominator == 1


def _bound(schema: JsonObject, name: str, default: float) -> float | Decimal:
    value: JsonValue = schema.get(name)
    return value if is_number(value) else default


def _fits_text(schema: JsonObject, value: str) -> bool:
    least, most, pattern = schema.get("minLength", 0), schema.get("maxLength"), schema.get("pattern")
    if not value or len(value) < (least if isinstance(least, int) else 0):
        return False
    if isinstance(most, int) and len(value) > most:
        return False
    return not isinstance(pattern, str) or _matches(pattern, value)


def _matches(pattern: str, value: str) -> bool:
    if len(value) > _MAX_MATCHED:
        return True
    validator = _validator(pattern)
    return validator is None or validator.is_valid(value)


@lru_cache(maxsize=256)
def _validator(pattern: str) -> jsonschema_rs.Draft202012Validator | None:
    """Checks a pattern in ECMA's dialect, for a limited time; None for one it cannot read, which the tool judges."""
    try:
        options = jsonschema_rs.FancyRegexOptions(_MAX_STEPS, _MAX_BYTES, _MAX_BYTES)
        return jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True, pattern_options=options)
    except ValueError:
        return None


def put(arguments: JsonObject, path: Path, value: JsonValue) -> None:
    """Set the value at `path`, making the objects above it."""
    for name in path[:-1]:
        arguments = arguments.setdefault(name, {})
    arguments[path[-1]] = value


def pick(value: JsonValue, path: Path) -> JsonValue:
    """The value at `path`, or None."""
    for name in path:
        value = as_object(value).get(name)
    return value


def arguments_of(filled: Mapping[Path, JsonValue]) -> JsonObject:
    """The argument object of filled slots."""
    arguments: JsonObject = {}
    for path, value in filled.items():
        put(arguments, path, value)
    return arguments


def leaves(value: JsonValue, path: Path = ()) -> Iterator[tuple[Path, JsonValue]]:
    """Every scalar, and every array of scalars as a whole, with its path through objects; nothing nested deeper
    than 20 objects."""
    if isinstance(value, dict):
        for name, member in as_object(value).items() if len(path) < _DEEPEST else ():
            yield from leaves(member, (*path, name))
    elif isinstance(value, list):
        items = as_list(value)
        if items and not any(isinstance(item, dict | list) for item in items):
            yield path, items
    elif value is not None:
        yield path, value


def scalars(value: JsonValue) -> Iterator[JsonValue]:
    """Every scalar, through objects and arrays, in order."""
    if isinstance(value, dict):
        for member in as_object(value).values():
            yield from scalars(member)
    elif isinstance(value, list):
        for item in as_list(value):
            yield from scalars(item)
    elif value is not None:
        yield value


def spoken(value: JsonValue) -> str:
    """A scalar as one would write it: no `.0` behind a whole number, `yes` and `no` for booleans."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
