"""Machines that sessions keep."""

from dataclasses import dataclass

from openplaybook.sandbox.remote.base import ArchiveExit
from openplaybook.sandbox.remote.kept_machines import KeptMachines


@dataclass(frozen=True)
class Nothing:
    """A machine that nobody asks for anything."""

    name: str

    async def put(self, name: str, data: bytes) -> None: ...

    async def run(self, archive: str, seconds: float) -> ArchiveExit:
        return ArchiveExit(0, "")

    async def get(self, name: str, most: int) -> bytes:
        return b""

    async def keep(self, seconds: float) -> None: ...

    async def release(self) -> None: ...


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def kept(most: int) -> tuple[KeptMachines, list[object], Clock]:
    released: list[object] = []
    clock = Clock()
    return KeptMachines(most, 10.0, released.append, clock), released, clock


def test_a_session_finds_its_machine_again() -> None:
    machines, released, _ = kept(2)
    machines.of(("t", "a")).machine = Nothing("a")
    assert machines.of(("t", "a")).machine == Nothing("a")
    assert machines.of(("u", "a")).machine is None
    assert released == []


def test_beyond_the_number_the_longest_unused_is_released() -> None:
    machines, released, _ = kept(2)
    for name in "abac":
        machines.of(("t", name)).machine = Nothing(name)
    assert released == [Nothing("b")]


def test_what_was_not_used_for_long_is_released() -> None:
    machines, released, clock = kept(9)
    machines.of(("t", "a")).machine = Nothing("a")
    clock.now = 11.0
    assert machines.of(("t", "b")).machine is None
    assert released == [Nothing("a")]


def test_the_session_that_asks_is_never_released_by_its_own_asking() -> None:
    machines, released, clock = kept(0)
    machines.of(("t", "a")).machine = Nothing("a")
    clock.now = 99.0
    assert machines.of(("t", "a")).machine == Nothing("a")
    assert released == []


def test_a_machine_that_somebody_uses_or_waits_for_is_not_released() -> None:
    machines, released, clock = kept(1)
    place = machines.of(("t", "a"))
    place.machine, place.users = Nothing("a"), 1
    clock.now = 99.0
    machines.of(("t", "b"))
    assert released == []
    place.users = 0
    machines.of(("t", "c"))
    assert released == [Nothing("a")]


def test_closing_releases_all() -> None:
    machines, released, _ = kept(9)
    for name in "ab":
        machines.of(("t", name)).machine = Nothing(name)
    machines.close()
    machines.close()
    assert released == [Nothing("a"), Nothing("b")]
