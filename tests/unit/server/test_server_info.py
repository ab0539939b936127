"""Whether code runs here, looked at again now and then."""

import asyncio

import pytest

from openplaybook.sandbox.base import ExecutorReport, Layer
from openplaybook.server.server_info import RECENT_S, RecentReport
from tests.kit.code import PlayedExecutor


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Machine(PlayedExecutor):
    """Loses its sandbox when it is told to."""

    looks = 0
    is_broken = False

    async def report(self) -> ExecutorReport:
        self.looks += 1
        await asyncio.sleep(0)
        return ExecutorReport("forkserver", [Layer("namespaces", not self.is_broken, "they are off")])


async def test_one_look_is_told_to_all_until_it_is_old() -> None:
    machine, clock = Machine(()), Clock()
    report = RecentReport(machine, clock)
    assert await asyncio.gather(report.reason(), report.reason()) == ["", ""]
    machine.is_broken = True
    clock.now += RECENT_S
    assert (await report.reason(), machine.looks) == ("", 1)
    clock.now += 1
    # Nobody waits for the new look, and the next caller hears of it.
    assert await report.reason() == ""
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert "they are off" in await report.reason()
    assert machine.looks == 2


async def test_a_look_that_fails_is_repeated() -> None:
    class Broken(Machine):
        async def report(self) -> ExecutorReport:
            self.looks += 1
            raise OSError("no more processes")

    machine = Broken(())
    report = RecentReport(machine)
    for _ in range(2):
        with pytest.raises(OSError, match="no more processes"):
            await report.reason()
    assert machine.looks == 2
