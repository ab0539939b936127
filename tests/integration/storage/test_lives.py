"""A session that expires, and begins anew."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from openplaybook.storage.base import (
    BeginTurn,
    Busy,
    KeptTurn,
    Lease,
    Orphaned,
    Recovered,
    Session,
    Started,
    Step,
    Store,
    TurnState,
)
from openplaybook.storage.errors import LeaseLost
from tests.kit.stored_turns import HOUR_US, LEASE_US, run, start


@pytest.fixture
def later(first: BeginTurn) -> BeginTurn:
    """A second request, by which the session lasts an hour more."""
    return replace(
        first,
        turn_id="turn-2",
        request_key="key-2",
        fingerprint="bye",
        owner="server-2",
        expires_us=first.expires_us + HOUR_US,
    )


async def test_an_expired_session_begins_anew_and_its_numbers_go_on(
    store: Store, first: BeginTurn, later: BeginTurn, advance: Callable[[int], None]
) -> None:
    await run(store, replace(first, steps=[("input", b"")]))
    advance(HOUR_US)
    lease = Lease(first.session, "turn-2", 2, "server-2", fence=2)
    assert await store.begin_turn(later) == Started(lease, None)
    assert await store.session(first.session) is None
    await store.finish_turn(lease, state=TurnState.DONE, response=b"two", session_state=b"new", steps=[("end", b"")])
    assert await store.session(first.session) == Session(first.session, b"new", 2, later.expires_us)
    assert [step.turn for step in await store.history(first.session)] == [2]
    assert [turn.number for turn in await store.kept_turns(first.session)] == [1, 2]


async def test_its_earlier_turns_stay_until_the_session_is_deleted(
    store: Store, first: BeginTurn, later: BeginTurn, now_us: Callable[[], int], advance: Callable[[int], None]
) -> None:
    start_us = now_us()
    await run(store, replace(first, steps=[("input", b"hello")]))
    advance(HOUR_US)
    await start(store, later)
    steps = [Step(1, 0, "input", b"hello", start_us)]
    kept = [KeptTurn(1, "turn-1", TurnState.DONE, start_us, start_us, b"answer", steps)]
    assert await store.kept_turns(first.session) == kept
    await store.delete_session(first.session)
    assert await store.kept_turns(first.session) == []


async def test_a_key_of_an_earlier_life_is_a_new_request(
    store: Store, first: BeginTurn, later: BeginTurn, advance: Callable[[int], None]
) -> None:
    await run(store, first)
    advance(HOUR_US)
    again = replace(later, request_key=first.request_key)
    assert (await start(store, again)).number == 2
    advance(LEASE_US)
    assert isinstance(await store.begin_turn(again), Recovered)


async def test_an_input_of_an_earlier_life_is_not_repeated(
    store: Store, first: BeginTurn, later: BeginTurn, advance: Callable[[int], None]
) -> None:
    await run(store, first)
    advance(HOUR_US)
    assert await store.answered(first.session, first.fingerprint) is None
    keyless = replace(later, request_key=None, fingerprint=first.fingerprint, joins=1)
    assert (await start(store, keyless)).number == 2
    assert await store.answered(first.session, first.fingerprint) is None


async def test_each_turn_lengthens_it(
    store: Store, first: BeginTurn, later: BeginTurn, advance: Callable[[int], None]
) -> None:
    await run(store, first, b"one")
    advance(HOUR_US - 1)
    await run(store, later, b"two")
    advance(HOUR_US)
    begun = await store.begin_turn(replace(first, turn_id="turn-3", request_key="key-3"))
    lease = Lease(first.session, "turn-3", 3, "server-1", fence=3)
    assert begun == Started(lease, Session(first.session, b"two", 2, first.expires_us))


async def test_a_turn_that_runs_keeps_its_session(
    store: Store, first: BeginTurn, later: BeginTurn, now_us: Callable[[], int], advance: Callable[[int], None]
) -> None:
    lease = await start(store, replace(first, expires_us=now_us() + 1))
    advance(2)
    assert await store.begin_turn(later) == Busy(now_us() - 2 + LEASE_US)
    await store.finish_turn(lease, state=TurnState.DONE, response=b"answer")
    assert await store.session(first.session) is None


class TestADeadTurnOfAnExpiredSession:
    @pytest.fixture
    async def dead(
        self, store: Store, first: BeginTurn, now_us: Callable[[], int], advance: Callable[[int], None]
    ) -> Lease:
        """A turn whose lease and whose session have ended."""
        lease = await start(store, replace(first, expires_us=now_us() + LEASE_US))
        advance(LEASE_US)
        return lease

    async def test_goes_on_with_its_own_key_and_the_session_lives_on(
        self, store: Store, first: BeginTurn, dead: Lease
    ) -> None:
        again = await store.begin_turn(replace(first, owner="server-2"))
        lease = replace(dead, owner="server-2", fence=2)
        assert again == Recovered(lease, None, [])
        await store.finish_turn(lease, state=TurnState.DONE, response=b"", session_state=b"s")
        assert await store.session(first.session) == Session(first.session, b"s", 1, first.expires_us)

    @pytest.mark.parametrize("same_words", [False, True])
    async def test_is_ended_before_anything_else_begins_a_new_life(
        self, store: Store, first: BeginTurn, later: BeginTurn, dead: Lease, same_words: bool
    ) -> None:
        asked = replace(later, request_key=None, fingerprint=first.fingerprint) if same_words else later
        orphaned = await store.begin_turn(asked)
        lease = replace(dead, owner="server-2", fence=2)
        assert orphaned == Orphaned(lease, None, [])
        with pytest.raises(LeaseLost):
            await store.append(dead, [("late", b"")])
        await store.finish_turn(lease, state=TurnState.STOPPED, session_state=b"ended")
        assert await store.session(first.session) is None
        assert await store.begin_turn(asked) == Started(Lease(first.session, "turn-2", 2, "server-2", fence=3), None)
