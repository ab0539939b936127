"""Descriptions with something wrong in them: a member renamed, taken away, moved, or with another value."""

import random
from copy import deepcopy
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_VALUES: tuple[JsonValue, ...] = (None, True, -1, 1.5, "", "x", "intger", [], {}, [{}], {"$ref": "#"}, {"$ref": "#/no"})
_Holder: TypeAlias = "JsonObject | list[JsonValue]"


def mutated(root: JsonObject, random_: random.Random, count: int) -> JsonObject:
    """A copy of a description with `count` random changes."""
    copy = deepcopy(root)
    for _ in range(count):
        _change(copy, random_)
    return copy


def _change(root: JsonObject, random_: random.Random) -> None:
    holder = _some_holder(root, random_)
    if isinstance(holder, list):
        if holder:
            holder[random_.randrange(len(holder))] = deepcopy(random_.choice(_VALUES))
        return
    key = random_.choice(list(holder))
    match random_.randrange(5):
        case 0:
            del holder[key]
        case 1:
            holder[_misspelt(key, random_)] = holder.pop(key)
        case 2:
            other = _some_holder(root, random_)
            holder[key] = deepcopy(other) if len(str(other)) < 5_000 else {}
        case _:
            holder[key] = deepcopy(random_.choice(_VALUES))


def _some_holder(root: JsonObject, random_: random.Random) -> _Holder:
    """An object with members or a list, at a random depth."""
    current: JsonValue = root
    for _ in range(random_.randrange(1, 12)):
        inner = [each for each in (*as_object(current).values(), *as_list(current)) if each and _holds(each)]
        if not inner:
            break
        current = random_.choice(inner)
    return current if isinstance(current, list) else as_object(current) or root


def _holds(value: JsonValue) -> bool:
    return isinstance(value, dict | list)


def _misspelt(name: str, random_: random.Random) -> str:
    at = random_.randrange(len(name) + 1)
    return random_.choice((name[:at] + name[at + 1 :], name[:at] + "x" + name[at:], name.upper(), name.title(), ""))
