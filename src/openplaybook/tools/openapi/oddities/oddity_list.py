"""Where oddities are, and those that were found."""

from typing import TypeAlias

from openplaybook.jsonvalues import JsonValue
from openplaybook.tools.base import Problem

Place: TypeAlias = "tuple[Place, str] | None"
"""The place of what holds it, and the step from there, such as `.get` or `[0]`; None is the document.

Made a text only where something is found: a description has a million places."""

_MOST = 2_000
"""Oddities of a description that are told."""
_LONGEST = 100
"""Characters of a name that a message shows."""


class OddityList:
    """Collects what is found, up to a limit."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    @property
    def is_full(self) -> bool:
        """Whether no more is told."""
        return len(self.problems) > _MOST

    def tell(self, place: Place, message: str) -> None:
        """Remember an oddity, once."""
        if len(self.problems) < _MOST:
            self.problems.append(Problem(path(place), message, is_error=False))
        elif not self.is_full:
            self.problems.append(
                Problem("$", f"there are more than {_MOST:,} oddities; the rest is not shown", is_error=False)
            )


def path(place: Place) -> str:
    """The JSON path of a place."""
    steps: list[str] = []
    while place is not None:
        place, step = place
        steps.append(step)
    return "$" + "".join(reversed(steps))


def cut(value: JsonValue) -> str:
    """A name as a message shows it."""
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def kind(value: JsonValue) -> str:
    """What a value is, in a word or two."""
    match value:
        case bool():
            return "true" if value else "false"
        case dict():
            return "an object"
        case list():
            return "a list"
        case str():
            return f"the text {cut(value)!r}"
        case _:
            return cut(value)
