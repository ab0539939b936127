"""When warm interpreters start, are replaced, and end; those of this page are only timed."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from openplaybook.sandbox.base import Ended, Execution, Request, SandboxUnavailable, ToolCaller
from openplaybook.sandbox.local.local_settings import DEFAULT_SCHEDULE, Schedule
from openplaybook.sandbox.local.warm_servers import WarmServers

REQUEST = Request(code="")


class Kettle:
    """Something warm."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.alive = True
        self.executions = 0
        self.started_at = time.monotonic()
        self.is_closed = asyncio.Event()

    async def execute(self, request: Request, caller: ToolCaller | None = None) -> Execution:
        self.executions += 1
        return Execution(ended=Ended.EXIT, exit_code=0, stdout=str(self.number), stderr="")

    async def dies(self, within_s: float) -> bool:
        return not self.alive

    async def aclose(self) -> None:
        self.is_closed.set()


class Kitchen:
    """Makes them, as soon as it may."""

    def __init__(self) -> None:
        self.made: list[Kettle] = []
        self.may_start = asyncio.Event()
        self.may_start.set()
        self.broken = ""

    async def start(self) -> Kettle:
        await self.may_start.wait()
        if self.broken:
            raise SandboxUnavailable(self.broken)
        self.made.append(Kettle(len(self.made) + 1))
        return self.made[-1]


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


def warm(kitchen: Kitchen, stack: AsyncExitStack, schedule: Schedule = DEFAULT_SCHEDULE) -> WarmServers:
    servers = WarmServers(kitchen.start, schedule)
    stack.push_async_callback(servers.aclose)
    return servers


async def used(servers: WarmServers, tenant: str = "t") -> int:
    """The number of the one that served."""
    async with servers.using(tenant) as server:
        return int((await server.execute(REQUEST)).stdout)


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_each_tenant_has_its_own_and_keeps_it(stack: AsyncExitStack) -> None:
    kitchen = Kitchen()
    servers = warm(kitchen, stack)
    assert servers.started == 0
    assert [await used(servers, tenant) for tenant in ("a", "b", "a", "b")] == [1, 2, 1, 2]
    assert (servers.standing, servers.started) == (2, 2)


async def test_all_who_wait_for_a_start_share_it_and_one_may_go_away(stack: AsyncExitStack) -> None:
    kitchen = Kitchen()
    kitchen.may_start.clear()
    servers = warm(kitchen, stack)
    waiting = [asyncio.create_task(used(servers)) for _ in range(3)]
    await settle()
    waiting[0].cancel()
    await settle()
    kitchen.may_start.set()
    assert await asyncio.gather(*waiting[1:]) == [1, 1]
    assert servers.started == 1


async def test_a_start_that_fails_is_told_to_all_and_tried_again_by_the_next(stack: AsyncExitStack) -> None:
    kitchen = Kitchen()
    kitchen.broken = "no namespaces"
    servers = warm(kitchen, stack)
    failed = await asyncio.gather(used(servers), used(servers), return_exceptions=True)
    assert [str(error) for error in failed] == ["no namespaces"] * 2
    kitchen.broken = ""
    assert await used(servers) == 1


async def test_one_that_died_is_replaced(stack: AsyncExitStack) -> None:
    kitchen = Kitchen()
    servers = warm(kitchen, stack)
    await used(servers)
    kitchen.made[0].alive = False
    assert await used(servers) == 2
    await settle()
    assert kitchen.made[0].is_closed.is_set()
    assert (servers.standing, servers.started) == (1, 2)


async def test_after_so_many_executions_another_starts_while_the_old_one_serves(stack: AsyncExitStack) -> None:
    kitchen = Kitchen()
    servers = warm(kitchen, stack, Schedule(executions=2))
    assert [await used(servers) for _ in range(2)] == [1, 1]
    kitchen.may_start.clear()
    assert [await used(servers) for _ in range(2)] == [1, 1]
    kitchen.may_start.set()
    await settle()
    assert await used(servers) == 2
    await settle()
    assert [kettle.is_closed.is_set() for kettle in kitchen.made] == [True, False]


async def test_after_so_much_time_another_takes_its_place(stack: AsyncExitStack) -> None:
    kitchen = Kitchen()
    servers = warm(kitchen, stack, Schedule(age_s=1000.0))
    await used(servers)
    kitchen.made[0].started_at -= 1001.0
    assert await used(servers) == 1
    await settle()
    assert await used(servers) == 2


async def test_one_that_is_replaced_finishes_what_it_runs(stack: AsyncExitStack) -> None:
    kitchen = Kitchen()
    servers = warm(kitchen, stack, Schedule(executions=1))
    async with servers.using("t") as old:
        await old.execute(REQUEST)
        await used(servers)
        await settle()
        assert await used(servers) == 2
        await settle()
        assert not kitchen.made[0].is_closed.is_set()
    await kitchen.made[0].is_closed.wait()


async def test_a_successor_that_does_not_start_leaves_the_old_one_no_longer_in_use(stack: AsyncExitStack) -> None:
    kitchen = Kitchen()
    servers = warm(kitchen, stack, Schedule(executions=1))
    await used(servers)
    kitchen.broken = "no memory"
    assert await used(servers) == 1
    await settle()
    with pytest.raises(SandboxUnavailable, match="no memory"):
        await used(servers)
    await kitchen.made[0].is_closed.wait()


async def test_beyond_so_many_tenants_the_one_not_used_for_longest_goes(stack: AsyncExitStack) -> None:
    kitchen = Kitchen()
    servers = warm(kitchen, stack, Schedule(tenants=2))
    assert [await used(servers, tenant) for tenant in ("a", "b", "a", "c")] == [1, 2, 1, 3]
    await kitchen.made[1].is_closed.wait()
    assert [kettle.is_closed.is_set() for kettle in kitchen.made] == [False, True, False]
    assert [await used(servers, tenant) for tenant in ("a", "c", "b")] == [1, 3, 4]


async def test_one_that_nobody_uses_goes_after_a_while_with_its_successor(stack: AsyncExitStack) -> None:
    kitchen = Kitchen()
    servers = warm(kitchen, stack, Schedule(idle_s=0.2, executions=1))
    await used(servers)
    kitchen.may_start.clear()
    assert await used(servers) == 1
    await kitchen.made[0].is_closed.wait()
    kitchen.may_start.set()
    await settle()
    assert [kettle.is_closed.is_set() for kettle in kitchen.made] == [True, True]
    assert servers.standing == 0


async def test_one_in_use_does_not_go(stack: AsyncExitStack) -> None:
    kitchen = Kitchen()
    servers = warm(kitchen, stack, Schedule(idle_s=0.001))
    async with servers.using("long"):
        await used(servers, "short")
        await kitchen.made[1].is_closed.wait()
        assert not kitchen.made[0].is_closed.is_set()
        assert await used(servers, "long") == 1


async def test_at_the_end_all_go_whatever_they_run_and_none_starts_any_more() -> None:
    kitchen = Kitchen()
    servers = WarmServers(kitchen.start, Schedule())
    async with servers.using("runs"):
        kitchen.may_start.clear()
        waiting = asyncio.create_task(used(servers, "starts"))
        await settle()
        await servers.aclose()
        assert kitchen.made[0].is_closed.is_set()
        with pytest.raises(SandboxUnavailable):
            await waiting
    with pytest.raises(SandboxUnavailable, match="no code runs any more"):
        await used(servers)
    assert servers.standing == 0


async def test_one_that_is_ended_before_its_first_step_keeps_nobody_waiting() -> None:
    servers = WarmServers(Kitchen().start, DEFAULT_SCHEDULE)
    waiting = asyncio.create_task(used(servers))
    await asyncio.sleep(0)
    await servers.aclose()
    with pytest.raises(SandboxUnavailable, match="no code runs any more"):
        await waiting


async def test_a_fault_of_our_own_while_one_starts_keeps_nobody_waiting(caplog: pytest.LogCaptureFixture) -> None:
    async def broken() -> Kettle:
        raise ZeroDivisionError

    servers = WarmServers(broken, DEFAULT_SCHEDULE)
    with pytest.raises(SandboxUnavailable, match="could not be started"):
        await used(servers)
    await servers.aclose()
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [ZeroDivisionError]
