"""What a server holds of requests at once."""

import pytest

from openplaybook.wire.bytes_in_flight import SMALL, BytesInFlight
from openplaybook.wire.errors import Code, RpcError

LARGE = SMALL + 1


def test_what_is_released_makes_room() -> None:
    budget = BytesInFlight(large=2 * LARGE)
    first, _ = budget.reserve(LARGE), budget.reserve(LARGE)
    with pytest.raises(RpcError) as refused:
        budget.reserve(LARGE)
    assert refused.value.code is Code.RESOURCE_EXHAUSTED
    assert refused.value.message == "This server holds as many bytes of requests as it can; try again in 1 s."
    assert refused.value.headers == {"Retry-After": "1"}
    first.release()
    budget.reserve(LARGE)
    assert budget.held == 2 * LARGE


def test_small_requests_have_a_share_of_their_own() -> None:
    budget = BytesInFlight(large=LARGE, small=SMALL)
    budget.reserve(LARGE)
    budget.reserve(SMALL)
    with pytest.raises(RpcError):
        budget.reserve(1)


def test_one_request_is_taken_however_large_it_is() -> None:
    budget = BytesInFlight(large=LARGE)
    budget.reserve(10 * LARGE)
    assert budget.held == 10 * LARGE


def test_a_request_that_grows_moves_among_the_large_ones() -> None:
    budget = BytesInFlight(large=LARGE, small=SMALL)
    growing = budget.reserve(SMALL)
    growing.grow(LARGE)
    budget.reserve(SMALL)
    growing.grow(1)  # it never shrinks
    assert budget.held == SMALL + LARGE


def test_a_refused_request_keeps_what_it_had_until_it_is_released() -> None:
    budget = BytesInFlight(large=LARGE)
    budget.reserve(LARGE)
    small = budget.reserve(5)
    with pytest.raises(RpcError):
        small.grow(LARGE)
    assert budget.held == LARGE + 5
    small.release()
    assert budget.held == LARGE


def test_what_somebody_keeps_counts_until_everybody_let_go() -> None:
    budget = BytesInFlight()
    kept = budget.reserve(LARGE)
    kept.keep()
    kept.release()
    assert budget.held == LARGE
    kept.release()
    assert budget.held == 0
