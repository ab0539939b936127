"""Names that are nearly those that are known: typing errors."""

from collections.abc import Iterable

_MOST_COMPARED = 200_000
"""Pairs of names of a document that are compared, in a second or two; what else a hostile one has is not."""
_LONGEST = 40
_LONG = 9
"""Letters from which two may be wrong."""
_SHORT = 2
"""Letters up to which only upper and lower case may be wrong."""


class Spelling:
    """Finds what was meant, in bounded time for one document."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, frozenset[str]], str] = {}
        self._left = _MOST_COMPARED

    def meant(self, name: str, known: frozenset[str]) -> str:
        """The one of `known` that differs from `name` by a slip; empty where none does."""
        key = (name, known)
        if key not in self._known:
            self._left -= len(known)
            if self._left < 0 or len(name) > _LONGEST:
                return ""
            self._known[key] = meant(name, known)
        return self._known[key]


def meant(name: str, known: Iterable[str]) -> str:
    """The one of `known` that differs from `name` by a slip of one letter, two in a long word, or in what separates
    words and makes them large; empty where none does."""
    folded = _folded(name)
    letters = set(folded)
    best, fewest = "", 1 if len(name) < _LONG else 2
    for each in known:
        other = _folded(each)
        if other == folded:
            return each
        if min(len(name), len(each)) <= _SHORT or abs(len(other) - len(folded)) > fewest:
            continue
        if len(letters ^ set(other)) > 2 * fewest:
            continue
        slips = _slips(folded, other)
        if slips < fewest or (slips == fewest and not best):
            best, fewest = each, slips
    return best


def _folded(name: str) -> str:
    return name.replace("_", "").replace("-", "").replace(" ", "").lower()


def _slips(one: str, other: str) -> int:
    """Letters that are left out, added, changed, or exchanged with the next one, between two words."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        before, last, row = row, before, [at]
        for to, wanted in enumerate(other, 1):
            cost = min(before[to] + 1, row[to - 1] + 1, before[to - 1] + (letter != wanted))
            if at > 1 and to > 1 and letter == other[to - 2] and one[at - 2] == wanted:
                cost = min(cost, last[to - 2] + 1)
            row.append(cost)
    return row[-1]
