"""Values in and out of argument objects, and whether a value fits its slot."""

import math
import re
from collections.abc import Iterator, Mapping

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.models.offline.schema import Path, Slot

_DEEPEST = 20


def fits(slot: Slot, value: JsonValue) -> bool:
    """Whether one scalar may stand in the slot (for an array: may be one of its items)."""
    if slot.options and value not in slot.options:
        return False
    if slot.type == "boolean":
        return isinstance(value, bool)
    if slot.type in ("integer", "number"):
        return _fits_number(slot, value)
    return slot.type == "string" and isinstance(value, str) and _fits_text(slot.schema, value)


def _fits_number(slot: Slot, value: JsonValue) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    if slot.type == "integer" and not isinstance(value, int):
        return False
    return _in_range(slot.schema, value)


def _in_range(schema: JsonObject, value: float) -> bool:
    low, high = _bound(schema, "minimum", -math.inf), _bound(schema, "maximum", math.inf)
    above, below = _bound(schema, "exclusiveMinimum", -math.inf), _bound(schema, "exclusiveMaximum", math.inf)
    step = _bound(schema, "multipleOf", 0)
    return low <= value <= high and above < value < below and (step <= 0 or value % step == 0)


def _bound(schema: JsonObject, name: str, default: float) -> float:
    value: JsonValue = schema.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else default


def _fits_text(schema: JsonObject, value: str) -> bool:
    least, most, pattern = schema.get("minLength", 0), schema.get("maxLength"), schema.get("pattern")
    if not value or len(value) < (least if isinstance(least, int) else 0):
        return False
    if isinstance(most, int) and len(value) > most:
        return False
    return not isinstance(pattern, str) or _matches(pattern, value)


def _matches(pattern: str, value: str) -> bool:
    try:
        return re.search(pattern, value) is not None
    except re.error:
        # An ECMA pattern that Python does not read: the tool's own check decides.
        return True


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


def spoken(value: JsonValue) -> str:
    """A scalar as one would write it: no `.0` behind a whole number, `yes` and `no` for booleans."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
