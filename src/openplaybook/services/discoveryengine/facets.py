"""`SearchRequest.facet_specs`: how many of the documents that match have which value of a field."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, is_number
from openplaybook.retrieval.base import SearchHit
from openplaybook.retrieval.filters.field_values import number_in, values_at
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
    SiteMatch,
    TextComparison,
)
from openplaybook.services.errors import invalid, unimplemented
from openplaybook.wire.codec import Codec
from openplaybook.wire.messages import ApiMessage

MOST_FACETS = 100
MOST_NARROWINGS = 5
"""Filters without the conditions that facets leave out: for each, all that matches is looked at."""
DEFAULT_VALUES = 20
MOST_VALUES = 300
"""Of one facet; a request for more gets so many (documented)."""
_MOST_INTERVALS = 30
_MOST_TEXTS = 10
_ORDERS = ("", "count desc", "value desc")
_LONGEST_KEY = 500
_LONGEST_VALUE = 1_000
"""Characters: longer ones are no categories."""


@dataclass(frozen=True, slots=True)
class AskedFacet:
    """What is counted."""

    key: str
    """A dotted path."""
    limit: int
    intervals: Sequence[JsonObject]
    """`Interval`s, for numbers and dates; none for texts."""
    is_wanted: Callable[[str], bool]
    """Whether a text is counted."""
    order: str
    excluded_keys: frozenset[str]
    """Fields whose conditions in the filter do not count."""


def read_facets(message: ApiMessage, codec: Codec) -> tuple[AskedFacet, ...]:
    """The facets of a request. Raises INVALID_ARGUMENT and UNIMPLEMENTED."""
    if len(message.facet_specs) > MOST_FACETS:
        raise invalid(("facet_specs", f"are {len(message.facet_specs)}; at most {MOST_FACETS} can be given"))
    return tuple(_facet(spec, f"facet_specs[{index}]", codec) for index, spec in enumerate(message.facet_specs))


def facet_json(facet: AskedFacet, hits: Iterable[SearchHit]) -> JsonObject:
    """The `Facet` of what was found; each document counts once. Raises INVALID_ARGUMENT for numbers without intervals.

    Without an order, texts are in natural order, and intervals as they were given.
    """
    documents = {hit.document: hit.data for hit in hits}.values()
    if facet.intervals:
        return {"key": facet.key, "values": _interval_counts(facet, documents)}
    counts: Counter[str] = Counter()
    has_numbers = False
    for data in documents:
        values = [*values_at(data, facet.key)]
        has_numbers = has_numbers or any(map(is_number, values))
        counts.update(set(filter(facet.is_wanted, _texts(values))))
    if has_numbers and not counts:
        raise invalid(("facet_specs", f"{facet.key} holds numbers, which are counted by facet_key.intervals"))
    ordered = sorted(counts.items(), key=lambda pair: _natural(pair[0]), reverse=facet.order == "value desc")
    if facet.order == "count desc":
        ordered.sort(key=lambda pair: -pair[1])
    values: list[JsonValue] = [{"value": text, "count": str(count)} for text, count in ordered[: facet.limit]]
    return {"key": facet.key, "values": values}


def without_keys(node: FilterNode | None, keys: frozenset[str]) -> FilterNode | None:
    """A filter without its conditions on some fields; None where nothing is left of it.

    Raises INVALID_ARGUMENT where such a condition is joined with others by OR or NOT.
    """
    if node is None or not keys:
        return node
    if isinstance(node, Conjunction):
        left = [kept for operand in node.operands if (kept := without_keys(operand, keys)) is not None]
        return Conjunction(tuple(left)) if len(left) > 1 else next(iter(left), None)
    fields = set(_fields(node))
    if fields <= keys:
        return None
    if fields & keys:
        raise invalid(
            ("facet_specs", "excluded_filter_keys need a filter that joins the conditions on these keys by AND")
        )
    return node


def _facet(spec: ApiMessage, where: str, codec: Codec) -> AskedFacet:
    key = spec.facet_key
    if not 0 < len(key.key) <= _LONGEST_KEY:
        raise invalid((f"{where}.facet_key.key", f"is required, with up to {_LONGEST_KEY} characters"))
    if spec.limit < 0:
        raise invalid((f"{where}.limit", "must be 0 or more"))
    if spec.enable_dynamic_position:
        raise unimplemented(f"{where}.enable_dynamic_position is not served: facets are in the order of the request")
    if key.order_by not in _ORDERS:
        raise invalid((f"{where}.facet_key.order_by", f"must be one of {', '.join(_ORDERS[1:])}"))
    for name, most in (("intervals", _MOST_INTERVALS), *((each, _MOST_TEXTS) for each in _TEXTS)):
        if len(getattr(key, name)) > most:
            raise invalid((f"{where}.facet_key.{name}", f"at most {most} can be given"))
    return AskedFacet(
        key=key.key,
        limit=min(spec.limit or DEFAULT_VALUES, MOST_VALUES),
        intervals=tuple(as_object(codec.to_json(interval)) for interval in key.intervals),
        is_wanted=_text_test(key),
        order=key.order_by,
        excluded_keys=frozenset(spec.excluded_filter_keys),
    )


_TEXTS = ("restricted_values", "prefixes", "contains")


def _text_test(key: ApiMessage) -> Callable[[str], bool]:
    def folded(text: str) -> str:
        return text.casefold() if key.case_insensitive else text

    restricted = frozenset(key.restricted_values)
    prefixes, parts = tuple(map(folded, key.prefixes)), tuple(map(folded, key.contains))

    def is_wanted(text: str) -> bool:
        seen = folded(text)
        return (
            (not restricted or text in restricted)
            and (not prefixes or seen.startswith(prefixes))
            and (not parts or any(part in seen for part in parts))
        )

    return is_wanted


def _texts(values: Iterable[JsonValue]) -> Iterator[str]:
    for value in values:
        if isinstance(value, bool):
            yield "true" if value else "false"
        elif isinstance(value, str) and len(value) <= _LONGEST_VALUE:
            yield value


def _interval_counts(facet: AskedFacet, documents: Iterable[JsonObject]) -> list[JsonValue]:
    counts = [0] * len(facet.intervals)
    for data in documents:
        numbers = [number for value in values_at(data, facet.key) if (number := number_in(value)) is not None]
        for at, interval in enumerate(facet.intervals):
            counts[at] += any(_holds(interval, number) for number in numbers)
    counted = [*zip(facet.intervals, counts, strict=True)]
    if facet.order == "count desc":
        counted.sort(key=lambda pair: -pair[1])
    return [{"interval": interval, "count": str(count)} for interval, count in counted[: facet.limit]]


def _holds(interval: JsonObject, number: float) -> bool:
    """Whether an `Interval` holds a number; an end that it does not name is open."""
    return (
        ("minimum" not in interval or number >= float(interval["minimum"]))
        and ("exclusiveMinimum" not in interval or number > float(interval["exclusiveMinimum"]))
        and ("maximum" not in interval or number <= float(interval["maximum"]))
        and ("exclusiveMaximum" not in interval or number < float(interval["exclusiveMaximum"]))
    )


def _natural(text: str) -> list[tuple[int, int, str]]:
    """A key by which `shelf 2` comes before `shelf 10`."""
    parts = re.split(r"([0-9]{1,18})", text)
    return [(0, int(part), "") if at % 2 else (1, 0, part) for at, part in enumerate(parts)]


def _fields(node: FilterNode) -> Iterator[str]:
    match node:
        case Exclusion(operand):
            yield from _fields(operand)
        case Conjunction(operands) | Disjunction(operands):
            for operand in operands:
                yield from _fields(operand)
        case SiteMatch():
            yield "siteSearch"
        case AnyOf() | InRange() | NumberComparison() | TextComparison() | GeoDistance() | AddressDistance():
            yield node.field
