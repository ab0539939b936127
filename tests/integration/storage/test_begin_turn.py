"""`begin_turn`: who may run which turn of a session."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from openplaybook.storage.base import (
    Answered,
    BeginTurn,
    Busy,
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

ENDS = [TurnState.DONE, TurnState.FAILED, TurnState.STOPPED]


def other(begin: BeginTurn, number: int) -> BeginTurn:
    """Another request to the same session, to another server."""
    return replace(begin, turn_id=f"turn-{number}", request_key=f"key-{number}", owner=f"server-{number}")


class TestStarted:
    async def test_a_new_session_starts_without_a_state(self, store: Store, first: BeginTurn) -> None:
        lease = Lease(first.session, "turn-1", 1, "server-1", 1)
        assert await store.begin_turn(first) == Started(lease, None)

    async def test_the_next_turn_gets_the_state_that_the_last_one_left(self, store: Store, first: BeginTurn) -> None:
        await run(store, first, b"after one")
        expires_us = first.expires_us + HOUR_US
        begun = await store.begin_turn(replace(other(first, 2), expires_us=expires_us))
        session = Session(first.session, b"after one", turns=1, expires_us=expires_us)
        assert begun == Started(Lease(first.session, "turn-2", 2, "server-2", 2), session)

    async def test_first_rows_are_written_with_the_turn(self, store: Store, first: BeginTurn) -> None:
        lease = await start(store, replace(first, steps=[("input", b"hello"), ("snapshot", b"1")]))
        await store.finish_turn(lease, state=TurnState.DONE, response=b"")
        assert [(step.seq, step.kind, step.payload) for step in await store.history(first.session)] == [
            (0, "input", b"hello"),
            (1, "snapshot", b"1"),
        ]

    async def test_sessions_do_not_wait_for_each_other(self, store: Store, first: BeginTurn) -> None:
        await start(store, first)
        assert (await start(store, replace(first, session="agents/a/sessions/t"))).number == 1


class TestAnswered:
    async def test_a_repeated_request_is_told_what_was_said(self, store: Store, first: BeginTurn) -> None:
        response = bytes(range(256))
        lease = await start(store, first)
        await store.finish_turn(lease, state=TurnState.DONE, response=response)
        assert await store.begin_turn(replace(first, turn_id="again", owner="server-2")) == Answered(response)

    async def test_an_earlier_request_too_even_while_another_turn_runs(self, store: Store, first: BeginTurn) -> None:
        await run(store, first)
        await start(store, other(first, 2))
        assert await store.begin_turn(first) == Answered(b"answer")

    async def test_it_does_not_lengthen_the_session(self, store: Store, first: BeginTurn) -> None:
        await run(store, first)
        await store.begin_turn(replace(first, expires_us=first.expires_us + HOUR_US))
        assert await store.session(first.session) == Session(first.session, b"state", 1, first.expires_us)

    async def test_the_same_key_in_another_session_is_another_request(self, store: Store, first: BeginTurn) -> None:
        await run(store, first)
        lease = await start(store, replace(first, session="agents/a/sessions/t"))
        assert (lease.session, lease.number) == ("agents/a/sessions/t", 1)

    @pytest.mark.parametrize("end", [TurnState.FAILED, TurnState.STOPPED])
    async def test_a_request_without_an_answer_may_be_tried_again(
        self, store: Store, first: BeginTurn, end: TurnState
    ) -> None:
        await store.finish_turn(await start(store, first), state=end)
        lease = await start(store, replace(first, turn_id="again"))
        assert (lease.number, lease.fence) == (2, 2)
        await store.finish_turn(lease, state=TurnState.DONE, response=b"answer")
        assert await store.begin_turn(first) == Answered(b"answer")


class TestBusy:
    async def test_the_same_request_waits_while_its_turn_runs(
        self, store: Store, first: BeginTurn, now_us: Callable[[], int]
    ) -> None:
        await start(store, first)
        assert await store.begin_turn(replace(first, owner="server-2")) == Busy(now_us() + LEASE_US, same=1)

    async def test_any_other_request_of_the_session_waits_too(
        self, store: Store, first: BeginTurn, now_us: Callable[[], int], advance: Callable[[int], None]
    ) -> None:
        until_us = now_us() + LEASE_US
        await start(store, first)
        advance(LEASE_US - 1)
        assert await store.begin_turn(other(first, 2)) == Busy(until_us)

    async def test_it_leaves_the_running_turn_alone(self, store: Store, first: BeginTurn) -> None:
        lease = await start(store, first)
        await store.begin_turn(replace(other(first, 2), steps=[("input", b"")]))
        await store.finish_turn(lease, state=TurnState.DONE, response=b"", steps=[("end", b"")])
        assert [step.kind for step in await store.history(first.session)] == ["end"]
        assert (await start(store, other(first, 2))).fence == 2

    @pytest.mark.parametrize("end", ENDS)
    async def test_an_ended_turn_lets_the_next_one_in_at_once(
        self, store: Store, first: BeginTurn, end: TurnState
    ) -> None:
        response = b"" if end is TurnState.DONE else None
        await store.finish_turn(await start(store, first), state=end, response=response)
        assert (await start(store, other(first, 2))).number == 2

    @pytest.mark.parametrize("before_us", [None, 0, HOUR_US], ids=["new", "used", "expired"])
    async def test_of_fifty_at_once_exactly_one_starts(
        self,
        store: Store,
        first: BeginTurn,
        now_us: Callable[[], int],
        advance: Callable[[int], None],
        before_us: int | None,
    ) -> None:
        if before_us is not None:
            await run(store, other(first, 99))
            advance(before_us)
        begun = await asyncio.gather(*(store.begin_turn(other(first, number)) for number in range(50)))
        assert sum(isinstance(each, Started) for each in begun) == 1
        assert [each for each in begun if not isinstance(each, Started)] == [Busy(now_us() + LEASE_US)] * 49

    async def test_of_two_stores_on_one_database_exactly_one_starts(
        self, open_store: Callable[[], Awaitable[Store]], first: BeginTurn
    ) -> None:
        stores = [await open_store(), await open_store()]
        for session in range(20):
            request = replace(first, session=f"agents/a/sessions/{session}")
            if session % 2:
                await run(stores[0], other(request, 99))
            begun = await asyncio.gather(
                *(store.begin_turn(other(request, number)) for number, store in enumerate(stores))
            )
            assert sorted(type(each).__name__ for each in begun) == ["Busy", "Started"]


class TestTakingOver:
    async def test_the_same_request_goes_on_where_the_dead_owner_stopped(
        self, store: Store, first: BeginTurn, now_us: Callable[[], int], advance: Callable[[int], None]
    ) -> None:
        begun_us = now_us()
        await run(store, other(first, 0), b"before")
        lease = await start(store, replace(first, steps=[("input", b"hello")]))
        await store.append(lease, [("reply", b"call")])
        advance(LEASE_US)
        again = replace(first, owner="server-2", turn_id="ignored", steps=[("input", b"ignored")])
        assert await store.begin_turn(again) == Recovered(
            Lease(first.session, "turn-1", 2, "server-2", fence=3),
            Session(first.session, b"before", turns=1, expires_us=first.expires_us),
            [Step(2, 0, "input", b"hello", begun_us), Step(2, 1, "reply", b"call", begun_us)],
        )

    async def test_the_new_owner_holds_a_lease_of_its_own(
        self, store: Store, first: BeginTurn, now_us: Callable[[], int], advance: Callable[[int], None]
    ) -> None:
        await start(store, first)
        advance(LEASE_US)
        await store.begin_turn(replace(first, owner="server-2", lease_us=5))
        assert await store.begin_turn(replace(first, owner="server-3")) == Busy(now_us() + 5, same=1)
        advance(5)
        third = await store.begin_turn(replace(first, owner="server-3"))
        assert isinstance(third, Recovered)
        assert third.lease.fence == 3

    async def test_another_request_gets_the_dead_turn_to_end_it_and_then_starts_its_own(
        self, store: Store, first: BeginTurn, advance: Callable[[int], None], now_us: Callable[[], int]
    ) -> None:
        begun_us = now_us()
        await run(store, other(first, 0), b"before")
        dead = await start(store, replace(first, steps=[("input", b"hello")]))
        await store.append(dead, [("reply", b"call")])
        advance(LEASE_US)
        later = replace(other(first, 2), expires_us=first.expires_us + HOUR_US)
        lease = Lease(first.session, "turn-1", 2, "server-2", fence=3)
        assert await store.begin_turn(later) == Orphaned(
            lease,
            Session(first.session, b"before", turns=1, expires_us=first.expires_us),
            [Step(2, 0, "input", b"hello", begun_us), Step(2, 1, "reply", b"call", begun_us)],
        )
        assert await store.begin_turn(replace(other(first, 3), expires_us=first.expires_us + HOUR_US)) == Busy(
            now_us() + LEASE_US
        )
        with pytest.raises(LeaseLost):
            await store.append(dead, [("late", b"")])
        await store.finish_turn(lease, state=TurnState.STOPPED, session_state=b"ended")
        assert await store.begin_turn(later) == Started(
            Lease(first.session, "turn-2", 3, "server-2", fence=4),
            Session(first.session, b"ended", turns=2, expires_us=later.expires_us),
        )
        assert [step.kind for step in await store.history(first.session)] == ["input", "reply"]

    async def test_ended_leases_are_free_at_once_and_ended_turns_stay_as_they_are(
        self, store: Store, first: BeginTurn
    ) -> None:
        await run(store, other(first, 0))
        await start(store, first)
        assert isinstance(await store.begin_turn(first), Busy)
        assert await store.end_leases() == 1
        assert isinstance(await store.begin_turn(replace(first, owner="server-2")), Recovered)
        assert isinstance(await store.begin_turn(other(first, 0)), Answered)

    async def test_of_fifty_that_take_over_exactly_one_does(
        self, store: Store, first: BeginTurn, advance: Callable[[int], None]
    ) -> None:
        await start(store, first)
        advance(LEASE_US)
        again = [replace(first, owner=f"server-{number}") for number in range(50)]
        begun = await asyncio.gather(*(store.begin_turn(each) for each in again))
        assert sorted(type(each).__name__ for each in begun) == ["Busy"] * 49 + ["Recovered"]
