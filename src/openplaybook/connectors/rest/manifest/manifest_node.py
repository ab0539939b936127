"""A mapping of a manifest while it is read: each key is taken once, with its type, and what is left over is an error.

Errors say the manifest, the place (`entities.customers.list.http`) and what is allowed there.
"""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from types import NoneType
from typing import NoReturn, TypeVar, cast

from openplaybook.jsonvalues import JsonObject, JsonValue

ChoiceT = TypeVar("ChoiceT", bound=Enum)

_WORDS: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a mapping",
    NoneType: "nothing",
    float: "a number",
}


class InvalidManifest(Exception):
    """A manifest is not well formed."""

    def __init__(self, path: str, message: str) -> None:
        """`path` is the manifest's id and the keys that lead to the place."""
        super().__init__(f"{path}: {message}")
        self.path = path


class ManifestNode:
    """A mapping and where it stands."""

    def __init__(self, value: JsonValue, path: str) -> None:
        """Raises `InvalidManifest` for what is no mapping."""
        self.path = path
        self._members = cast(JsonObject, self._checked(value, dict, path))
        self._asked: dict[str, None] = {}

    def __contains__(self, key: str) -> bool:
        self._asked[key] = None
        return key in self._members

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands here, so that nothing need be read."""
        return not self._members

    def keys(self) -> Iterator[str]:
        """Names that stand here, in order."""
        return iter(self._members)

    def take(self, key: str) -> JsonValue:
        """The value of a key, whatever it is; None without one."""
        self._asked[key] = None
        return self._members.get(key)

    def text(self, key: str, default: str = "") -> str:
        """A text; a number stands for its digits."""
        value = self.take(key)
        if value is None or type(value) is str:
            return default if value is None else value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        return self._checked(value, str, self.at(key))

    def required_text(self, key: str) -> str:
        """The same where it must be there."""
        return self.text(key) or self.fail(key, "is required")

    def expression(self, key: str) -> str:
        """A regular expression; empty without one."""
        text = self.text(key)
        try:
            re.compile(text)
        except re.error as error:
            self.fail(key, f"is no regular expression: {error}")
        return text

    def number(self, key: str, default: int = 0) -> int:
        """A whole number."""
        value = self.take(key)
        return default if value is None else self._checked(value, int, self.at(key))

    def flag(self, key: str, *, default: bool = False) -> bool:
        """True or false."""
        value = self.take(key)
        return default if value is None else self._checked(value, bool, self.at(key))

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; a text alone is a list of one."""
        value = self.take(key)
        if value is None:
            return ()
        if isinstance(value, str):
            return (value,)
        items = self._checked(value, list, self.at(key))
        return tuple(
            str(self._checked(each, str, f"{self.at(key)}[{index}]")) if not _is_count(each) else str(each)
            for index, each in enumerate(cast(list[JsonValue], items))
        )

    def mapping(self, key: str) -> JsonObject:
        """A mapping of anything; empty without one."""
        value = self.take(key)
        return {} if value is None else cast(JsonObject, self._checked(value, dict, self.at(key)))

    def child(self, key: str) -> "ManifestNode":
        """A mapping to be read key by key; an empty one without one."""
        value = self.take(key)
        return ManifestNode({} if value is None else value, self.at(key))

    def children(self, key: str) -> list["ManifestNode"]:
        """A list of mappings."""
        value = self.take(key)
        items = [] if value is None else cast(list[JsonValue], self._checked(value, list, self.at(key)))
        return [ManifestNode(each, f"{self.at(key)}[{index}]") for index, each in enumerate(items)]

    def named(self, key: str) -> list[tuple[str, "ManifestNode"]]:
        """A mapping of names to mappings; a name without a value has an empty one."""
        return [
            (name, ManifestNode({} if each is None else each, f"{self.at(key)}.{name}"))
            for name, each in self.mapping(key).items()
        ]

    def choice(self, key: str, kinds: type[ChoiceT], default: ChoiceT) -> ChoiceT:
        """One of an enumeration's values."""
        text = self.text(key)
        if not text:
            return default
        for each in kinds:
            if each.value == text:
                return each
        self.fail(key, f"is {text!r}; one of {', '.join(str(each.value) for each in kinds)} is expected")

    def close(self) -> None:
        """Raises `InvalidManifest` for a key that nobody asked for."""
        unknown = next((key for key in self._members if key not in self._asked), None)
        if unknown is not None:
            raise InvalidManifest(self.path, f"has no key {unknown!r}; there are: {', '.join(self._asked)}")

    def at(self, key: str) -> str:
        """The path of a key."""
        return f"{self.path}.{key}"

    def fail(self, key: str, message: str) -> NoReturn:
        """Raises `InvalidManifest` about a key."""
        raise InvalidManifest(self.at(key), message)

    @staticmethod
    def _checked(value: JsonValue, kind: type[object], path: str) -> JsonValue:
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            found = _WORDS.get(cast(type, type(value)), "something else")
            raise InvalidManifest(path, f"must be {_WORDS[kind]}, not {found}")
        return value


def _is_count(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
