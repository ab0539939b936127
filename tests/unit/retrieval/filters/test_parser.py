"""Filters as they are documented, and texts that are none."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.retrieval.errors import InvalidSearchFilter
from openplaybook.retrieval.filters.parser import MAX_CONDITIONS, MAX_DEPTH, parsed_filter
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
from openplaybook.retrieval.filters.tokens import MAX_CHARACTERS

LESS, EQUAL, AT_LEAST = Relation.LESS, Relation.EQUAL, Relation.AT_LEAST
A, B, C = (TextComparison(name, EQUAL, "1") for name in "abc")

DOCUMENTED: list[tuple[str, FilterNode]] = [
    ('category: ANY("persona_A")', AnyOf("category", ("persona_A",))),
    ('country: ANY("Canada", "Chile")', AnyOf("country", ("Canada", "Chile"))),
    ("score: IN(*, 100.0e)", InRange("score", None, Bound(100, is_inclusive=False))),
    ('non-smoking = "true"', TextComparison("non-smoking", EQUAL, "true")),
    ('manufactured_date = "2023"', TextComparison("manufactured_date", EQUAL, "2023")),
    ('manufactured_date >= "2024-04-16"', TextComparison("manufactured_date", AT_LEAST, "2024-04-16")),
    (
        'manufactured_date < "2024-04-16T12:00:00-07:00"',
        TextComparison("manufactured_date", LESS, "2024-04-16T12:00:00-07:00"),
    ),
    (
        'office.location:GEO_DISTANCE("1600 Amphitheatre Pkwy, Mountain View, CA, 94043", 500)',
        AddressDistance("office.location", "1600 Amphitheatre Pkwy, Mountain View, CA, 94043", 500),
    ),
    (
        'NOT office.location:GEO_DISTANCE("Palo Alto, CA", 1000)',
        Exclusion(AddressDistance("office.location", "Palo Alto, CA", 1000)),
    ),
    (
        "office.location:GEO_DISTANCE(34.1829, -121.293, 500)",
        GeoDistance("office.location", 34.1829, -121.293, 500),
    ),
    (
        '(price<175 AND pet-friendly = "true") OR (price<125 AND pet-friendly = "false")',
        Disjunction(
            (
                Conjunction((NumberComparison("price", LESS, 175), TextComparison("pet-friendly", EQUAL, "true"))),
                Conjunction((NumberComparison("price", LESS, 125), TextComparison("pet-friendly", EQUAL, "false"))),
            )
        ),
    ),
    ('siteSearch:"https://example.com/faq/*"', SiteMatch("https://example.com/faq/*")),
    (
        'siteSearch:"https://a.com/*" OR NOT siteSearch:"https://a.com/old/*"',
        Disjunction((SiteMatch("https://a.com/*"), Exclusion(SiteMatch("https://a.com/old/*")))),
    ),
    (
        'fileType:"pdf" AND lr:"lang_de"',
        Conjunction((SiteMatch("*.pdf"), TextComparison("lr", EQUAL, "lang_de"))),
    ),
]


@pytest.mark.parametrize(("text", "tree"), DOCUMENTED)
def test_documented_filters_are_read(text: str, tree: FilterNode) -> None:
    assert parsed_filter(text) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ('a="1" OR b="1" AND c="1"', Disjunction((A, Conjunction((B, C))))),
        ('(a="1" OR b="1") AND c="1"', Conjunction((Disjunction((A, B)), C))),
        ('(((a = "1")))', A),
        ('-a="1"', Exclusion(A)),
        ('- (a="1")', Exclusion(A)),
        ('NOT(a="1" AND -b="1")', Exclusion(Conjunction((A, Exclusion(B))))),
        ('\t\na\n=\n"1"\n', A),
        ("x:IN(1,2)", InRange("x", Bound(1, is_inclusive=True), Bound(2, is_inclusive=False))),
        ("x: IN ( 1e , 2i )", InRange("x", Bound(1, is_inclusive=False), Bound(2, is_inclusive=True))),
        ("x: IN(1e2e, *)", InRange("x", Bound(100, is_inclusive=False), None)),
        ("x: IN(-.5, +5.)", InRange("x", Bound(-0.5, is_inclusive=True), Bound(5, is_inclusive=False))),
        ("x>=1713268800000000", NumberComparison("x", AT_LEAST, 1713268800000000)),
        (r'x: ANY("a \"b\" \\", "")', AnyOf("x", ('a "b" \\', ""))),
        ('ANY: ANY("a")', AnyOf("ANY", ("a",))),
        ('straße.1-2: ANY("a")', AnyOf("straße.1-2", ("a",))),
        ('NOT-smoking = "1"', TextComparison("NOT-smoking", EQUAL, "1")),
        ('a = "1" AND ORDER = "1"', Conjunction((A, TextComparison("ORDER", EQUAL, "1")))),
    ],
)
def test_what_the_grammar_leaves_open_is_read_as_decided(text: str, tree: FilterNode) -> None:
    assert parsed_filter(text) == tree


@pytest.mark.parametrize(
    ("text", "position", "says"),
    [
        ("", 0, "the name of a field"),
        ("   ", 3, "the name of a field"),
        ("price", 5, "has to follow the name"),
        ("price < ", 8, "a number"),
        ("price < abc", 8, "a number"),
        ("price < 1e999", 8, "larger"),
        ("price < 5 and x = 1", 10, "`AND`, `OR` or the end"),
        ('price < "cheap"', 8, "no date"),
        ('price < "2024-02-30"', 8, "no date"),
        ("city: ANY()", 10, "double quotes"),
        ("city: ANY('a')", 10, "double quotes"),
        (r'city: ANY("a\n")', 10, "double quotes"),
        ('city: ANY("a)', 10, "double quotes"),
        ('city: ANY("a"', 13, "`)`"),
        ('city: any("a")', 6, "`ANY(…)`"),
        ('city: "a"', 6, "`ANY(`"),
        ('siteSearch:""', 11, "`ANY(`"),
        ("siteSearch:https://a.com/*", 11, "`ANY(…)`"),
        ("x: IN(1)", 7, "`,`"),
        ("x: IN(*e, 1)", 7, "`,`"),
        ("x: GEO_DISTANCE(91, 0, 5)", 16, "from -90 to 90"),
        ("x: GEO_DISTANCE(0, 181, 5)", 19, "from -180 to 180"),
        ("x: GEO_DISTANCE(0, 0, -5)", 22, "not negative"),
        ('NOT NOT a = "1"', 4, "`NOT` is no name"),
        ('a = "1" OR', 10, "the name of a field"),
        ('(a = "1"', 8, "`)`"),
        ('a = "1")', 7, "`AND`, `OR` or the end"),
        ('a. = "1"', 1, "has to follow the name"),
        ("a != 1", 2, "has to follow the name"),
    ],
)
def test_what_is_no_filter_is_refused_with_the_place(text: str, position: int, says: str) -> None:
    with pytest.raises(InvalidSearchFilter) as refused:
        parsed_filter(text)
    assert refused.value.position == position
    assert says in str(refused.value)


def test_parentheses_are_limited() -> None:
    parsed_filter("(" * MAX_DEPTH + "a = 1" + ")" * MAX_DEPTH)
    with pytest.raises(InvalidSearchFilter, match="more than 50 parentheses"):
        parsed_filter("(" * (MAX_DEPTH + 1) + "a = 1" + ")" * (MAX_DEPTH + 1))


def test_conditions_are_limited() -> None:
    parsed_filter(" AND ".join(["a=1"] * MAX_CONDITIONS))
    with pytest.raises(InvalidSearchFilter, match="500 conditions"):
        parsed_filter(" AND ".join(["a=1"] * (MAX_CONDITIONS + 1)))


def test_characters_are_limited() -> None:
    parsed_filter('a = "' + "x" * (MAX_CHARACTERS - 6) + '"')
    with pytest.raises(InvalidSearchFilter, match="10,000 characters, not 10,001"):
        parsed_filter('a = "' + "x" * (MAX_CHARACTERS - 5) + '"')


PIECES = ["(", ")", "a", "a.b-c", ":", "ANY", "IN", "GEO_DISTANCE", '"', '"2023"', "\\", ",", "*", "1", "-", "1e9", "e"]


@given(st.text() | st.lists(st.sampled_from([*PIECES, "<", "<=", "=", " AND ", " OR ", "NOT "])).map("".join))
def test_any_text_is_a_filter_or_refused(text: str) -> None:
    with suppress(InvalidSearchFilter):
        parsed_filter(text)
