"""A text and a place in it."""

import re

from openplaybook.jsonvalues import JsonValue, number_of
from openplaybook.resources.conditions.errors import CannotParse

_BLANKS = re.compile(r"\s*")
_NUMBER = re.compile(r"-?\d{1,18}(\.\d{1,18})?")
_QUOTES = {'"': re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL), "'": re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL)}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_WORDS: dict[str, JsonValue] = {"true": True, "false": False, "null": None}


class Scanner:
    """Reads a text from left to right."""

    def __init__(self, text: str, at: int = 0) -> None:
        self.text = text
        self.at = at

    def skip_blanks(self) -> None:
        """Go on to what is not blank."""
        blanks = _BLANKS.match(self.text, self.at)
        self.at = blanks.end() if blanks else self.at

    def peek(self) -> str:
        """The next character that is not blank; empty at the end."""
        self.skip_blanks()
        return self.text[self.at : self.at + 1]

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What matches here, passed over; None when nothing does."""
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        return match

    def take_if(self, mark: str) -> bool:
        """Pass over `mark` when it comes next."""
        self.skip_blanks()
        if not self.text.startswith(mark, self.at):
            return False
        self.at += len(mark)
        return True

    def expect(self, mark: str) -> None:
        """Pass over `mark`. Raises `CannotParse` when something else comes."""
        if not self.take_if(mark):
            raise CannotParse(f"{mark!r} is missing here", self.at)

    def quoted(self) -> str:
        """A text in quotes, of which the first comes next; a backslash makes the next character plain."""
        start = self.at
        match = self.take(_QUOTES[self.text[start]])
        if match is None:
            raise CannotParse(f"the text that begins with {self.text[start]} does not end", start)
        return _ESCAPE.sub(r"\1", match.group(1))


def word_value(word: str) -> JsonValue:
    """What a word without quotes stands for: true, false, null, a number, else itself."""
    if word in _WORDS:
        return _WORDS[word]
    number = _NUMBER.fullmatch(word)
    if number is None:
        return word
    return number_of(word)
