"""Numbers and dates of facts, so that those of a claim are looked up at once, however many there are.

Two numbers agree where one reading of each has the same value and their units are no others: a unit that only one of
them has is no contradiction. A date is there where all that is said of it is said by a date of the facts.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import product
from typing import TypeAlias

from openplaybook.retrieval.answers.quantities import Figures, Quantity


class FigureIndex:
    """Numbers and dates that facts have."""

    def __init__(self, given: Iterable[Figures]) -> None:
        self._units = _Units()
        self._behind: defaultdict[str, _Units] = defaultdict(_Units)
        self._before: defaultdict[str, _Units] = defaultdict(_Units)
        self._dates: set[tuple[int, int, int]] = set()
        self._date_parts: set[float] = set()
        for each in given:
            self._add(each)

    def lacks(self, asked: Figures) -> tuple[str, ...]:
        """What of a claim's numbers and dates is not here, as written. Years and days of dates are numbers, too."""
        dates = [each.text for each in asked.dates if not each.readings & self._dates]
        return (*dates, *(each.text for each in asked.quantities if not self._has(each)))

    def contradicts(self, asked: Figures) -> tuple[str, ...]:
        """A claim's numbers that are here beside the same word in other values only: `24 sacks` for `11 sacks`."""
        return tuple(
            each.text
            for each in asked.quantities
            if not (_fits(each, each.behind, self._behind) and _fits(each, each.before, self._before))
        )

    def has_fewer_of(self, asked: Figures) -> bool:
        """Whether a number is in the claim more often than here."""
        of_claim = FigureIndex((asked,))
        return any(
            of_claim._units.count(each) > self._units.count(each)
            for each in asked.quantities
            if not each.values & self._date_parts
        )

    def _has(self, quantity: Quantity) -> bool:
        return self._units.count(quantity) > 0 or (not quantity.unit and bool(quantity.values & self._date_parts))

    def _add(self, figures: Figures) -> None:
        for each in figures.quantities:
            self._units.add(each)
            if each.behind:
                self._behind[each.behind].add(each)
            if each.before:
                self._before[each.before].add(each)
        for date in figures.dates:
            for year, month, day in date.readings:
                # With each part said or not: what a claim says of a date may be less.
                self._dates.update(product((year, 0), (month, 0), (day, 0)))
                self._date_parts.update(float(part) for part in (year, day) if part)


_Counts: TypeAlias = "defaultdict[float, Counter[str]]"


class _Units:
    """How often a value is there in each unit."""

    def __init__(self) -> None:
        self._counts: _Counts = defaultdict(Counter)
        self._plain: _Counts = defaultdict(Counter)
        """Of numbers without multipliers alone."""

    def add(self, quantity: Quantity) -> None:
        for value in quantity.values:
            self._counts[value][quantity.unit] += 1
            if not quantity.bare:
                self._plain[value][quantity.unit] += 1

    def count(self, quantity: Quantity) -> int:
        """How many of the numbers here agree with one. Its multiplier may be left out here,
        as it is in `3 to 5 million`."""
        unit = quantity.unit
        whole = max((self._of(self._counts, value, unit) for value in quantity.values), default=0)
        return whole or max((self._of(self._plain, value, unit) for value in quantity.bare), default=0)

    @staticmethod
    def _of(counts: _Counts, value: float, unit: str) -> int:
        units = counts.get(value)
        if units is None:
            return 0
        return units.total() if not unit else units[unit] + units[""]


def _fits(quantity: Quantity, word: str, by_word: Mapping[str, _Units]) -> bool:
    """Whether nothing, or the same number, is known beside a word."""
    known = by_word.get(word) if word else None
    return known is None or known.count(quantity) > 0
