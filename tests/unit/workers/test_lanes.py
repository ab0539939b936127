"""Lanes: bounded threads of one purpose, with deadlines."""

import asyncio
import gc
import threading
import weakref
from contextlib import suppress
from contextvars import ContextVar

import pytest

from openplaybook.workers.errors import WorkersBusy, WorkTimedOut
from openplaybook.workers.lanes import Lane

PLACE: ContextVar[str] = ContextVar("place", default="")


def lane(threads: int = 1, waiting: int = 1, seconds: float = 5) -> Lane:
    return Lane("tests", threads=threads, waiting=waiting, seconds=seconds)


async def until_begun(begun: threading.Event) -> None:
    await asyncio.to_thread(begun.wait, 5)
    assert begun.is_set()


class Held:
    """Work that goes on until it is let go."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.go = threading.Event()
        self.is_done = False

    def __call__(self) -> str:
        self.begun.set()
        self.go.wait(10)
        self.is_done = True
        return "held"


async def test_work_gives_its_result() -> None:
    assert await lane().run(lambda: 7) == 7


async def test_work_runs_in_a_daemon_thread_of_the_lane() -> None:
    thread = await lane().run(threading.current_thread)
    assert (thread.name, thread.daemon) == ("openplaybook-tests-1", True)


async def test_what_work_raises_is_raised() -> None:
    def fail() -> None:
        raise LookupError("not there")

    with pytest.raises(LookupError, match="not there"):
        await lane().run(fail)


async def test_a_timeout_that_work_raises_itself_is_its_own() -> None:
    def fail() -> None:
        raise TimeoutError("a peer's")

    with pytest.raises(TimeoutError, match="a peer's"):
        await lane().run(fail)


async def test_context_variables_are_carried_over() -> None:
    PLACE.set("here")
    assert await lane().run(PLACE.get) == "here"


async def test_one_thread_is_used_again() -> None:
    several = lane(threads=4, waiting=0)
    names = {(await several.run(threading.current_thread)).name for _ in range(200)}
    assert names == {"openplaybook-tests-1"}


async def test_more_than_may_wait_are_refused_at_once() -> None:
    full, held = lane(), Held()
    first = asyncio.create_task(full.run(held))
    await until_begun(held.begun)
    second = asyncio.create_task(full.run(lambda: "waited"))
    await asyncio.sleep(0)
    with pytest.raises(WorkersBusy, match="too much work on tests is waiting; try again in 1 s") as refusal:
        await full.run(lambda: "refused")
    assert (refusal.value.code, refusal.value.retry_after_s) == ("WORKERS_BUSY", 1.0)
    held.go.set()
    assert (await first, await second) == ("held", "waited")


async def test_work_past_its_deadline_is_given_up() -> None:
    slow, held = lane(), Held()
    with pytest.raises(WorkTimedOut, match=r"the work on tests takes more than 0\.05 s, waiting included") as refusal:
        await slow.run(held, seconds=0.05)
    refused = refusal.value
    assert (refused.code, refused.seconds, refused.was_begun) == ("WORK_TIMED_OUT", 0.05, held.begun.is_set())
    held.go.set()
    assert await slow.run(lambda: "next") == "next"


async def test_work_that_waited_past_its_deadline_is_never_begun() -> None:
    full, held, late = lane(), Held(), Held()
    first = asyncio.create_task(full.run(held))
    await until_begun(held.begun)
    with pytest.raises(WorkTimedOut) as refusal:
        await full.run(late, seconds=0.05)
    assert (refusal.value.was_begun, full.waiting) == (False, 0)
    held.go.set()
    assert await first == "held"
    assert await full.run(lambda: "next") == "next"
    assert not late.begun.is_set()


async def test_a_caller_that_is_cancelled_gives_up_its_place() -> None:
    full, held = lane(), Held()
    first = asyncio.create_task(full.run(held))
    await until_begun(held.begun)
    second = asyncio.create_task(full.run(lambda: "waited"))
    await asyncio.sleep(0)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    assert full.waiting == 0
    held.go.set()
    assert await first == "held"


async def test_lanes_do_not_wait_for_each_other() -> None:
    one, other, held = lane(), lane(), Held()
    stuck = asyncio.create_task(one.run(held))
    await until_begun(held.begun)
    assert await other.run(lambda: "at once") == "at once"
    held.go.set()
    assert await stuck == "held"


async def test_as_many_jobs_as_threads_run_at_once() -> None:
    both, held = lane(threads=2), [Held(), Held()]
    jobs = [asyncio.create_task(both.run(each)) for each in held]
    for each in held:
        await until_begun(each.begun)
    for each in held:
        each.go.set()
    assert await asyncio.gather(*jobs) == ["held", "held"]


def test_a_loop_that_ends_waits_for_no_work() -> None:
    shared, held = lane(), Held()

    async def give_up() -> None:
        with pytest.raises(WorkTimedOut):
            await shared.run(held, seconds=0.05)

    asyncio.run(give_up())
    assert not held.is_done
    held.go.set()
    # The lane goes on for the next loop, though the first is closed.
    assert asyncio.run(shared.run(lambda: "next")) == "next"


async def test_a_thousand_jobs_are_all_done() -> None:
    wide = Lane("tests", threads=3, waiting=2_000, seconds=30)

    def same(number: int) -> int:
        return number

    found = await asyncio.gather(*(wide.run(lambda number=number: same(number)) for number in range(1_000)))
    assert found == list(range(1_000))


class Large:
    """Whatever work is done on."""


async def test_what_failed_is_not_kept_until_the_collector_comes() -> None:
    large = Large()
    seen = weakref.ref(large)

    def work(large: Large = large) -> None:
        raise ValueError("It does not work.")

    del large
    place = lane()
    gc.disable()
    try:
        with suppress(ValueError):
            await place.run(work)
        del work
        # The thread lets its job go when it has told of it.
        await place.run(lambda: None)
        assert seen() is None
    finally:
        gc.enable()
