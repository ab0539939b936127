"""Numbers that lost their type on the way: a protobuf Struct holds every number as a double."""

from decimal import Decimal
from typing import cast

from openplaybook.jsonvalues import JsonObject, JsonValue

_EXACT = 2.0**53
_PLAIN = frozenset({str, int, bool, type(None)})
"""Types whose values stay as they are: most values, and asking is cheaper than calling."""


def restore_integers(value: JsonValue) -> JsonValue:
    """`value` with every float that is a whole number (up to 2^53) as an integer, at any depth; a `Decimal` too.

    JSON makes no difference between 3.0 and 3, so nothing is lost for a schema of type number either.
    """
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) <= _EXACT else value
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else value
    if isinstance(value, dict):
        members = cast(JsonObject, value)
        return {key: item if type(item) in _PLAIN else restore_integers(item) for key, item in members.items()}
    if isinstance(value, list):
        items = cast(list[JsonValue], value)
        return [item if type(item) in _PLAIN else restore_integers(item) for item in items]
    return value
