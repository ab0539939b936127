"""Numbers of YAML texts with all their digits: the fast parser makes doubles of those that are beyond 64 bits.

Each that may be long gets a tag of its own, by which the parser hands over what is written there. A tag that came to
stand within a longer text is taken out of it again.
"""

import re
from collections.abc import Callable, Hashable
from decimal import Decimal
from secrets import token_hex
from typing import cast

import yaml12

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.jsonvalues import JsonValue, number_of

_DECIMAL = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
_NUMBER = re.compile(rf"{_DECIMAL}|0x[0-9a-fA-F]+|0o[0-7]+")
"""YAML 1.2.2 §10.3.2, finite ones."""

_LONG = re.compile(
    r"(?<![^\s\[{,:])((?:[!&][^\s,\[\]{}]*[ \t]+)*)"
    rf"(?=[-+]?[0-9.]{{17}}|[-+]?[0-9.]+[eE][-+]?[0-9]{{3}}|0x[0-9a-fA-F]{{16}}|0o[0-7]{{21}})"
    rf"({_NUMBER.pattern})(?![^\s,\]}}:])"
)
"""A number that a double or 64 bits may not hold, where a value may stand, and what stands before it."""

_MAYBE = re.compile(r"[0-9.]{17}|[0-9.][eE][-+]?[0-9]{3}|0x[0-9a-fA-F]{16}|0o[0-7]{21}")


def read_exactly(text: str) -> JsonValue:
    """What the fast parser makes of a text, long numbers with all their digits.

    Raises its `ValueError`, and `UnreadableDocument` for a number that is too long.
    """
    if not _MAYBE.search(text):
        return yaml12.parse_yaml(text)
    marks = _Marks(token_hex(8))
    marked = _LONG.sub(marks.put, text)
    if marked == text:
        return yaml12.parse_yaml(text)
    try:
        value = yaml12.parse_yaml(marked, handlers=marks.handlers)
    except ValueError:
        # It is no YAML either without marks, and told so by its own lines and columns; or a tag that stands in another
        # line than its number does not bear a second one.
        return yaml12.parse_yaml(text)
    return marks.taken_from(value)


def exact_number(text: str) -> int | float | Decimal:
    """The number that a scalar of YAML 1.2 says; raises `UnreadableDocument` for one that is too long."""
    try:
        return int(text, 0) if text[:2] in ("0x", "0o") else number_of(text.removeprefix("+"))
    except ValueError as error:
        raise UnreadableDocument(str(error)) from error


class _Marks:
    """Tags that no text has, and what they stand for."""

    def __init__(self, salt: str) -> None:
        self._salt = salt
        self._plain, self._whole, self._float = f"!n{salt} ", f"!i{salt}", f"!f{salt}"
        self.handlers: dict[str, Callable[[JsonValue], JsonValue]] = dict.fromkeys(
            (self._plain.strip(), self._whole, self._float), self._number
        )

    def put(self, match: re.Match[str]) -> str:
        """What stands in the place of a number: the number behind a tag."""
        before, number = match[1], match[2]
        if "!" not in before:
            return f"{before}{self._plain}{number}"
        known = before.replace("!!int", self._whole).replace("!!float", self._float)
        return match[0] if known.count("!") != before.count("!") - 1 else f"{known}{number}"

    def taken_from(self, value: JsonValue) -> JsonValue:
        """`value` without marks in its texts, changed in its place."""
        if isinstance(value, str):
            return self._unmarked(value) if self._salt in value else value
        if isinstance(value, yaml12.Yaml):
            # The stubs give the constructor's parameters to `__new__` alone.
            return yaml12.Yaml.__new__(yaml12.Yaml, self.taken_from(value.value), value.tag)
        if isinstance(value, list):
            return self._taken_from_items(cast(list[JsonValue], value))
        return self._taken_from_members(cast(dict[Hashable, JsonValue], value)) if isinstance(value, dict) else value

    def _taken_from_items(self, items: list[JsonValue]) -> JsonValue:
        for at, item in enumerate(items):
            items[at] = self.taken_from(item)
        return items

    def _taken_from_members(self, members: dict[Hashable, JsonValue]) -> JsonValue:
        for key, item in members.items():
            members[key] = self.taken_from(item)
        if any(isinstance(key, str) and self._salt in key for key in members):
            return {self.taken_from(key): item for key, item in members.items()}
        return members

    def _unmarked(self, text: str) -> str:
        plain = text.replace(self._plain, "")
        return plain.replace(self._whole, "!!int").replace(self._float, "!!float")

    def _number(self, written: JsonValue) -> JsonValue:
        return exact_number(written) if isinstance(written, str) and _NUMBER.fullmatch(written) else written
