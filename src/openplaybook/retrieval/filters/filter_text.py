"""Writes filters: syntax tree → the one text that stands for it. Reading that text gives an equal tree."""

import re
from typing import Final

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
    SiteMatch,
    TextComparison,
)

_TO_ESCAPE: Final = re.compile(r'(["\\])')
_MOST_PLAIN: Final = 1e15
"""Whole numbers below are written without a point and an exponent."""


def filter_text(node: FilterNode) -> str:
    """The text of a filter. Fields have to be named as the grammar allows, and conjunctions to have two operands."""
    match node:
        case Conjunction(operands):
            return " AND ".join(_operand(item) for item in operands)
        case Disjunction(operands):
            return " OR ".join(
                filter_text(item) if isinstance(item, Conjunction) else _operand(item) for item in operands
            )
        case Exclusion(operand):
            inner = filter_text(operand)
            return f"NOT ({inner})" if isinstance(operand, Conjunction | Disjunction | Exclusion) else f"NOT {inner}"
        case _:
            return _condition(node)


def _operand(node: FilterNode) -> str:
    return f"({filter_text(node)})" if isinstance(node, Conjunction | Disjunction) else filter_text(node)


def _condition(
    node: AnyOf | InRange | NumberComparison | TextComparison | GeoDistance | AddressDistance | SiteMatch,
) -> str:
    match node:
        case AnyOf(field, texts):
            return f"{field}: ANY({', '.join(map(_literal, texts))})"
        case InRange(field, lower, upper):
            return f"{field}: IN({_bound(lower, 'e')}, {_bound(upper, 'i')})"
        case NumberComparison(field, comparison, value):
            return f"{field} {comparison.value} {_number(value)}"
        case TextComparison(field, comparison, text):
            return f"{field} {comparison.value} {_literal(text)}"
        case GeoDistance(field, latitude, longitude, metres):
            return f"{field}: GEO_DISTANCE({', '.join(map(_number, (latitude, longitude, metres)))})"
        case AddressDistance(field, address, metres):
            return f"{field}: GEO_DISTANCE({_literal(address)}, {_number(metres)})"
        case SiteMatch(pattern):
            return f"siteSearch:{_literal(pattern)}"


def _bound(bound: Bound | None, mark: str) -> str:
    """One end of a range; `mark` is that of the sort of end which has to be marked: lower `e`, upper `i`."""
    if bound is None:
        return "*"
    is_usual = bound.is_inclusive is (mark == "e")
    return _number(bound.value) + ("" if is_usual else mark)


def _literal(text: str) -> str:
    escaped = _TO_ESCAPE.sub(r"\\\1", text)
    return f'"{escaped}"'


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < _MOST_PLAIN else repr(float(value))
