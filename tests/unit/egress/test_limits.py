"""Limits that hold while an exchange waits."""

import asyncio

import pytest

from openplaybook.egress.limits import Alarm, Pace


async def test_what_takes_too_long_is_a_timeout_and_the_task_goes_on() -> None:
    with pytest.raises(TimeoutError), Alarm(0.001):
        await asyncio.Event().wait()
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0
    await asyncio.sleep(0)


async def test_what_is_quick_is_left_alone() -> None:
    with Alarm(0.0):
        pass
    for _ in range(3):
        await asyncio.sleep(0)


async def test_no_time_at_all_is_a_timeout() -> None:
    with pytest.raises(TimeoutError), Alarm(-1.0):
        await asyncio.Event().wait()


async def test_a_cancellation_from_elsewhere_stays_one() -> None:
    async def work() -> None:
        with Alarm(60):
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()


async def test_a_cancellation_that_meets_the_alarm_stays_one() -> None:
    async def work() -> None:
        with Alarm(0.0):
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_later(0, task.cancel)
    await asyncio.wait([task])
    assert task.cancelled()


async def test_an_error_of_the_block_passes() -> None:
    with pytest.raises(KeyError), Alarm(60):
        raise KeyError


LARGE = 2_000_000


async def test_one_piece_of_a_large_answer_passes_in_a_round_of_the_loop() -> None:
    pace, passed, rounds = Pace(), list[int](), 0

    async def read(number: int) -> None:
        for _ in range(3):
            await pace.keep(LARGE)
            passed.append(number)

    reading = [asyncio.create_task(read(number)) for number in range(4)]
    most = 0
    while not all(task.done() for task in reading):
        before = len(passed)
        await asyncio.sleep(0)
        rounds, most = rounds + 1, max(most, len(passed) - before)

    assert (most, len(passed)) == (1, 12)
    assert sorted(passed[:4]) == [0, 1, 2, 3]


async def test_a_small_answer_waits_for_nobody() -> None:
    pace = Pace()
    large = asyncio.create_task(pace.keep(LARGE))
    await asyncio.sleep(0)
    await pace.keep(1_000)

    assert not large.done()
    await large
