"""What filters mean."""

from decimal import Decimal

import pytest
from hypothesis import given

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.retrieval.errors import InvalidSearchFilter
from openplaybook.retrieval.filters.evaluation import matches
from openplaybook.retrieval.filters.field_values import Place
from openplaybook.retrieval.filters.parser import MAX_DEPTH, parsed_filter
from openplaybook.retrieval.filters.syntax import Conjunction, Disjunction, Exclusion, FilterNode
from tests.kit.filter_samples import DOCUMENTS, LOCAL_CONDITIONS, URIS, trees


def met(text: str, data: JsonObject, uri: str = "") -> bool:
    return matches(parsed_filter(text), data, uri)


@pytest.mark.parametrize("value", ["Canada", ["Chile", "Canada"], [["Canada"]], [None, 5, "Canada"]])
def test_any_asks_for_one_of_the_texts(value: JsonValue) -> None:
    assert met('country: ANY("Peru", "Canada")', {"country": value})


@pytest.mark.parametrize("value", ["canada", "Canada ", ["Chile"], 5, True, None, {"Canada": "Canada"}, [], {}])
def test_any_is_exact(value: JsonValue) -> None:
    assert not met('country: ANY("Peru", "Canada")', {"country": value})


def test_any_compares_texts_only() -> None:
    assert not met('a: ANY("true")', {"a": True})
    assert not met('a: ANY("5")', {"a": 5})


@pytest.mark.parametrize(
    "data",
    [
        {"office": {"city": "Rome"}},
        {"office": [{"city": "Oslo"}, {"city": "Rome"}]},
        {"office": {"city": ["Oslo", "Rome"]}},
        {"office.city": "Rome"},
        {"office": "none", "office.city": "Rome"},
    ],
)
def test_a_dotted_path_goes_into_objects_and_lists(data: JsonObject) -> None:
    assert met('office.city: ANY("Rome")', data)
    assert not met('office: ANY("Rome")', data)
    assert not met('office.city.name: ANY("Rome")', data)


@pytest.mark.parametrize(
    ("text", "is_met"),
    [
        ("x = 5", True),
        ("x = 5.0", True),
        ("x < 5", False),
        ("x <= 5", True),
        ("x > 5", False),
        ("x >= 5", True),
        ("x: IN(5, 6)", True),
        ("x: IN(4, 5)", False),
        ("x: IN(4, 5i)", True),
        ("x: IN(5e, 6)", False),
        ("x: IN(*, *)", True),
        ("x: IN(*, 5e)", False),
        ("x: IN(6, 4)", False),
        ('x = "5"', False),
    ],
)
def test_numbers_are_compared(text: str, is_met: bool) -> None:
    for value in (5, 5.0, Decimal("5.0"), ["no", 5]):
        assert met(text, {"x": value}) is is_met


@pytest.mark.parametrize("value", ["five", True, None, {"x": 5}, 10**400, Decimal("1e400")])
def test_what_is_no_number_is_in_no_range(value: JsonValue) -> None:
    assert not met("x: IN(*, *)", {"x": value})
    assert met("NOT x: IN(*, *)", {"x": value})


@pytest.mark.parametrize(
    ("text", "is_met"),
    [
        ('made = "2023"', True),
        ('made = "2023-07"', True),
        ('made = "2023-07-14"', True),
        ('made = "2023-07-14T12:30:00Z"', True),
        ('made = "2023-07-14T12:30:01Z"', False),
        ('made = "2024"', False),
        ('made > "2023"', False),
        ('made >= "2023"', True),
        ('made > "2022"', True),
        ('made < "2023"', False),
        ('made <= "2023"', True),
        ('made < "2024"', True),
        ('made < "2023-07-14T05:30:00.000001-07:00"', True),
        ('made < "2023-07-14T05:30:00-07:00"', False),
        ("made = 1689337800000000", True),
        ("made > 1689337800000000", False),
    ],
)
def test_dates_are_compared_and_partial_ones_are_ranges(text: str, is_met: bool) -> None:
    for value in ("2023-07-14T12:30:00Z", "2023-07-14 14:30+02:00", 1689337800000000):
        assert met(text, {"made": value}) is is_met


def test_a_partial_date_of_a_document_is_its_first_moment() -> None:
    assert met('made >= "2023-01-01"', {"made": "2023"})
    assert met('made = "2023-01-01"', {"made": "2023"})
    assert not met('made = "2023-07"', {"made": "2023"})


@pytest.mark.parametrize(
    ("value", "is_met"), [(True, True), ("true", True), (False, False), ("True", False), (1, False)]
)
def test_booleans_are_quoted_texts(value: JsonValue, is_met: bool) -> None:
    assert met('smoking = "true"', {"smoking": value}) is is_met


def test_text_is_compared_exactly() -> None:
    assert met('name = "Rex"', {"name": ["Max", "Rex"]})
    assert not met('name = "rex"', {"name": "Rex"})


def test_data_may_be_deep() -> None:
    inner: JsonValue = {"b": "x"}
    for _ in range(5_000):
        inner = [inner]
    assert met('a.b = "x"', {"a": inner})


def test_the_deepest_filter_is_evaluated() -> None:
    text = "NOT (a = 1 OR " * MAX_DEPTH + "b = 1" + ")" * MAX_DEPTH
    assert met(text, {"b": 1})
    assert not met(text, {"a": 1, "b": 1})


@pytest.mark.parametrize("text", ['a = "1"', "a < 1", 'a: ANY("")', "a: IN(*, *)", "a: GEO_DISTANCE(0, 0, 1e9)"])
def test_a_missing_field_meets_nothing_and_the_negation_is_met(text: str) -> None:
    assert not met(text, {"b": 1})
    assert met(f"NOT {text}", {"b": 1})


@pytest.mark.parametrize("place", ["48.8584,2.2945", " 48.8584 , 2.2945 ", {"latitude": 48.8584, "longitude": 2.2945}])
def test_distances_are_in_metres(place: JsonValue) -> None:
    # From the Eiffel Tower to the Arc de Triomphe it is 1,660 m.
    assert met("at: GEO_DISTANCE(48.8738, 2.2950, 1800)", {"at": [place]})
    assert not met("at: GEO_DISTANCE(48.8738, 2.2950, 1600)", {"at": [place]})


def test_distances_go_over_the_date_line() -> None:
    assert met("at: GEO_DISTANCE(0, 179.999, 300)", {"at": "0,-179.999"})


@pytest.mark.parametrize(
    "value", ["48.8,", "north,east", "1,2,3", "91,0", "0,181", "nan,0", 5, {"latitude": "1"}, True]
)
def test_what_is_no_place_is_at_no_distance(value: JsonValue) -> None:
    assert not met("at: GEO_DISTANCE(0, 0, 1e9)", {"at": value})


def test_an_address_needs_a_geocoder() -> None:
    node = parsed_filter('at: GEO_DISTANCE("Paris", 5000)')
    with pytest.raises(InvalidSearchFilter, match="cannot be found offline"):
        matches(node, {"at": "48.85,2.29"})
    known = {"Paris": Place(48.8566, 2.3522)}
    assert matches(node, {"at": "48.85,2.34"}, geocoder=known.get)
    assert not matches(node, {"at": "48.85,2.29"}, geocoder=lambda address: Place(0, 0))
    with pytest.raises(InvalidSearchFilter, match="is not known"):
        matches(parsed_filter('at: GEO_DISTANCE("Rome", 1)'), {}, geocoder=known.get)


@pytest.mark.parametrize(
    ("pattern", "uri", "is_met"),
    [
        ("https://example.com/help/*", "https://example.com/help/a", True),
        ("https://example.com/help/*", "http://EXAMPLE.com/help/", True),
        ("https://example.com/help/*", "https://example.com/help", False),
        ("https://example.com/help/*", "https://example.com/Help/a", False),
        ("example.com", "https://example.com", True),
        ("example.com", "https://example.com/a/b?c#d", True),
        ("example.com", "https://www.example.com/", False),
        ("*.example.com/*", "https://www.example.com/a", True),
        ("example.com/a", "https://example.com/a#part", True),
        ("example.com/a", "https://example.com/ab", False),
        ("example.com/*/b*c", "https://example.com/a/bxxc", True),
        ("example.com/*/b*c", "https://example.com/a/bxxcd", False),
        ("example.com/ab*ba", "https://example.com/aba", False),
        ("*", "", False),
    ],
)
def test_site_patterns_are_compared_with_the_address(pattern: str, uri: str, is_met: bool) -> None:
    assert met(f'siteSearch:"{pattern}"', {}, uri) is is_met


def test_file_types_are_ends_of_addresses() -> None:
    assert met('fileType:"pdf"', {}, "https://example.com/a.pdf")
    assert not met('fileType:"pdf"', {}, "https://example.com/a.pdf.html")


@given(trees(LOCAL_CONDITIONS), trees(LOCAL_CONDITIONS), DOCUMENTS, URIS)
def test_negation_and_joining_are_those_of_logic(a: FilterNode, b: FilterNode, data: JsonObject, uri: str) -> None:
    first, second = matches(a, data, uri), matches(b, data, uri)
    assert matches(Exclusion(a), data, uri) is not first
    assert matches(Conjunction((a, b)), data, uri) is (first and second)
    assert matches(Disjunction((a, b)), data, uri) is (first or second)
