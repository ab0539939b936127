"""Whose turn it is to have what it compressed inflated."""

import asyncio
import gzip
from collections.abc import Callable

from openplaybook.wire.aside import T, at_once
from openplaybook.wire.bytes_in_flight import SMALL, BytesInFlight
from openplaybook.wire.inflation import Inflation

LARGE = gzip.compress(b"x" * (2 * SMALL))


def any_size(size: int) -> None:
    """No limit."""


async def test_who_sends_many_waits_for_its_own_and_others_have_their_turn() -> None:
    budget, ended = BytesInFlight(), list[str]()

    async def inflate(caller: str) -> None:
        inflation = Inflation("body", "gzip", budget.reserve(caller=caller), at_once)
        assert len(await inflation.plain(LARGE, any_size)) == 2 * SMALL
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

    stuck = asyncio.create_task(Inflation("body", "gzip", budget.reserve(), never).plain(LARGE, any_size))
    await begun.wait()
    stuck.cancel()
    await asyncio.gather(stuck, return_exceptions=True)
    await asyncio.wait_for(Inflation("body", "gzip", budget.reserve(), at_once).plain(LARGE, any_size), 5)
