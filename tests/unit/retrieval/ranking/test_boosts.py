"""Boosts move hits, within bounds."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import Boost, ControlPoint, SearchHit
from openplaybook.retrieval.errors import InvalidSearchFilter
from openplaybook.retrieval.filters.parser import parsed_filter
from openplaybook.retrieval.ranking.boosts import STRENGTH, boosted, combined, interpolated

NOW = datetime(2026, 1, 11, tzinfo=UTC)
RED = parsed_filter('colour: ANY("red")')
ALL = parsed_filter("NOT nothing = 1")
AMOUNTS = st.floats(-1, 1)


def hit(name: str, score: float, data: JsonObject) -> SearchHit:
    return SearchHit(name, 0, score, name, "", "", data=data)


def order(hits: tuple[SearchHit, ...]) -> list[str]:
    return [item.document for item in hits]


HITS = (hit("a", 10, {"colour": "blue"}), hit("b", 8, {"colour": "red"}), hit("c", 2, {"colour": "red"}))


@pytest.mark.parametrize(("amount", "names"), [(1, "bac"), (0.5, "bac"), (0.1, "abc"), (0, "abc"), (-1, "abc")])
def test_what_meets_the_condition_moves_as_far_as_the_boost_says(amount: float, names: str) -> None:
    assert order(boosted(HITS, [Boost(RED, amount)], NOW)) == list(names)


def test_a_hit_far_below_the_best_stays_below_it() -> None:
    far = (hit("a", 10, {}), hit("b", 4.9, {"colour": "red"}))
    assert order(boosted(far, [Boost(RED, 1)] * 5, NOW)) == ["a", "b"]


def test_hits_of_equal_score_keep_their_order_and_are_moved_even_if_it_is_zero() -> None:
    zero = tuple(hit(name, 0, {"colour": colour}) for name, colour in (("a", "blue"), ("b", "red"), ("c", "red")))
    assert order(boosted(zero, [Boost(RED, 0.1)], NOW)) == ["b", "c", "a"]
    assert order(boosted(zero, [Boost(RED, -0.1)], NOW)) == ["a", "b", "c"]


@given(st.lists(AMOUNTS, max_size=20), st.lists(st.floats(0, 100), min_size=1, max_size=20))
def test_no_boost_leaves_out_a_hit_or_moves_a_score_beyond_the_bound(boosts: list[float], scores: list[float]) -> None:
    hits = [hit(str(number), score, {"colour": "red"} if number % 2 else {}) for number, score in enumerate(scores)]
    moved = boosted(hits, [Boost(RED, amount) for amount in boosts], NOW)
    before = {item.document: item.score for item in hits}
    assert sorted(order(moved)) == sorted(before)
    most = STRENGTH * (max(scores) or 1.0)
    assert all(abs(item.score - before[item.document]) <= most * (1 + 1e-9) for item in moved)


@given(st.lists(AMOUNTS, min_size=1, max_size=6))
def test_the_order_of_boosts_does_not_count_and_their_sum_is_bounded(amounts: list[float]) -> None:
    assert combined(amounts) == pytest.approx(combined(amounts[::-1]), abs=1e-12)
    assert -1 <= combined(amounts) <= 1


def test_one_boost_counts_as_it_is_and_two_count_more_than_one() -> None:
    assert combined([0.3]) == pytest.approx(0.3)
    assert combined([-0.3]) == pytest.approx(-0.3)
    assert combined([0.5, 0.5]) == pytest.approx(0.75)
    assert combined([0.5, -0.5]) == 0
    assert combined([]) == 0


@pytest.mark.parametrize(
    ("value", "boost"), [(0, -0.5), (10, -0.5), (15, 0.0), (20, 0.5), (25, 0.75), (30, 1.0), (99, 1.0)]
)
def test_between_two_points_the_boost_is_linear(value: float, boost: float) -> None:
    points = [ControlPoint(10, -0.5), ControlPoint(20, 0.5), ControlPoint(30, 1)]
    assert interpolated(points, value) == pytest.approx(boost)


def test_a_boost_by_number_takes_the_value_of_the_field() -> None:
    boost = Boost(ALL, field="stars", points=(ControlPoint(5, 1), ControlPoint(0, 0)))
    hits = [hit("a", 10, {"stars": 0}), hit("b", 9, {}), hit("c", 8, {"stars": ["x", 5]}), hit("d", 7, {"stars": "5"})]
    assert [(item.document, item.score) for item in boosted(hits, [boost], NOW)] == [
        ("c", 13),
        ("a", 10),
        ("b", 9),
        ("d", 7),
    ]


def test_a_boost_by_freshness_takes_the_age() -> None:
    boost = Boost(ALL, field="made", is_freshness=True, points=(ControlPoint(0, 1), ControlPoint(864_000, 0)))
    dates = {"a": "2025", "b": "2026-01-06", "c": "2026-01-11T00:00:00Z", "d": "2027", "e": 1_767_657_600_000_000}
    scores = {
        item.document: item.score for item in boosted([hit(n, 10, {"made": d}) for n, d in dates.items()], [boost], NOW)
    }
    assert scores == {"a": 10, "b": 12.5, "c": 15, "d": 15, "e": 12.5}


def test_an_address_in_a_condition_is_refused() -> None:
    with pytest.raises(InvalidSearchFilter):
        boosted(HITS, [Boost(parsed_filter('at: GEO_DISTANCE("Rome", 5)'), 1)], NOW)


def test_without_boosts_or_hits_nothing_changes() -> None:
    assert boosted(HITS, [], NOW) == HITS
    assert boosted([], [Boost(RED, 1)], NOW) == ()
