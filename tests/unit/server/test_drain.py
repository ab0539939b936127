"""How long what runs may still take."""

from openplaybook.server.drain import Drain


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_all_parts_share_one_budget() -> None:
    clock, given = Clock(), list[float]()
    drain = Drain(25, clock)

    async def finish(left: float) -> None:
        given.append(left)
        clock.now += 10

    drain.start_clock()
    for _ in range(4):
        await drain.give(finish)
    assert given == [25, 15, 5, 0]


async def test_it_begins_once_and_who_waits_is_told() -> None:
    drain = Drain(25, Clock())
    assert not drain.is_begun
    drain.begin()
    drain.begin()
    await drain.begun()
    assert drain.is_begun


async def test_until_the_clock_is_started_nothing_is_used_up() -> None:
    clock = Clock()
    drain = Drain(25, clock)
    drain.begin()
    clock.now += 60
    drain.start_clock()
    assert drain.left() == 25


async def test_a_server_that_fails_at_its_start_lets_its_parts_finish_too() -> None:
    assert Drain(25, Clock()).left() == 25


async def test_in_a_hurry_nothing_is_waited_for() -> None:
    drain = Drain(25, Clock())
    drain.start_clock()
    drain.hurry()
    assert (drain.is_begun, drain.left()) == (True, 0)
