"""Equal parts of a large description, kept once: generated ones repeat themselves for most of their length."""

from collections.abc import Hashable
from typing import TypeAlias, cast

from openplaybook.jsonvalues import JsonObject, JsonValue

_Known: TypeAlias = dict[Hashable, JsonValue]


def with_equal_parts_shared(value: JsonValue) -> JsonValue:
    """`value` with one object for all that are equal, member order included. Takes a second for 40 MB.

    Changes `value` itself, so that never two whole copies exist.
    """
    return _shared(value, {}) if isinstance(value, dict | list) else value


def _shared(value: JsonValue, known: _Known) -> JsonValue:
    items = cast(JsonObject, value).items() if isinstance(value, dict) else enumerate(cast(list[JsonValue], value))
    parts: list[Hashable] = [isinstance(value, dict)]
    for key, item in items:
        if isinstance(item, dict | list):
            item = _shared(item, known)
        elif isinstance(item, str):
            item = known.setdefault(item, item)
        else:
            # By their spelling: 1, 1.0 and true are equal.
            parts.append((key, repr(item)))
            continue
        value[key] = item
        # What is equal is one object by now, and stays alive in `known`.
        parts.append((key, id(item)))
    return known.setdefault(tuple(parts), value)
