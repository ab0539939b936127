"""Whether a document meets a filter: the meaning of filters, which every engine's translation has to agree with.

A condition is met when any value of its field meets it; a field that is missing, or whose values are of another type,
meets none, and its negation is met. Texts are compared exactly. A date in the filter covers the whole time that it
names: `= "2023"` is any time of that year, `> "2023"` later than all of it. A date in a document counts as a number of
microseconds since 1970.
"""

import operator
from collections.abc import Callable
from typing import Final, TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.retrieval.errors import InvalidSearchFilter
from openplaybook.retrieval.filters.field_values import Place, number_in, place_in, values_at
from openplaybook.retrieval.filters.moments import TimeSpan, time_span
from openplaybook.retrieval.filters.parser import parsed_filter
from openplaybook.retrieval.filters.site_patterns import fits_pattern, site_address, site_pattern
from openplaybook.retrieval.filters.syntax import (
    AddressDistance,
    AnyOf,
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

Predicate: TypeAlias = Callable[[JsonObject, str], bool]
"""Whether a document's data and URI meet a filter."""

Geocoder: TypeAlias = Callable[[str], Place | None]
"""Finds an address on the map; None where it finds none."""

_ValueTest: TypeAlias = Callable[[JsonValue], bool]
_NumberTest: TypeAlias = Callable[[float], bool]

_OPERATORS: Final[dict[Relation, Callable[[float, float], bool]]] = {
    Relation.LESS: operator.lt,
    Relation.AT_MOST: operator.le,
    Relation.GREATER: operator.gt,
    Relation.AT_LEAST: operator.ge,
    Relation.EQUAL: operator.eq,
}
_BOOLEANS: Final = {"true": True, "false": False}


def matches(node: FilterNode, data: JsonObject, uri: str = "", *, geocoder: Geocoder | None = None) -> bool:
    """Whether one document meets a filter. Raises `InvalidSearchFilter` as `predicate` does."""
    return predicate(node, geocoder)(data, uri)


def checked_filter(text: str) -> FilterNode:
    """The tree of a filter that can be read, and by which documents can be judged. Raises `InvalidSearchFilter`."""
    node = parsed_filter(text)
    predicate(node)
    return node


def predicate(node: FilterNode, geocoder: Geocoder | None = None) -> Predicate:
    """The test of a filter, made once for many documents.

    Raises `InvalidSearchFilter` for a distance to an address where there is no geocoder, or where it does not know it.
    """
    match node:
        case Exclusion(operand):
            test = predicate(operand, geocoder)
            return lambda data, uri: not test(data, uri)
        case Conjunction(operands):
            tests = [predicate(item, geocoder) for item in operands]
            return lambda data, uri: all(test(data, uri) for test in tests)
        case Disjunction(operands):
            tests = [predicate(item, geocoder) for item in operands]
            return lambda data, uri: any(test(data, uri) for test in tests)
        case SiteMatch(pattern):
            wanted = site_pattern(pattern)
            return lambda data, uri: bool(uri) and fits_pattern(site_address(uri), wanted)
        case _:
            field, meets = node.field, _value_test(node, geocoder)
            return lambda data, uri: any(meets(value) for value in values_at(data, field))


def _value_test(
    node: AnyOf | InRange | NumberComparison | TextComparison | GeoDistance | AddressDistance,
    geocoder: Geocoder | None,
) -> _ValueTest:
    match node:
        case AnyOf(_, texts):
            wanted = frozenset(texts)
            return lambda value: isinstance(value, str) and value in wanted
        case InRange():
            return _for_numbers(_range_test(node))
        case NumberComparison(_, comparison, number):
            compare = _OPERATORS[comparison]
            return _for_numbers(lambda found: compare(found, number))
        case TextComparison(_, comparison, text):
            span = time_span(text)
            return _for_numbers(_date_test(comparison, span)) if span else _text_test(comparison, text)
        case GeoDistance(_, latitude, longitude, metres):
            return _distance_test(Place(latitude, longitude), metres)
        case AddressDistance(_, address, metres):
            return _distance_test(_found_on_map(address, geocoder), metres)


def _for_numbers(test: _NumberTest) -> _ValueTest:
    return lambda value: (number := number_in(value)) is not None and test(number)


def _range_test(node: InRange) -> _NumberTest:
    lower, upper = node.lower, node.upper

    def test(number: float) -> bool:
        if lower and (number < lower.value or (number == lower.value and not lower.is_inclusive)):
            return False
        return not (upper and (number > upper.value or (number == upper.value and not upper.is_inclusive)))

    return test


def _date_test(comparison: Relation, span: TimeSpan) -> _NumberTest:
    first, last = float(span.first), float(span.last)
    if comparison is Relation.EQUAL:
        return lambda number: first <= number <= last
    compare = _OPERATORS[comparison]
    limit = first if comparison in (Relation.LESS, Relation.AT_LEAST) else last
    return lambda number: compare(number, limit)


def _text_test(comparison: Relation, text: str) -> _ValueTest:
    if comparison is not Relation.EQUAL:
        return lambda value: False  # the parser lets no such filter through
    truth = _BOOLEANS.get(text)
    return lambda value: value == text if isinstance(value, str) else isinstance(value, bool) and value is truth


def _distance_test(centre: Place, metres: float) -> _ValueTest:
    return lambda value: (place := place_in(value)) is not None and centre.metres_to(place) <= metres


def _found_on_map(address: str, geocoder: Geocoder | None) -> Place:
    if geocoder is None:
        raise InvalidSearchFilter(f'the address "{address}" cannot be found offline: give latitude and longitude', 0)
    place = geocoder(address)
    if place is None:
        raise InvalidSearchFilter(f'the address "{address}" is not known', 0)
    return place
