"""What the data of a document may be, before anything is made of them: how deep, and how long the names of fields.

A field is known by the names of all objects around it. What is shown and searched of a record repeats them for each
value, so that a few megabytes with long names outermost would become as many gigabytes.
"""

from typing import cast

from openplaybook.jsonvalues import JsonObject, JsonValue, is_deep
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.records.source_lines import RecordLimits

_LIMITS = RecordLimits()
_FEW = 1_000
"""Fields whose names come to less than may be, if each of them does."""


def judge_data(data: JsonValue, limits: RecordLimits = _LIMITS, what: str = "its") -> None:
    """Raise `InvalidSource` for data beyond the limits; `what` stands before `objects` and `fields` in the sentence."""
    if isinstance(data, dict) and _is_plain(cast(JsonObject, data), limits):
        return
    if is_deep(data, limits.max_depth):
        raise InvalidSource(f"{what} objects and arrays lie in each other more than {limits.max_depth} levels deep")
    repeated = _repeated_names(data, limits, what)
    if repeated > limits.max_names:
        raise InvalidSource(
            f"the names of {what} fields, written out for each value, have more than {limits.max_names:,} characters"
        )


def _is_plain(data: JsonObject, limits: RecordLimits) -> bool:
    """Whether data have few fields with short names and nothing within these, as most records."""
    if len(data) > _FEW or max(map(len, data), default=0) >= limits.max_path:
        return False
    return not any(isinstance(value, dict | list) for value in data.values())


def _repeated_names(data: JsonValue, limits: RecordLimits, what: str) -> int:
    """Characters of the dotted names of all values."""
    repeated = 0
    left: list[tuple[JsonValue, int]] = [(data, 0)]
    while left:
        value, length = left.pop()
        if isinstance(value, dict):
            for name, item in cast(JsonObject, value).items():
                inner = length + len(name) + 1
                if inner > limits.max_path:
                    raise InvalidSource(
                        f"one of {what} fields has a name of more than {limits.max_path:,} characters, with those of "
                        f"the objects around it: {name[:40]!r}"
                    )
                left.append((item, inner))
        elif isinstance(value, list):
            left.extend((item, length) for item in cast(list[JsonValue], value))
        else:
            repeated += length
    return repeated
