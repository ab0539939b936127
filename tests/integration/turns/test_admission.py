import asyncio
import gc
import time
from weakref import ref

import pytest

from openplaybook.storage.base import Lease, Started, Store, TurnState
from openplaybook.turns.errors import SessionBusy
from openplaybook.turns.session.repeats import Deliveries
from openplaybook.turns.session.turn_admission import TurnAdmission
from tests.integration.turns.conftest import asked
from tests.kit.agents import SESSION

FIRST = ("begin", b"{}")


def admission(store: Store, owner: str) -> TurnAdmission:
    return TurnAdmission(store, owner, Deliveries(store))


async def test_requests_of_one_session_pass_one_by_one_in_their_order(store: Store) -> None:
    ours = admission(store, "o")
    passed: list[int] = []

    async def pass_through(number: int) -> None:
        async with ours.queue(SESSION, 5):
            await asyncio.sleep(0)
            passed.append(number)

    await asyncio.gather(*(pass_through(number) for number in range(5)))
    assert passed == [0, 1, 2, 3, 4]


async def test_sessions_do_not_wait_for_each_other(store: Store) -> None:
    ours = admission(store, "o")
    inside: set[str] = set()
    async with ours.queue("one", 5):
        inside.add("one")
        async with ours.queue("two", 5):
            inside.add("two")
    assert inside == {"one", "two"}


async def test_who_waits_longer_than_its_time_is_told_and_the_queue_goes_on(store: Store) -> None:
    ours = admission(store, "o")
    async with ours.queue(SESSION, 5):
        with pytest.raises(SessionBusy):
            async with ours.queue(SESSION, 0.001):
                pytest.fail("two at once")
    async with ours.queue(SESSION, 0.001):
        pass


async def test_the_turn_of_another_owner_is_waited_for_until_it_ends(store: Store) -> None:
    theirs = await admission(store, "theirs").begin(asked("hi"), "theirs", FIRST, 1)
    assert isinstance(theirs, Started)
    waiting = asyncio.create_task(admission(store, "ours").begin(asked("hi"), "ours", FIRST, 5))
    await store.finish_turn(theirs.lease, state=TurnState.DONE, response=b"{}", session_state=b"{}")
    ours = await waiting
    assert isinstance(ours, Started)
    assert (ours.lease.number, ours.lease.owner) == (2, "ours")


async def test_the_turn_of_another_owner_that_does_not_end_is_given_up_on(store: Store) -> None:
    await admission(store, "theirs").begin(asked("hi"), "theirs", FIRST, 1)
    with pytest.raises(SessionBusy, match="Another turn of session s is still running"):
        await admission(store, "ours").begin(asked("hi"), "ours", FIRST, 0.05)


async def test_a_session_lives_as_long_as_asked_and_never_longer_than_a_day(store: Store) -> None:
    lives: list[float] = []
    for ttl in (60.0, 7 * 24 * 3600.0, None):
        begun = await admission(store, "o").begin(asked("hi", session_ttl_s=ttl), str(ttl), FIRST, 1)
        assert isinstance(begun, Started)
        await store.finish_turn(begun.lease, state=TurnState.DONE, response=b"{}", session_state=b"{}")
        session = await store.session(SESSION)
        assert session is not None
        steps = await store.history(SESSION, turns=1)
        lives.append((session.expires_us - steps[0].time_us) / 1e6)
    assert [round(life, -1) for life in lives] == [60, 24 * 3600, 30 * 60]


async def test_a_lease_that_is_let_go_leaves_nothing_for_the_garbage_collector(store: Store) -> None:
    lease = Lease(SESSION, "turn-1", 1, "o", 1)
    gc.disable()
    try:
        async with admission(store, "o").hold(lease, time.monotonic()) as held:
            known = ref(held)
        del held
        assert known() is None
    finally:
        gc.enable()
