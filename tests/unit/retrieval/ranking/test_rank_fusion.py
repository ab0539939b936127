"""Two orders of hits become one."""

from hypothesis import given
from hypothesis import strategies as st

from openplaybook.retrieval.ranking.rank_fusion import fused, score_at

ORDERS = st.lists(st.integers(0, 30), unique=True)


def test_a_hit_of_both_orders_is_before_those_of_one() -> None:
    assert [*fused(["a", "b", "c"], ["d", "c"])] == ["c", "a", "d", "b"]


def test_a_hit_that_comes_twice_counts_where_it_is_best() -> None:
    assert fused(["a", "b", "a"]) == {"a": 1 / 21, "b": 1 / 22}


def test_of_equal_hits_the_first_order_leads() -> None:
    assert [*fused(["a", "b"], ["b", "a"])] == ["a", "b"]


@given(ORDERS)
def test_what_is_fused_with_nothing_keeps_its_order(order: list[int]) -> None:
    assert [*fused(order, [])] == order


@given(ORDERS, ORDERS)
def test_each_hit_is_there_once_and_scores_fall(first: list[int], second: list[int]) -> None:
    scores = fused(first, second)

    assert set(scores) == {*first, *second}
    assert [*scores.values()] == sorted(scores.values(), reverse=True)
    assert all(0 < score <= 2 * score_at(0) for score in scores.values())
