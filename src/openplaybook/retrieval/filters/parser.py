"""Reads filters: text → syntax tree.

Source: the filter grammar of Vertex AI Search. What its text leaves open is decided here: AND binds closer than OR;
keywords are upper case; a whole filter may stand in parentheses; texts know no other escapes than `\\"` and `\\\\`.

Of the filters of website stores, `siteSearch:"PATTERN"` is a `SiteMatch`, `fileType:"pdf"` one of addresses that end
with `.pdf`, and the other documented keys ask for a field of that name with just that text.
"""

from typing import Final

from openplaybook.retrieval.filters.moments import time_span
from openplaybook.retrieval.filters.site_patterns import WILDCARD
from openplaybook.retrieval.filters.syntax import (
    AddressDistance,
    AnyOf,
    Bound,
    Conjunction,
    Disjunction,
    Exclusion,
    FilterNode,
    GeoDistance,
    InRange,
    NumberComparison,
    Relation,
    SiteMatch,
    TextComparison,
)
from openplaybook.retrieval.filters.tokens import FilterScanner

MAX_DEPTH: Final = 50
"""Parentheses and negations within each other."""
MAX_CONDITIONS: Final = 500
"""Of one filter."""

_COMPARISONS: Final = (
    Relation.AT_MOST,
    Relation.AT_LEAST,
    Relation.LESS,
    Relation.GREATER,
    Relation.EQUAL,
)
"""In the order in which they are looked for: `<=` begins with `<`."""

_SITE_FIELDS: Final = frozenset({"cr", "highRange", "lowRange", "lr", "rights"})
"""Keys of basic website search that are asked of the data."""


def parsed_filter(text: str) -> FilterNode:
    """The tree of a filter. Raises `InvalidSearchFilter`, with the place, for whatever is no filter."""
    return _FilterParser(text).whole()


class _FilterParser:
    def __init__(self, text: str) -> None:
        self._scanner = FilterScanner(text)
        self._depth = 0
        self._conditions = 0

    def whole(self) -> FilterNode:
        node = self._alternatives()
        if not self._scanner.is_at_end:
            self._scanner.refuse("`AND`, `OR` or the end of the filter has to follow")
        return node

    def _alternatives(self) -> FilterNode:
        operands = [self._conjunction()]
        while self._scanner.takes_word("OR"):
            operands.append(self._conjunction())
        return operands[0] if len(operands) == 1 else Disjunction(tuple(operands))

    def _conjunction(self) -> FilterNode:
        operands = [self._expression()]
        while self._scanner.takes_word("AND"):
            operands.append(self._expression())
        return operands[0] if len(operands) == 1 else Conjunction(tuple(operands))

    def _expression(self) -> FilterNode:
        if self._scanner.takes("-") or self._scanner.takes_word("NOT"):
            return Exclusion(self._operand())
        return self._operand()

    def _operand(self) -> FilterNode:
        if not self._scanner.takes("("):
            return self._condition()
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._scanner.refuse(f"more than {MAX_DEPTH} parentheses are within each other")
        node = self._alternatives()
        self._scanner.expect(")")
        self._depth -= 1
        return node

    def _condition(self) -> FilterNode:
        self._conditions += 1
        if self._conditions > MAX_CONDITIONS:
            self._scanner.refuse(f"a filter may have {MAX_CONDITIONS} conditions")
        field = self._scanner.field_name()
        if not self._scanner.takes(":"):
            return self._compared(field)
        if self._scanner.is_at_literal:
            return self._of_site(field)
        for word, read in (("ANY", self._any_of), ("IN", self._in_range), ("GEO_DISTANCE", self._distance)):
            if self._scanner.takes_word(word):
                self._scanner.expect("(")
                node = read(field)
                self._scanner.expect(")")
                return node
        self._scanner.refuse("`ANY(…)`, `IN(…)` or `GEO_DISTANCE(…)` has to follow")

    def _any_of(self, field: str) -> FilterNode:
        texts = [self._scanner.literal()]
        while self._scanner.takes(","):
            texts.append(self._scanner.literal())
        return AnyOf(field, tuple(texts))

    def _in_range(self, field: str) -> FilterNode:
        lower = self._bound(is_inclusive=True)
        self._scanner.expect(",")
        return InRange(field, lower, self._bound(is_inclusive=False))

    def _bound(self, *, is_inclusive: bool) -> Bound | None:
        if self._scanner.takes("*"):
            return None
        value = self._scanner.number()
        if self._scanner.takes("i"):
            return Bound(value, is_inclusive=True)
        if self._scanner.takes("e"):
            return Bound(value, is_inclusive=False)
        return Bound(value, is_inclusive)

    def _distance(self, field: str) -> FilterNode:
        if self._scanner.is_at_literal:
            address = self._scanner.literal()
            self._scanner.expect(",")
            return AddressDistance(field, address, self._metres())
        latitude = self._degrees(90)
        self._scanner.expect(",")
        longitude = self._degrees(180)
        self._scanner.expect(",")
        return GeoDistance(field, latitude, longitude, self._metres())

    def _degrees(self, most: int) -> float:
        return self._number_within(-most, most, f"a number of degrees from -{most} to {most} has to follow")

    def _metres(self) -> float:
        return self._number_within(0, float("inf"), "a number of metres has to follow, which is not negative")

    def _number_within(self, least: float, most: float, message: str) -> float:
        here = self._scanner.position
        value = self._scanner.number()
        if not least <= value <= most:
            self._scanner.position = here
            self._scanner.refuse(message)
        return value

    def _compared(self, field: str) -> FilterNode:
        comparison = next((sign for sign in _COMPARISONS if self._scanner.takes(sign.value)), None)
        if comparison is None:
            self._scanner.refuse("`:`, `=`, `<`, `<=`, `>` or `>=` has to follow the name of the field")
        if not self._scanner.is_at_literal:
            return NumberComparison(field, comparison, self._scanner.number())
        here = self._scanner.position
        text = self._scanner.literal()
        if comparison is not Relation.EQUAL and time_span(text) is None:
            self._scanner.position = here
            self._scanner.refuse(f"`{comparison.value}` compares numbers and ISO 8601 dates, and this text is no date")
        return TextComparison(field, comparison, text)

    def _of_site(self, key: str) -> FilterNode:
        here = self._scanner.position
        text = self._scanner.literal()
        if key in _SITE_FIELDS:
            return TextComparison(key, Relation.EQUAL, text)
        if key == "siteSearch" and text:
            return SiteMatch(text)
        if key == "fileType" and text:
            return SiteMatch(f"{WILDCARD}.{text}")
        self._scanner.position = here
        self._scanner.refuse('`ANY(` has to stand before the text, as in `field: ANY("text")`')
