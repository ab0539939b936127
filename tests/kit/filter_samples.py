"""Filters and documents, by hypothesis and by the thousand: few fields and values, so that filters meet documents."""

from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
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

NAMES = ["city", "price", "pet-friendly", "office.city", "office.price", "a.b.c", "made", "straße"]
FIELDS = st.sampled_from(NAMES)
DATES = [
    "2023",
    "2024-04",
    "2024-04-16",
    "2024-04-16T12:00:00-07:00",
    "2024-04-16T19:00:00Z",
    "2024-04-16T19:00:00.000001Z",
    "0001-01-01",
    "9999-12-31",
]
WORDS = ["Rome", "rome", "", 'a "b" \\', "true", "false", "5", "é" * 150, "2023-13", *DATES]
TEXTS = st.sampled_from(WORDS) | st.text(max_size=4)
MOMENTS = [1_672_531_200_000_000, 1_713_294_000_000_000, 1_713_294_000_000_001, 1_713_225_600_000_000]
SOME_DOUBLES = [0.0, -0.0, 1.0, 5.0, 5.5, -5.5, 100.0, 2.0**53, -1e300, 5e-324]
DOUBLES = st.sampled_from(SOME_DOUBLES) | st.floats(allow_nan=False, allow_infinity=False)
NUMBERS = DOUBLES | st.sampled_from(MOMENTS).map(float)
SOME_INTEGERS = [*MOMENTS, 2**53 + 1, 2**63, -(2**70), 10**400]
INTEGERS = st.integers(-6, 6) | st.sampled_from(SOME_INTEGERS)
ADDRESSES = [
    "",
    "https://example.com",
    "https://example.com/",
    "https://Example.com/help/a.pdf",
    "http://example.com/help/deep/b.html?x=/1/2#top",
    "https://www.example.com/Help/",
    "gs://bucket/folder/c.pdf",
    "https://long.example/" + "/".join("abcdefghijklmnopqrstuvwxyz"),
    "/only/a/path",
]
URIS = st.sampled_from(ADDRESSES)
SITES = [
    "https://example.com/*",
    "example.com",
    "https://example.com/help/*",
    "example.com/help/deep/b.html?x=/1/2",
    "*.example.com/*",
    "*.pdf",
    "example.com/*/*.html*",
    "*",
    "bucket/folder/*",
    "long.example/" + "/".join("abcdefghijklmnopqrstuvwxyz")[:-1] + "*",
    "long.example/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/*",
    "/only/*",
]
PATTERNS = st.sampled_from(SITES)
COMPARISONS = st.sampled_from(list(Relation))
BOUNDS = st.none() | st.builds(Bound, NUMBERS, st.booleans())
LATITUDES, LONGITUDES = st.sampled_from([0.0, 34.1, -90.0, 90.0]), st.sampled_from([0.0, -118.2, 180.0, -180.0])
METRES = st.sampled_from([0.0, 500.0, 12_345.5, 1e7])

INDEXED_CONDITIONS = st.one_of(
    st.builds(AnyOf, FIELDS, st.lists(TEXTS, min_size=1, max_size=3).map(tuple)),
    st.builds(AnyOf, FIELDS, st.lists(TEXTS, min_size=20, max_size=20).map(tuple)),
    st.builds(InRange, FIELDS, BOUNDS, BOUNDS),
    st.builds(NumberComparison, FIELDS, COMPARISONS, NUMBERS),
    st.builds(TextComparison, FIELDS, st.just(Relation.EQUAL), TEXTS),
    st.builds(TextComparison, FIELDS, COMPARISONS, st.sampled_from(DATES)),
)
LOCAL_CONDITIONS = INDEXED_CONDITIONS | st.one_of(
    st.builds(GeoDistance, FIELDS, LATITUDES, LONGITUDES, METRES),
    st.builds(SiteMatch, PATTERNS),
)
CONDITIONS = LOCAL_CONDITIONS | st.builds(AddressDistance, FIELDS, TEXTS, METRES)


def trees(conditions: st.SearchStrategy[FilterNode]) -> st.SearchStrategy[FilterNode]:
    """Filters of these conditions."""

    def joined(inner: st.SearchStrategy[FilterNode]) -> st.SearchStrategy[FilterNode]:
        operands = st.lists(inner, min_size=2, max_size=3).map(tuple)
        return st.builds(Exclusion, inner) | st.builds(Conjunction, operands) | st.builds(Disjunction, operands)

    return st.recursive(conditions, joined, max_leaves=5)


WRITTEN_PLACES = ["34.1,-118.2", "34.1001, -118.2", "91,0", "here", "1,2,3"]
PLACES = st.sampled_from(WRITTEN_PLACES) | st.fixed_dictionaries({"latitude": LATITUDES, "longitude": LONGITUDES})
LEAVES = st.one_of(st.none(), st.booleans(), TEXTS, DOUBLES, INTEGERS, PLACES)
MEMBERS = ["city", "price", "pet-friendly", "office", "office.city", "a", "a.b", "b", "b.c", "c", "made"]
KEYS = st.sampled_from(MEMBERS)


def _holders(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3)


DOCUMENTS: st.SearchStrategy[JsonObject] = st.dictionaries(
    KEYS, st.recursive(LEAVES, _holders, max_leaves=4), max_size=5
)


@dataclass(frozen=True)
class Dice:
    """Throws filters and documents quickly, each of them by chance."""

    random: Random

    def filter(self, depth: int = 3) -> FilterNode:
        """Any filter that needs no map."""
        kind = self.random.random() if depth else 0.0
        if kind < 0.5:
            return self._condition()
        if kind < 0.65:
            return Exclusion(self.filter(depth - 1))
        operands = tuple(self.filter(depth - 1) for _ in range(self.random.randint(2, 3)))
        return Conjunction(operands) if kind < 0.8 else Disjunction(operands)

    def document(self) -> tuple[JsonObject, str]:
        """Data and a URI."""
        return self._members(2), self.random.choice(ADDRESSES)

    def _condition(self) -> FilterNode:
        one, field = self.random.choice, self.random.choice(NAMES)
        match self.random.randrange(7):
            case 0:
                return AnyOf(field, tuple(one(WORDS) for _ in range(one([1, 2, 20]))))
            case 1:
                return InRange(field, self._bound(), self._bound())
            case 2:
                return NumberComparison(field, one(list(Relation)), self._double())
            case 3:
                return TextComparison(field, Relation.EQUAL, one(WORDS))
            case 4:
                return TextComparison(field, one(list(Relation)), one(DATES))
            case 5:
                return GeoDistance(field, 34.1, -118.2, one([0.0, 500.0, 1e7]))
            case _:
                return SiteMatch(one(SITES))

    def _bound(self) -> Bound | None:
        return self.random.choice([None, Bound(self._double(), self.random.random() < 0.5)])

    def _double(self) -> float:
        return self.random.choice([*SOME_DOUBLES, *map(float, MOMENTS), self.random.uniform(-10, 10)])

    def _members(self, depth: int) -> JsonObject:
        return {self.random.choice(MEMBERS): self._value(depth) for _ in range(self.random.randint(0, 6))}

    def _value(self, depth: int) -> JsonValue:
        kind = self.random.random()
        if depth and kind < 0.2:
            return self._members(depth - 1)
        if depth and kind < 0.4:
            return [self._value(depth - 1) for _ in range(self.random.randint(0, 3))]
        one = self.random.choice
        return one([None, True, False, one(WORDS), self._double(), one(SOME_INTEGERS), one(WRITTEN_PLACES), one(DATES)])
