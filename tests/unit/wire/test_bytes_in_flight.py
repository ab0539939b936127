"""What a server holds of requests at once."""

import asyncio
import gzip
from collections.abc import Callable

import pytest

from openplaybook.wire.bytes_in_flight import SMALL, BytesInFlight, FairTurns, Inflation, T, at_once
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


async def _settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_who_comes_with_one_request_waits_for_one_of_each_other_caller_only() -> None:
    turns, served = FairTurns(1), list[str]()
    await turns.acquire("a")

    async def one(caller: str, number: int) -> None:
        await turns.acquire(caller)
        served.append(f"{caller}{number}")

    waiting = [asyncio.create_task(one(*each)) for each in (("a", 1), ("a", 2), ("a", 3), ("b", 1), ("c", 1), ("c", 2))]
    await _settled()
    assert served == []
    for _ in waiting:
        turns.release()
        await _settled()

    assert served == ["a1", "b1", "c1", "a2", "c2", "a3"]


async def test_a_place_goes_back_when_nobody_waits() -> None:
    turns = FairTurns(1)
    for _ in range(3):
        await asyncio.wait_for(turns.acquire("a"), 5)
        turns.release()
    await turns.acquire("a")
    second = asyncio.create_task(turns.acquire("b"))
    await _settled()
    assert not second.done()
    turns.release()
    await second


async def test_who_gives_up_loses_no_place() -> None:
    turns = FairTurns(1)
    await turns.acquire("a")
    gone, late = (asyncio.create_task(turns.acquire("b")) for _ in range(2))
    last = asyncio.create_task(turns.acquire("c"))
    await _settled()
    gone.cancel()
    await _settled()
    turns.release()
    # Given in this very moment, and given up.
    late.cancel()
    last.cancel()
    ends = await asyncio.gather(gone, late, last, return_exceptions=True)

    assert [type(each) for each in ends] == [asyncio.CancelledError] * 3
    await asyncio.wait_for(turns.acquire("a"), 5)


LARGE_BODY = gzip.compress(b"x" * (2 * SMALL))


def any_size(size: int) -> None:
    """No limit."""


async def test_who_sends_many_waits_for_its_own_and_others_have_their_turn() -> None:
    budget, ended = BytesInFlight(), list[str]()

    async def inflate(caller: str) -> None:
        inflation = Inflation("body", "gzip", budget.reserve(caller=caller), at_once)
        assert len(await inflation.plain(LARGE_BODY, any_size)) == 2 * SMALL
        ended.append(caller)

    await budget.inflating.acquire("first")
    waiting = [asyncio.create_task(inflate(caller)) for caller in ("many", "many", "many", "one")]
    for _ in range(5):
        await asyncio.sleep(0)
    budget.inflating.release()
    await asyncio.gather(*waiting)

    assert ended == ["many", "one", "many", "many"]


async def test_what_is_small_waits_for_no_other() -> None:
    budget = BytesInFlight()
    await budget.inflating.acquire("another")
    small = Inflation("body", "gzip", budget.reserve(caller="one"), at_once)
    assert len(await asyncio.wait_for(small.plain(gzip.compress(b"x" * SMALL), any_size), 5)) == SMALL


async def test_who_gives_up_in_the_midst_gives_its_turn_back() -> None:
    budget, begun = BytesInFlight(), asyncio.Event()

    async def never(work: Callable[[], T], size: int) -> T:
        if size > SMALL:
            begun.set()
            await asyncio.Event().wait()
        return work()

    stuck = asyncio.create_task(Inflation("body", "gzip", budget.reserve(), never).plain(LARGE_BODY, any_size))
    await begun.wait()
    stuck.cancel()
    await asyncio.gather(stuck, return_exceptions=True)
    await asyncio.wait_for(Inflation("body", "gzip", budget.reserve(), at_once).plain(LARGE_BODY, any_size), 5)
