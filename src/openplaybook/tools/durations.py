"""Durations of resources (`google.protobuf.Duration` in JSON: `30s`, `1.5s`), in seconds."""

import re

from openplaybook.jsonvalues import JsonValue
from openplaybook.tools.base import InvalidTool, Problem

_SECONDS = re.compile(r"([0-9]{1,6}(?:[.][0-9]{1,9})?)s")


def seconds_of(value: JsonValue, path: str, usual: float) -> float:
    """The duration at a JSON path, or the usual one where none is given. Raises `InvalidTool`."""
    if value is None:
        return usual
    found = _SECONDS.fullmatch(value) if isinstance(value, str) else None
    if found is None or not float(found[1]):
        raise InvalidTool([Problem(path, f"must be a duration above zero, such as 30s; got {value!r}")])
    return float(found[1])
