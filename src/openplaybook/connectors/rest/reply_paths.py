"""Paths into replies, as manifests write them: `data.items`, `errors[0].message`, `[0].code`,
`labels[*].name` (of each), `header.Location`.
"""

import re
from functools import lru_cache

from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

HEADER = "header."
_STEP = re.compile(r"\[(-?\d+)\]|(\[\*\])|([^.\[\]]+)")
_EACH = "[*]"


@lru_cache(maxsize=2_000)
def _steps(path: str) -> tuple[str | int, ...]:
    return tuple(int(found[1]) if found[1] else found[2] or found[3] for found in _STEP.finditer(path))


def value_at(value: JsonValue, path: str) -> JsonValue:
    """What a path leads to; None where there is nothing. An empty path leads to the value itself; a member that has the
    whole path for its name comes first."""
    if not path:
        return value
    if path in as_object(value):
        return as_object(value)[path]
    return _led(value, _steps(path))


def _led(value: JsonValue, steps: tuple[str | int, ...]) -> JsonValue:
    found: JsonValue = value
    for number, step in enumerate(steps):
        if step == _EACH:
            rest = steps[number + 1 :]
            return [_led(each, rest) for each in as_list(found)] if isinstance(found, list) else None
        if isinstance(step, int):
            items = as_list(found)
            found = items[step] if -len(items) <= step < len(items) else None
        else:
            found = as_object(found).get(step)
    return found


def reply_value(response: HttpResponse, reply: JsonValue, path: str) -> JsonValue:
    """The same in a response: `header.NAME` leads to a header."""
    if path.startswith(HEADER):
        return response.header(path.removeprefix(HEADER)) or None
    return value_at(reply, path)


def first_text(value: JsonValue, paths: tuple[str, ...]) -> str:
    """The first path that leads to a text or a number, as text; empty without one."""
    for path in paths:
        found = value_at(value, path)
        if isinstance(found, list) and found and isinstance(found[0], str):
            found = "; ".join(str(each) for each in as_list(found))
        if isinstance(found, str | int) and not isinstance(found, bool) and found != "":
            return str(found)
    return ""


def put_at(target: JsonObject, path: str, value: JsonValue) -> None:
    """Set a member, with the objects that lead to it; indices are not allowed."""
    *parents, last = path.split(".")
    for name in parents:
        inner = as_object(target.get(name))
        target[name] = inner
        target = inner
    target[last] = value
