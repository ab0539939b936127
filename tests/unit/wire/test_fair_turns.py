import asyncio

from openplaybook.wire.fair_turns import FairTurns


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
        await turns.acquire("a")
        turns.release()


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
    await asyncio.gather(gone, late, last, return_exceptions=True)

    await asyncio.wait_for(turns.acquire("a"), 5)
