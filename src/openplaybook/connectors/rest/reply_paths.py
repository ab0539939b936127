"""Paths into replies and bodies, as manifests write them: `data.items`, `errors[0].message`, `[0].code`,
`labels[*].name` (of each), `headers[name=Subject].value` (of the first whose member has this value), `header.Location`.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

HEADER = "header."
_STEP = re.compile(r"\[(-?\d+)\]|(\[\*\])|\[(\w+)=([^\]]*)\]|([^.\[\]]+)")
_EACH = "[*]"
_ANY = "*"
"""Whichever member of an object leads to something: `data.*.userErrors`."""
_IN_ARRAYS = re.compile(r"\[(\d+|\*|\w+=[^\]]*)\]")
_MOST_PLACES = 100
"""Of an array that a path makes."""


@dataclass(frozen=True, slots=True)
class _Holder:
    """The first object of an array whose member is a text, in any case."""

    member: str
    text: str

    def among(self, found: JsonValue) -> JsonValue:
        return next((each for each in as_list(found) if self._suits(as_object(each).get(self.member))), None)

    def _suits(self, value: JsonValue) -> bool:
        return str(value).casefold() == self.text.casefold() and value is not None


@lru_cache(maxsize=2_000)
def _steps(path: str) -> tuple[str | int | _Holder, ...]:
    return tuple(_step(found) for found in _STEP.finditer(path))


def _step(found: re.Match[str]) -> str | int | _Holder:
    if found[1]:
        return int(found[1])
    return _Holder(found[3], found[4]) if found[3] else found[2] or found[5]


@lru_cache(maxsize=2_000)
def is_member(path: str) -> bool:
    """Whether a path is no more than the name of a member."""
    return _steps(path) == (path,) and path not in (_ANY, _EACH)


def value_at(value: JsonValue, path: str) -> JsonValue:
    """What a path leads to; None where there is nothing. An empty path leads to the value itself; a member that has the
    whole path for its name comes first."""
    if not path:
        return value
    if type(value) is dict:
        members = as_object(value)
        if path in members:
            return members[path]
    return _led(value, _steps(path))


def _led(value: JsonValue, steps: tuple[str | int | _Holder, ...]) -> JsonValue:
    found: JsonValue = value
    for number, step in enumerate(steps):
        if step == _ANY:
            inner = [_led(each, steps[number + 1 :]) for each in as_object(found).values()]
            return next((each for each in inner if each not in (None, "", [], {})), None)
        if step == _EACH:
            rest = steps[number + 1 :]
            return [_led(each, rest) for each in as_list(found)] if isinstance(found, list) else None
        if isinstance(step, _Holder):
            found = step.among(found) if isinstance(found, list) else None
        elif isinstance(step, int):
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
    """Set a member, with the objects and arrays that lead to it: `names[0].first` is a member of an array's first
    object, `fields[id=7].value` of the one that says so, `emails[*].value` makes an object for each value of a list. A
    path that begins with a dot is a name as a whole, such as Dropbox's `.tag`."""
    found = _IN_ARRAYS.search(path)
    if found is not None and path[: found.start()]:
        _put_in_array(target, path[: found.start()], found[1], path[found.end() :].removeprefix("."), value)
        return
    # OData's annotations have dots in their names, too: `owner@odata.bind`.
    before, at, annotation = path.partition("@")
    *parents, last = [before] if path.startswith(".") else before.split(".")
    last += at + annotation
    for name in parents:
        inner = as_object(target.get(name))
        target[name] = inner
        target = inner
    target[last] = value


def _put_in_array(target: JsonObject, path: str, place: str, rest: str, value: JsonValue) -> None:
    is_each = place == _EACH.strip("[]")
    items = [] if is_each else as_list(value_at(target, path))
    values = as_list(value) if is_each and isinstance(value, list) else [value]
    first = 0 if is_each else _place_in(items, place)
    for number, each in enumerate(values, first):
        items += [{} for _ in range(number + 1 - len(items))]
        if rest:
            inner = as_object(items[number])
            put_at(inner, rest, each)
            items[number] = inner
        else:
            items[number] = each
    put_at(target, path, items)


def _place_in(items: list[JsonValue], place: str) -> int:
    """The index that is meant; for `member=text` an object with this member is added where none has it."""
    member, equals, text = place.partition("=")
    if not equals:
        return min(int(place), _MOST_PLACES)
    holder = _Holder(member, text).among(items)
    if holder is None:
        items.append({member: text})
        return len(items) - 1
    return items.index(holder)
