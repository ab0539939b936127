"""The words of a filter's text, one after another: names, numbers, texts and signs, with their places."""

import math
import re
from typing import Final, NoReturn

from openplaybook.retrieval.errors import InvalidSearchFilter

MAX_CHARACTERS: Final = 10_000
"""Of a filter."""

_BLANK: Final = re.compile(r"\s*")
_NAME: Final = re.compile(r"\w[\w-]*(?:\.[\w-]+)*")
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LITERAL: Final = re.compile(r'"((?:[^"\\]|\\["\\])*)"')
_ESCAPED: Final = re.compile(r'\\(["\\])')
_KEYWORDS: Final = frozenset({"AND", "OR", "NOT"})


class FilterScanner:
    """Reads a filter from its beginning; blanks between words do not count."""

    def __init__(self, text: str) -> None:
        """Raises `InvalidSearchFilter` for a text of more than `MAX_CHARACTERS`."""
        if len(text) > MAX_CHARACTERS:
            raise InvalidSearchFilter(
                f"a filter may have {MAX_CHARACTERS:,} characters, not {len(text):,}", MAX_CHARACTERS
            )
        self._text = text
        self.position = 0
        """Of the next character that counts."""
        self._skip(0)

    @property
    def is_at_end(self) -> bool:
        """Whether nothing is left."""
        return self.position == len(self._text)

    def takes(self, sign: str) -> bool:
        """Step over a sign, such as `(` or `<=`, if it comes next."""
        if not self._text.startswith(sign, self.position):
            return False
        self._skip(self.position + len(sign))
        return True

    def takes_word(self, word: str) -> bool:
        """Step over a keyword if it comes next, as a word of its own and in upper case."""
        if self._name() != word:
            return False
        return self.takes(word)

    def expect(self, sign: str) -> None:
        """Step over a sign that has to come next."""
        if not self.takes(sign):
            self.refuse(f"`{sign}` has to follow")

    def field_name(self) -> str:
        """Letters, digits, `_`, `-`, and dots between; no keyword."""
        name = self._name()
        if not name:
            self.refuse("the name of a field has to follow")
        if name in _KEYWORDS:
            self.refuse(f"`{name}` is no name of a field, but joins conditions: the name of a field has to follow")
        self._skip(self.position + len(name))
        return name

    def literal(self) -> str:
        """A text in double quotes, with `\\"` and `\\\\` for those two characters."""
        found = _LITERAL.match(self._text, self.position)
        if not found:
            self.refuse('a text in double quotes has to follow, with `\\"` and `\\\\` for these two characters')
        self._skip(found.end())
        return _ESCAPED.sub(r"\1", found[1])

    @property
    def is_at_literal(self) -> bool:
        """Whether a text in quotes comes next."""
        return self._text.startswith('"', self.position)

    def number(self) -> float:
        """A decimal number."""
        start = self.position
        found = _NUMBER.match(self._text, start)
        if not found:
            self.refuse("a number has to follow")
        value = float(found[0])
        if not math.isfinite(value):
            self.refuse("the number is larger than any that can be compared")
        self._skip(found.end())
        return value

    def refuse(self, message: str) -> NoReturn:
        """Raise `InvalidSearchFilter` for what comes next."""
        raise InvalidSearchFilter(message, self.position)

    def _name(self) -> str:
        found = _NAME.match(self._text, self.position)
        return found[0] if found else ""

    def _skip(self, to: int) -> None:
        found = _BLANK.match(self._text, to)
        self.position = found.end() if found else to
