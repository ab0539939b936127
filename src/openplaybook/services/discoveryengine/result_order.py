"""`SearchRequest.order_by`: results in the order of fields of their documents, such as `price desc, title`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.retrieval.base import SearchHit
from openplaybook.retrieval.filters.field_values import number_in, values_at
from openplaybook.services.errors import invalid

MOST_FIELDS = 5
"""By which results are ordered at once."""

_TERM = re.compile(r"\s*([^\s,]{1,500})(?:\s+(asc|desc))?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FieldOrder:
    """One field, and which way it goes."""

    field: str
    """A dotted path."""
    is_descending: bool = False


def read_order(text: str) -> tuple[FieldOrder, ...]:
    """What `order_by` says, nothing for an empty one. Raises INVALID_ARGUMENT."""
    if not text.strip():
        return ()
    terms = text.split(",", MOST_FIELDS)
    found = [match for match in map(_TERM.fullmatch, terms) if match is not None]
    if len(found) < len(terms) or len(terms) > MOST_FIELDS:
        raise invalid(("order_by", f"must be 1 to {MOST_FIELDS} fields with asc or desc, such as: price desc, title"))
    return tuple(FieldOrder(match[1], (match[2] or "").lower() == "desc") for match in found)


def in_order(hits: Sequence[SearchHit], order: Sequence[FieldOrder]) -> Sequence[SearchHit]:
    """Hits in that order, those of equal values as they came. A document without a value is behind all that have one.

    Numbers and dates come before texts, texts before truth values. Of a list the first value in the order counts.
    """
    ordered = [*hits]
    for term in reversed(order):
        keys = {id(hit): _key(hit.data, term) for hit in ordered}
        valued = [hit for hit in ordered if keys[id(hit)] is not None]
        rest = [hit for hit in ordered if keys[id(hit)] is None]
        # Reversed twice, equal values keep their order.
        if term.is_descending:
            valued.reverse()
        valued.sort(key=lambda hit: keys[id(hit)] or _NOTHING)
        if term.is_descending:
            valued.reverse()
        ordered = [*valued, *rest]
    return ordered


_NOTHING = (0, 0.0, "")


def _key(data: JsonObject, term: FieldOrder) -> tuple[int, float, str] | None:
    keys = [key for value in values_at(data, term.field) if (key := _comparable(value)) is not None]
    if not keys:
        return None
    return max(keys) if term.is_descending else min(keys)


def _comparable(value: JsonValue) -> tuple[int, float, str] | None:
    if isinstance(value, bool):
        return 2, float(value), ""
    number = number_in(value)
    if number is not None:
        return 0, number, ""
    return (1, 0.0, value) if isinstance(value, str) else None
