"""What is different between two JSON values, place by place."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.recordings.matchers import fits


class Absent:
    """In place of a value that is not there."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT = Absent()


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    """One thing that is not as recorded."""

    where: str
    """`pets.getPet $.petId`, `says`, `enters Returns`."""
    expected: JsonValue | Absent
    happened: JsonValue | Absent

    def to_json(self) -> JsonObject:
        """For programs; a side that is not there is left out."""
        sides = {"expected": self.expected, "happened": self.happened}
        return {"where": self.where, **{name: side for name, side in sides.items() if not isinstance(side, Absent)}}


def differences(where: str, expected: JsonValue, happened: JsonValue, path: str = "$") -> Iterator[ReplayDifference]:
    """What differs between two JSON values, each with its JSON path; marks fit everything."""
    if fits(expected, happened):
        return
    if isinstance(expected, dict) and isinstance(happened, dict):
        ones, others = as_object(expected), as_object(happened)
        for name in dict.fromkeys([*ones, *others]):
            yield from _member(where, ones.get(name, ABSENT), others.get(name, ABSENT), f"{path}{_step(name)}")
        return
    one, other = as_list(expected), as_list(happened)
    if not one or len(one) != len(other):
        yield ReplayDifference(f"{where} {path}", cast(JsonValue, expected), happened)
        return
    for index, pair in enumerate(zip(one, other, strict=True)):
        yield from differences(where, *pair, f"{path}[{index}]")


def _member(
    where: str, expected: JsonValue | Absent, happened: JsonValue | Absent, path: str
) -> Iterator[ReplayDifference]:
    if isinstance(expected, Absent) or isinstance(happened, Absent):
        yield ReplayDifference(f"{where} {path}", expected, happened)
    else:
        yield from differences(where, expected, happened, path)


def _step(name: str) -> str:
    return f".{name}" if name.isidentifier() else f"[{name!r}]"
