"""Places for calls that run at once."""

import asyncio
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from openplaybook.egress.origins import CallSlots


async def waiting(places: CallSlots) -> "asyncio.Task[None]":
    task = asyncio.create_task(places.wait())
    await asyncio.sleep(0)
    return task


def test_a_place_is_free_until_all_are_taken() -> None:
    places = CallSlots(2)
    assert [places.take() for _ in range(3)] == [True, True, False]
    places.give_back()
    assert [places.take(), places.take()] == [True, False]


async def test_who_waits_longest_is_next_and_nobody_jumps_the_queue() -> None:
    places = CallSlots(1)
    assert places.take()
    first, second = await waiting(places), await waiting(places)
    places.give_back()
    assert not places.take()
    await first
    assert not second.done()
    places.give_back()
    await second


async def test_a_place_goes_past_who_gave_up() -> None:
    places = CallSlots(1)
    assert places.take()
    first, second = await waiting(places), await waiting(places)
    first.cancel()
    await asyncio.wait([first])
    places.give_back()
    await second


async def test_a_place_given_to_who_gives_up_at_that_moment_is_passed_on() -> None:
    places = CallSlots(1)
    assert places.take()
    first = await waiting(places)
    places.give_back()
    first.cancel()
    await asyncio.wait([first])
    assert first.cancelled()
    assert places.take()


@given(st.lists(st.sampled_from(["enter", "leave", "cancel"]), max_size=60), st.integers(1, 4))
def test_never_more_are_in_than_there_are_places_and_none_is_lost(steps: Sequence[str], count: int) -> None:
    asyncio.run(_play(steps, count))


async def _play(steps: Sequence[str], count: int) -> None:
    places, inside, queue = CallSlots(count), 0, list[asyncio.Task[None]]()
    for step in steps:
        if step == "enter":
            if places.take():
                inside += 1
            else:
                queue.append(await waiting(places))
        elif step == "leave" and inside:
            places.give_back()
            inside -= 1
        elif step == "cancel" and queue:
            queue[0].cancel()
        await asyncio.sleep(0)
        arrived = [task for task in queue if task.done()]
        inside += sum(not task.cancelled() for task in arrived)
        queue = [task for task in queue if not task.done()]
        assert inside <= count
        assert inside == count or not queue
    for task in queue:
        task.cancel()
    await asyncio.gather(*queue, return_exceptions=True)
    for _ in range(inside):
        places.give_back()
    assert [places.take() for _ in range(count + 1)] == [True] * count + [False]
