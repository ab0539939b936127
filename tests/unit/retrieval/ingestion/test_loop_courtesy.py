from dataclasses import dataclass, field

import pytest

from openplaybook.retrieval.ingestion.loop_courtesy import LoopCourtesy


@dataclass
class Loop:
    """An event loop whose thread computes for a part of the time, until it has nothing else to do."""

    busy: float
    busy_until: float = float("inf")
    now: float = 0.0
    computed: float = 0.0
    slept: list[float] = field(default_factory=list[float])

    def clock(self) -> float:
        return self.now

    def processor_time(self) -> float:
        return self.computed

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.computed += self.busy * max(min(seconds, self.busy_until - self.now), 0.0)
        self.now += seconds

    def courtesy(self) -> LoopCourtesy:
        return LoopCourtesy(clock=self.clock, processor_time=self.processor_time, sleep=self.sleep)


async def test_an_import_that_is_alone_rests_for_milliseconds() -> None:
    loop = Loop(busy=0.02)
    courtesy = loop.courtesy()
    loop.now += 10.0
    await courtesy.rest()
    assert sum(loop.slept) == pytest.approx(0.005)


@pytest.mark.parametrize(("worked", "rested"), [(0.1, 0.6), (0.3, 1.8), (60.0, 3.0)])
async def test_an_import_beside_turns_rests_longer_than_it_worked_but_not_for_ever(
    worked: float, rested: float
) -> None:
    loop = Loop(busy=0.4)
    courtesy = loop.courtesy()
    loop.now += worked
    await courtesy.rest()
    assert rested <= sum(loop.slept) < rested + 0.06


async def test_what_was_rested_is_no_work() -> None:
    loop = Loop(busy=0.4)
    courtesy = loop.courtesy()
    loop.now += 1.0
    await courtesy.rest()
    loop.slept.clear()
    loop.now += 0.1
    await courtesy.rest()
    assert 0.6 <= sum(loop.slept) < 0.66


async def test_an_import_goes_on_soon_after_the_turns() -> None:
    loop = Loop(busy=0.4, busy_until=10.2)
    courtesy = loop.courtesy()
    loop.now += 10.0
    await courtesy.rest()
    assert 0.2 <= sum(loop.slept) < 0.31
