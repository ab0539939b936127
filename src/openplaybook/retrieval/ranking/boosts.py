"""Applies boosts to the hits of a search, which are few: those that the engine found best.

Boosts of one document are combined as independent chances are: those above 0 to `up = 1 - (1 - b1)(1 - b2)…`, the
amounts of those below to `down` in the same way; the document's boost is `up - down`, from -1 to 1 in whatever order
they come. Its new score is `score + boost × best score / 2`. So a boost of 1 puts a document above all that are less
than half of the best score better, and one of -1 below those; none is left out, and a hit of little relevance passes
no good one. (How Google combines boosts is not published.)
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, TypeAlias

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import Boost, ControlPoint, SearchHit
from openplaybook.retrieval.filters.evaluation import predicate
from openplaybook.retrieval.filters.field_values import number_in, values_at
from openplaybook.retrieval.filters.moments import SECOND

STRENGTH: Final = 0.5
"""Part of the best score that a boost of 1 adds."""

_Amount: TypeAlias = Callable[[JsonObject, str], float]
"""What one boost is for a document's data and URI; 0 where it does not concern the document."""


def boosted(hits: Sequence[SearchHit], boosts: Sequence[Boost], now: datetime) -> tuple[SearchHit, ...]:
    """The same hits with their new scores, best first; those of equal score stay in the order that they had.

    `now`, with a time zone, is what ages are counted from. Raises `InvalidSearchFilter` for a condition that asks for
    an address on the map.
    """
    if not boosts or not hits:
        return tuple(hits)
    amounts = [_amount_of(boost, now) for boost in boosts]
    scale = STRENGTH * (max(hit.score for hit in hits) or 1.0)

    def moved(hit: SearchHit) -> SearchHit:
        total = combined([amount(hit.data, hit.uri) for amount in amounts])
        return replace(hit, score=hit.score + scale * total) if total else hit

    return tuple(sorted(map(moved, hits), key=lambda hit: -hit.score))


def combined(amounts: Sequence[float]) -> float:
    """One boost, -1 to 1, for the several that a document has."""
    not_up = not_down = 1.0
    for amount in amounts:
        if amount > 0:
            not_up *= 1.0 - min(amount, 1.0)
        else:
            not_down *= 1.0 - min(-amount, 1.0)
    return not_down - not_up


def interpolated(points: Sequence[ControlPoint], value: float) -> float:
    """The boost at a value: linear between the two points around it, that of the nearest one outside of all.

    Points are in the order of their values, and at least one.
    """
    behind = bisect_right([point.value for point in points], value)
    if behind == 0:
        return points[0].boost
    if behind == len(points):
        return points[-1].boost
    low, high = points[behind - 1], points[behind]
    return low.boost + (high.boost - low.boost) * (value - low.value) / (high.value - low.value)


def _amount_of(boost: Boost, now: datetime) -> _Amount:
    meets = predicate(boost.condition)
    if not boost.field:
        return lambda data, uri: boost.boost if meets(data, uri) else 0.0
    value_of = _by_value(boost, now)
    return lambda data, uri: value_of(data) if meets(data, uri) else 0.0


def _by_value(boost: Boost, now: datetime) -> Callable[[JsonObject], float]:
    points = sorted(boost.points, key=lambda point: point.value)
    moment = now.timestamp()

    def amount(data: JsonObject) -> float:
        numbers = (number_in(value) for value in values_at(data, boost.field))
        number = next((number for number in numbers if number is not None), None)
        if number is None or not points:
            return 0.0
        return interpolated(points, moment - number / SECOND if boost.is_freshness else number)

    return amount
