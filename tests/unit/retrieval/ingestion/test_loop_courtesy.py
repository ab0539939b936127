from dataclasses import dataclass, field

import pytest

from openplaybook.retrieval.ingestion.loop_courtesy import LoopCourtesy


@dataclass
class Machine:
    """An event loop whose thread computes for a part of the time until it has nothing else to do, and an import."""

    busy: float
    busy_until: float = float("inf")
    background: float = 0.0
    """Part of the time that other threads compute while the import rests."""
    now: float = 0.0
    loop: float = 0.0
    others: float = 0.0
    slept: list[float] = field(default_factory=list[float])

    @property
    def rested(self) -> float:
        return sum(self.slept)

    def courtesy(self) -> LoopCourtesy:
        return LoopCourtesy(
            clock=lambda: self.now,
            loop_time=lambda: self.loop,
            process_time=lambda: self.loop + self.others,
            sleep=self.sleep,
        )

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.loop += self.busy * max(min(seconds, self.busy_until - self.now), 0.0)
        self.others += self.background * seconds
        self.now += seconds

    def work(self, seconds: float) -> None:
        """The import works, in threads."""
        self.others += seconds
        self.now += seconds


async def test_an_import_that_is_alone_rests_for_milliseconds() -> None:
    machine = Machine(busy=0.02)
    courtesy = machine.courtesy()
    machine.work(10.0)
    await courtesy.rest()
    assert machine.rested == pytest.approx(0.01)


async def test_an_import_that_is_alone_looks_every_half_second() -> None:
    machine = Machine(busy=0.02)
    courtesy = machine.courtesy()
    for _ in range(20):
        machine.work(0.1)
        await courtesy.rest()
    assert len(machine.slept) == 4


async def test_an_import_beside_turns_computes_for_an_eighth_of_the_time_or_so() -> None:
    machine = Machine(busy=0.4)
    courtesy = machine.courtesy()
    for _ in range(20):
        machine.work(0.1)
        await courtesy.rest()
    assert 0.09 < machine.others / machine.now <= 0.12


async def test_what_its_documents_cost_on_their_way_into_the_index_counts() -> None:
    machine = Machine(busy=0.4, background=0.08)
    courtesy = machine.courtesy()
    for _ in range(20):
        machine.work(0.05)
        await courtesy.rest()
    assert machine.others / machine.now <= 0.13


@pytest.mark.parametrize(("worked", "rested"), [(0.05, 1.0), (60.0, 3.0)])
async def test_an_import_gets_on_however_much_else_is_computed(worked: float, rested: float) -> None:
    machine = Machine(busy=0.4, background=1.0)
    courtesy = machine.courtesy()
    machine.work(worked)
    await courtesy.rest()
    assert rested <= machine.rested < rested + 0.21


async def test_an_import_goes_on_soon_after_the_turns() -> None:
    machine = Machine(busy=0.4, busy_until=10.2)
    courtesy = machine.courtesy()
    machine.work(10.0)
    await courtesy.rest()
    assert 0.2 <= machine.rested < 0.5


async def test_an_import_looks_closer_for_a_while_after_turns() -> None:
    machine = Machine(busy=0.4, busy_until=0.3)
    courtesy = machine.courtesy()
    machine.work(0.2)
    await courtesy.rest()
    machine.slept.clear()
    for _ in range(5):
        machine.work(1.0)
        await courtesy.rest()
    assert machine.slept == [0.2, 0.01, 0.01, 0.01, 0.01]


async def test_one_request_within_the_first_look_holds_an_import_up_for_a_moment_only() -> None:
    machine = Machine(busy=0.3, busy_until=0.208)
    courtesy = machine.courtesy()
    machine.work(0.2)
    await courtesy.rest()
    assert machine.slept == [0.01, 0.05]
    machine.work(0.6)
    await courtesy.rest()
    assert machine.slept == [0.01, 0.05, 0.01]
