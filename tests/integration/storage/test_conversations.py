"""What is kept of conversations, and for how long."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from openplaybook.storage.base import (
    BeginTurn,
    Conversation,
    KeptTurn,
    Lease,
    Session,
    Started,
    Step,
    Store,
    TurnState,
)
from tests.kit.stored_turns import HOUR_US, LEASE_US

START_US = 1_700_000_000_000_000
DAY_US = 24 * HOUR_US


async def start(store: Store, begin: BeginTurn, session: str, number: int = 1) -> Lease:
    """The lease of turn `number` of a session."""
    begun = await store.begin_turn(
        replace(begin, session=f"agents/a/sessions/{session}", turn_id=f"turn-{number}", request_key=f"key-{number}")
    )
    assert isinstance(begun, Started)
    return begun.lease


async def run(store: Store, begin: BeginTurn, session: str, number: int = 1, end: TurnState = TurnState.DONE) -> None:
    """A whole turn with one row."""
    response = f"answer {number}".encode() if end is TurnState.DONE else None
    lease = await start(store, begin, session, number)
    await store.finish_turn(lease, state=end, response=response, steps=[(f"row of {number}", b"")])


async def names(store: Store, before: int | None = None, limit: int = 100) -> list[str]:
    return [found.name[-1] for found in await store.conversations("agents/a", before=before, limit=limit)]


class TestConversations:
    async def test_one_tells_when_it_began_and_when_its_latest_turn_began_or_ended(
        self, store: Store, first: BeginTurn, advance: Callable[[int], None]
    ) -> None:
        await run(store, first, "s")
        advance(5)
        lease = await start(store, first, "s", 2)
        expected = Conversation(first.session, 1, START_US, START_US + 5, first.expires_us, turns=2)
        assert await store.conversation(first.session) == expected
        advance(5)
        await store.finish_turn(lease, state=TurnState.FAILED)
        assert await store.conversation(first.session) == replace(expected, updated_us=START_US + 10)
        assert await store.conversations("agents/a") == [replace(expected, updated_us=START_US + 10)]

    async def test_those_of_a_root_come_newest_first_in_pages(self, store: Store, first: BeginTurn) -> None:
        for session in "abc":
            await run(store, first, session)
        await run(store, replace(first, root="agents/b"), "d")
        await run(store, first, "a", 2)
        assert await names(store) == ["c", "b", "a"]
        page = await store.conversations("agents/a", limit=2)
        assert await names(store, before=page[-1].position) == ["a"]
        assert await names(store, before=1) == []

    async def test_a_session_without_a_turn_that_counts_is_none(self, store: Store, first: BeginTurn) -> None:
        await start(store, first, "a")
        await run(store, first, "b", end=TurnState.FAILED)
        await run(store, first, "c", end=TurnState.STOPPED)
        assert await names(store) == ["c"]
        assert await store.conversation("agents/a/sessions/a") is None
        assert await store.conversation("agents/a/sessions/none") is None

    async def test_it_outlives_its_session(
        self, store: Store, first: BeginTurn, advance: Callable[[int], None]
    ) -> None:
        await run(store, first, "s")
        advance(DAY_US)
        assert await store.session(first.session) is None
        expected = Conversation(first.session, 1, START_US, START_US, first.expires_us, turns=1)
        assert await store.conversation(first.session) == expected
        await store.delete_session(first.session)
        assert await store.conversation(first.session) is None


class TestKeptTurns:
    async def test_they_hold_what_was_written_of_each(
        self, store: Store, first: BeginTurn, advance: Callable[[int], None]
    ) -> None:
        lease = await start(store, replace(first, steps=[("input", b"hello")]), "s")
        advance(1)
        await store.finish_turn(lease, state=TurnState.DONE, response=b"\x00r", steps=[("end", b"\xff")])
        steps = [Step(1, 0, "input", b"hello", START_US), Step(1, 1, "end", b"\xff", START_US + 1)]
        expected = KeptTurn(1, "turn-1", TurnState.DONE, START_US, START_US + 1, b"\x00r", steps)
        assert await store.kept_turns(first.session) == [expected]

    async def test_they_come_in_order_and_in_pages_without_failed_and_running_ones(
        self, store: Store, first: BeginTurn
    ) -> None:
        ends = [TurnState.DONE, TurnState.FAILED, TurnState.STOPPED, TurnState.DONE]
        for number, end in enumerate(ends, 1):
            await run(store, first, "s", number, end)
        await start(store, first, "s", 5)
        kept = await store.kept_turns(first.session)
        assert [(turn.number, turn.state, turn.response) for turn in kept] == [
            (1, TurnState.DONE, b"answer 1"),
            (3, TurnState.STOPPED, None),
            (4, TurnState.DONE, b"answer 4"),
        ]
        assert [turn.number for turn in await store.kept_turns(first.session, after=1, limit=1)] == [3]
        assert await store.kept_turns(first.session, after=4) == []

    async def test_an_unknown_session_has_none(self, store: Store) -> None:
        assert await store.kept_turns("agents/a/sessions/none") == []


class TestDeleteExpired:
    async def test_sessions_go_once_they_have_been_over_for_that_long(
        self, store: Store, first: BeginTurn, advance: Callable[[int], None]
    ) -> None:
        await run(store, first, "a")
        await run(store, replace(first, expires_us=first.expires_us + 1), "b")
        await store.put_blob("agents/a/sessions/a/files/f", b"x")
        await store.put_blob("agents/a/sessions/b/files/f", b"x")
        advance(HOUR_US + DAY_US - 1)
        assert await store.delete_expired(kept_us=DAY_US, limit=10) == []
        advance(1)
        assert await store.delete_expired(kept_us=DAY_US, limit=10) == ["agents/a/sessions/a"]
        assert await names(store) == ["b"]
        assert await store.kept_turns("agents/a/sessions/a") == []
        assert [blob.key for blob in await store.blobs("")] == ["agents/a/sessions/b/files/f"]

    async def test_no_more_go_at_once_than_asked_and_the_oldest_first(
        self, store: Store, first: BeginTurn, advance: Callable[[int], None]
    ) -> None:
        for age, session in enumerate("abc"):
            await run(store, replace(first, expires_us=first.expires_us + DAY_US - age * HOUR_US), session)
        advance(HOUR_US + DAY_US)
        assert await store.delete_expired(kept_us=0, limit=2) == ["agents/a/sessions/c", "agents/a/sessions/b"]
        assert await store.delete_expired(kept_us=0, limit=2) == ["agents/a/sessions/a"]

    async def test_one_with_a_turn_that_runs_stays_and_one_with_a_dead_turn_goes(
        self, store: Store, first: BeginTurn, advance: Callable[[int], None]
    ) -> None:
        await start(store, first, "a")
        advance(HOUR_US - 1)
        await start(store, first, "b")
        advance(1)
        assert await store.delete_expired(kept_us=0, limit=10) == ["agents/a/sessions/a"]
        advance(LEASE_US)
        assert await store.delete_expired(kept_us=0, limit=10) == ["agents/a/sessions/b"]

    async def test_one_that_began_anew_stays_with_all_its_turns(
        self, store: Store, first: BeginTurn, advance: Callable[[int], None]
    ) -> None:
        await run(store, first, "s")
        advance(HOUR_US)
        await run(store, replace(first, expires_us=first.expires_us + DAY_US), "s", 2)
        assert await store.delete_expired(kept_us=0, limit=10) == []
        assert await store.session(first.session) == Session(first.session, b"", 2, first.expires_us + DAY_US)
        assert len(await store.kept_turns(first.session)) == 2


@pytest.mark.parametrize("kept_us", [0, DAY_US])
async def test_a_store_without_sessions_forgets_none(store: Store, kept_us: int) -> None:
    assert await store.delete_expired(kept_us=kept_us, limit=10) == []


class TestTurn:
    async def test_one_is_found_in_whatever_state_it_is(self, store: Store, first: BeginTurn) -> None:
        await run(store, first, "s", 1, TurnState.FAILED)
        await start(store, first, "s", 2)
        failed, running = await store.turn(first.session, 1), await store.turn(first.session)
        assert failed is not None
        assert running is not None
        assert (failed.number, failed.state, failed.response) == (1, TurnState.FAILED, None)
        assert failed.steps[-1].kind == "row of 1"
        assert (running.number, running.state, running.ended_us) == (2, TurnState.RUNNING, 0)

    async def test_there_is_none_of_another_number_or_session(self, store: Store, first: BeginTurn) -> None:
        await run(store, first, "s")
        assert await store.turn(first.session, 2) is None
        assert await store.turn("agents/a/sessions/t") is None
