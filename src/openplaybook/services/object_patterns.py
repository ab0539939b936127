"""Patterns of names of objects in buckets: `*` stands for any characters but `/`, `**` for any (Cloud Storage).

All ways in which a name may fit are followed at once, each a bit of a number, so that a name takes no longer than its
length says. Backtracking takes hours for six stars and a name that is made for them.
"""

import re
from collections.abc import Iterable, Iterator

MOST_STARS = 6
"""Of a pattern: more tell nothing apart, and make it slower to match."""

_TOKEN = re.compile(r"\*\*|\*|[^*]", re.DOTALL)
_SEPARATOR = "/"


class TooManyStars(ValueError):
    """A pattern has more than `MOST_STARS`."""


class ObjectPattern:
    """One pattern, read."""

    def __init__(self, pattern: str) -> None:
        self.beginning = pattern.partition("*")[0]
        """That all names have which fit."""
        tokens = _TOKEN.findall(pattern)
        self._letters: dict[str, int] = {}
        self._any = self._within = 0
        for place, token in enumerate(tokens):
            bit = 1 << place
            if token == "**":
                self._any |= bit
            elif token == "*":
                self._within |= bit
            else:
                self._letters[token] = self._letters.get(token, 0) | bit
        self._last = 1 << len(tokens)
        self._begin = self._skipped(1)

    def fitting(self, names: Iterable[str]) -> Iterator[str]:
        """Those of the names that fit."""
        return (name for name in names if self.fits(name))

    def fits(self, name: str) -> bool:
        """Whether all of a name fits."""
        places = self._begin
        for letter in name:
            stars = self._any if letter == _SEPARATOR else self._any | self._within
            places = self._skipped((places & self._letters.get(letter, 0)) << 1 | places & stars)
            if not places:
                return False
        return bool(places & self._last)

    def _skipped(self, places: int) -> int:
        """The same with the places behind stars that stand for nothing."""
        behind = places
        while behind := (behind & (self._any | self._within)) << 1 & ~places:
            places |= behind
        return places


def pattern_of(name: str) -> ObjectPattern | None:
    """The pattern that the name in a URI is, where it ends with `/` for all below; None for that of one object.

    Raises `TooManyStars`.
    """
    pattern = f"{name}**" if name.endswith("/") else name
    if pattern.count("*") > MOST_STARS:
        raise TooManyStars
    return ObjectPattern(pattern) if "*" in pattern else None
