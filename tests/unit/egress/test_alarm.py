"""A limit on the time of a block."""

import asyncio

import pytest

from openplaybook.egress.alarm import Alarm


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
