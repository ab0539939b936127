"""JSON as the type checker sees it, and the one pair of functions that reads and writes it.

No room owns this module; every room may use it.
"""

from typing import Any, TypeAlias, cast

import orjson

JsonValue: TypeAlias = Any
"""Any JSON value: its shape is data (a schema, a tool's answer), which no static type can state."""

JsonObject: TypeAlias = dict[str, JsonValue]
"""A JSON object with string keys."""


def dumps(value: JsonValue) -> bytes:
    """Compact UTF-8 JSON; integers beyond 64 bits are refused with `TypeError`."""
    return orjson.dumps(value)


def dumps_sorted(value: JsonValue) -> bytes:
    """The same with keys in order: equal values give equal bytes."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def loads(text: bytes | memoryview | str) -> JsonValue:
    """The value of a JSON text; `ValueError` says where it is malformed."""
    return orjson.loads(text)


def as_object(value: JsonValue) -> JsonObject:
    """`value` when it is an object, else an empty one (a lenient view of foreign documents)."""
    return cast(JsonObject, value) if isinstance(value, dict) else {}


def as_list(value: JsonValue) -> list[JsonValue]:
    """`value` when it is an array, else an empty one (a lenient view of foreign documents)."""
    return cast(list[JsonValue], value) if isinstance(value, list) else []


def is_large(value: JsonValue, most: int) -> bool:
    """Whether texts and values come to more than `most` characters, roughly as in JSON, a part that is shared counted
    as often as it stands there."""
    left: list[JsonValue] = [value]
    size = 0
    while left and size <= most:
        part = left.pop()
        if isinstance(part, dict):
            left += as_object(part).values()
            size += sum(map(len, as_object(part)))
        elif isinstance(part, list):
            left += as_list(part)
        size += len(part) if isinstance(part, str) else 4
    return size > most


def is_deep(value: JsonValue, levels: int) -> bool:
    """Whether arrays and objects lie within each other in more than `levels` levels."""
    layer: list[JsonValue] = [value] if isinstance(value, dict | list) else []
    for _ in range(levels):
        # By identity: a part that a document shares is looked into once in each layer.
        inner: dict[int, JsonValue] = {}
        for outer in layer:
            for item in as_object(outer).values() if isinstance(outer, dict) else as_list(outer):
                if isinstance(item, dict | list):
                    inner[id(cast(object, item))] = item
        if not inner:
            return False
        layer = list(inner.values())
    return bool(layer)
