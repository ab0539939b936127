"""Who waits, and who comes next."""

import asyncio

import pytest

from openplaybook.sandbox.base import SandboxUnavailable
from openplaybook.sandbox.local.execution_queue import ExecutionQueue, SessionTurns

LONG = 60.0


class Hall:
    """People who want in, told by name; each stays until let go."""

    def __init__(self, places: int) -> None:
        self.admission = ExecutionQueue(places)
        self.inside: list[str] = []
        self.leave: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def come(self, *names: str) -> None:
        """The first letter of a name is its tenant."""
        for name in names:
            self.leave[name] = asyncio.Event()
            self._tasks[name] = asyncio.create_task(self._stay(name))
            await settle()

    async def _stay(self, name: str) -> None:
        async with self.admission.admitted(name[0], LONG):
            self.inside.append(name)
            await self.leave[name].wait()
            self.inside.remove(name)

    async def go(self, name: str) -> None:
        self.leave[name].set()
        await settle()

    async def give_up(self, name: str) -> None:
        self._tasks[name].cancel()
        await settle()


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_those_beyond_the_places_wait_and_come_in_order() -> None:
    hall = Hall(2)
    await hall.come("a1", "a2", "a3", "a4")
    assert (hall.inside, hall.admission.running, hall.admission.waiting) == (["a1", "a2"], 2, 2)
    await hall.go("a2")
    assert hall.inside == ["a1", "a3"]
    await hall.go("a1")
    await hall.go("a3")
    await hall.go("a4")
    assert (hall.inside, hall.admission.running, hall.admission.waiting) == ([], 0, 0)


async def test_a_tenant_with_many_waits_no_less_than_one_with_few() -> None:
    hall = Hall(1)
    await hall.come("a1", "a2", "a3", "a4", "b1", "c1", "b2")
    came: list[str] = []
    for _ in range(7):
        [name] = hall.inside
        came.append(name)
        await hall.go(name)
    assert came == ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]


async def test_who_gives_up_while_waiting_leaves_no_trace() -> None:
    hall = Hall(1)
    await hall.come("a1", "a2", "b1")
    await hall.give_up("a2")
    assert hall.admission.waiting == 1
    await hall.go("a1")
    assert hall.inside == ["b1"]
    await hall.go("b1")
    assert (hall.admission.running, hall.admission.waiting) == (0, 0)


async def test_a_place_given_to_who_gives_up_in_that_moment_goes_to_the_next() -> None:
    hall = Hall(1)
    await hall.come("a1", "a2", "a3")
    hall.leave["a1"].set()
    await asyncio.sleep(0)
    await hall.give_up("a2")
    assert hall.inside == ["a3"]
    await hall.go("a3")
    assert hall.admission.running == 0


async def test_who_is_ended_inside_gives_its_place_back() -> None:
    hall = Hall(1)
    await hall.come("a1", "a2")
    await hall.give_up("a1")
    assert hall.admission.running == 1
    await hall.go("a2")
    assert hall.admission.running == 0


async def test_who_waits_for_longer_than_it_has_patience_is_told_why() -> None:
    hall = Hall(1)
    await hall.come("a1")
    with pytest.raises(
        SandboxUnavailable,
        match=r"^1 executions are running and 0 are waiting; none started within 0\.\d s\. Try again",
    ):
        async with hall.admission.admitted("b", 0.01):
            raise AssertionError("there was no place")
    await hall.go("a1")
    assert (hall.admission.running, hall.admission.waiting) == (0, 0)


async def test_a_session_is_used_by_one_at_a_time_and_others_are_not_held_up() -> None:
    turns, log, first_is_done = SessionTurns(), list[str](), asyncio.Event()

    async def use(name: str, tenant: str, session: str) -> None:
        async with turns.alone(tenant, session):
            log.append(name)
            if name == "first":
                await first_is_done.wait()

    async with asyncio.TaskGroup() as group:
        group.create_task(use("first", "t", "s"))
        group.create_task(use("second", "t", "s"))
        group.create_task(use("of another tenant", "u", "s"))
        group.create_task(use("without", "t", ""))
        for _ in range(5):
            await asyncio.sleep(0)
        assert log == ["first", "of another tenant", "without"]
        first_is_done.set()
    assert log == ["first", "of another tenant", "without", "second"]
    assert turns.in_use == 0
