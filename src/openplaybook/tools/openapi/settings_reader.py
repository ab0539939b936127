"""Reading settings: each value with its type and its limits, each fault with its place."""

import re
from collections.abc import Callable
from typing import TypeAlias, cast

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, is_number
from openplaybook.tools.base import Problem

_MOST_TEXTS = 10_000

_SHOWN = 40
"""Characters of a wrong value that a message shows."""

Check: TypeAlias = Callable[[str], str]
"""A text → what is wrong with it; empty when nothing is."""

_DURATION = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s")
"""google.protobuf.Duration in JSON; a negative one is none that anything may take."""


def anything(text: str) -> str:
    """The check that every text passes."""
    return ""


def not_empty(text: str) -> str:
    """The check of a text that has to say something."""
    return "" if text.strip() else "must not be empty"


class SettingsReader:
    """The members of one object. A value that is missing is its default; one that is wrong becomes a problem."""

    def __init__(self, value: JsonValue, path: str, problems: list[Problem]) -> None:
        """Read `value`, which stands at the JSON path `path`; what is wrong is added to `problems`."""
        self.path = path
        self._problems = problems
        self._members: JsonObject = as_object(value)
        if value is not None and not isinstance(value, dict):
            self._wrong(path, "must be an object")

    def text(self, name: str, check: Check = anything, *, required: bool = False) -> str:
        """A text; empty when it is missing."""
        value = self._members.get(name)
        path = f"{self.path}.{name}"
        if value is None or value == "":
            if required:
                self._wrong(path, "is required")
            return ""
        return self._checked(value, path, check)

    def texts(
        self, name: str, check: Check = not_empty, *, required: bool = False, most: int = _MOST_TEXTS
    ) -> tuple[str, ...]:
        """A list of texts, each once, in their order; at most `most` of them."""
        path = f"{self.path}.{name}"
        items = self._list(name)
        if required and not items:
            self._wrong(path, "is required")
        if len(items) > most:
            self._wrong(path, f"has {len(items):,} entries; allowed are {most:,}")
            return ()
        texts = [self._checked(item, f"{path}[{at}]", check) for at, item in enumerate(items)]
        return tuple(dict.fromkeys(text for text in texts if text))

    def texts_by_name(self, name: str) -> dict[str, str]:
        """An object whose members are all texts."""
        path = f"{self.path}.{name}"
        members = self.member(name)._members
        return {key: self._checked(value, f"{path}.{key}", anything) for key, value in members.items()}

    def whole(self, name: str, most: int) -> int:
        """A whole number from 0 to `most`; 0 when it is missing."""
        value = self._members.get(name)
        if value is None:
            return 0
        if not _is_whole(value) or not 0 <= value <= most:
            wanted = f"must be a whole number from 0 (no limit) to {most:,}, not {_shown(value)}"
            self._wrong(f"{self.path}.{name}", wanted)
            return 0
        return int(value)

    def seconds(self, name: str, default: float, most: float) -> float:
        """A duration such as `5s` or `0.5s`, more than nothing and at most `most` seconds."""
        value = self._members.get(name)
        if value is None:
            return default
        match = _DURATION.fullmatch(value) if isinstance(value, str) else None
        if match is None or not 0 < float(match[1]) <= most:
            wanted = f'must be a duration such as "5s", at most "{most:g}s", not {_shown(value)}'
            self._wrong(f"{self.path}.{name}", wanted)
            return default
        return float(match[1])

    def member(self, name: str) -> "SettingsReader":
        """The object that stands there, or an empty one."""
        return SettingsReader(self._members.get(name), f"{self.path}.{name}", self._problems)

    def members(self, name: str) -> list["SettingsReader"]:
        """The objects of a list."""
        return [
            SettingsReader(item, f"{self.path}.{name}[{at}]", self._problems)
            for at, item in enumerate(self._list(name))
        ]

    def _list(self, name: str) -> list[JsonValue]:
        value = self._members.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            self._wrong(f"{self.path}.{name}", "must be a list")
            return []
        return cast(list[JsonValue], value)

    def _checked(self, value: JsonValue, path: str, check: Check) -> str:
        fault = check(value) if isinstance(value, str) else f"must be text, not {_shown(value)}"
        if fault:
            self._wrong(path, fault)
            return ""
        return value

    def _wrong(self, path: str, message: str) -> None:
        self._problems.append(Problem(path, message))


def _is_whole(value: JsonValue) -> bool:
    return is_number(value) and (isinstance(value, int) or value == value // 1)


def _shown(value: JsonValue) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
