"""Leases, the journal, the session's state and blobs."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from openplaybook.storage.base import (
    BeginTurn,
    BlobFacts,
    Busy,
    Delete,
    Lease,
    Put,
    Session,
    Started,
    Step,
    Store,
    TurnState,
)
from openplaybook.storage.errors import LeaseLost
from tests.kit.stored_turns import LEASE_US

START_US = 1_700_000_000_000_000
ENDS = [TurnState.DONE, TurnState.FAILED, TurnState.STOPPED]


async def start(store: Store, begin: BeginTurn, number: int = 1) -> Lease:
    """The lease of turn `number`, which must start."""
    begun = await store.begin_turn(replace(begin, turn_id=f"turn-{number}", request_key=f"key-{number}"))
    assert isinstance(begun, Started)
    return begun.lease


async def run(store: Store, begin: BeginTurn, number: int, end: TurnState = TurnState.DONE) -> None:
    """A whole turn with one row."""
    response = b"" if end is TurnState.DONE else None
    lease = await start(store, begin, number)
    await store.finish_turn(lease, state=end, response=response, steps=[(f"row of {number}", b"")])


async def kinds(store: Store, begin: BeginTurn, turns: int = 1000, before: int | None = None) -> list[str]:
    return [step.kind for step in await store.history(begin.session, turns=turns, before=before)]


class TestAppend:
    async def test_rows_are_numbered_and_timed_across_all_writes_of_a_turn(
        self, store: Store, first: BeginTurn, now_us: Callable[[], int], advance: Callable[[int], None]
    ) -> None:
        start_us = now_us()
        lease = await start(store, replace(first, steps=[("input", b"0")]))
        advance(1)
        await store.append(lease, [("reply", b"1"), ("intent", b"2")])
        advance(1)
        await store.append(lease, [])
        await store.finish_turn(lease, state=TurnState.DONE, response=b"r", steps=[("end", b"\x00\xff")])
        assert await store.history(first.session) == [
            Step(1, 0, "input", b"0", start_us),
            Step(1, 1, "reply", b"1", start_us + 1),
            Step(1, 2, "intent", b"2", start_us + 1),
            Step(1, 3, "end", b"\x00\xff", start_us + 2),
        ]

    async def test_writes_at_once_all_arrive_in_the_order_they_were_made(self, store: Store, first: BeginTurn) -> None:
        lease = await start(store, first)
        await asyncio.gather(*(store.append(lease, [(str(number), b"")]) for number in range(100)))
        await store.finish_turn(lease, state=TurnState.DONE, response=b"")
        assert await kinds(store, first) == [str(number) for number in range(100)]


class TestLeaseLost:
    @pytest.mark.parametrize("change", ["turn_id", "number", "owner", "fence", "session"])
    async def test_every_write_compares_the_whole_lease(self, store: Store, first: BeginTurn, change: str) -> None:
        lease = await start(store, first)
        wrong = {
            "turn_id": replace(lease, turn_id="x"),
            "number": replace(lease, number=2),
            "owner": replace(lease, owner="x"),
            "fence": replace(lease, fence=2),
            "session": replace(lease, session="x"),
        }[change]
        with pytest.raises(LeaseLost):
            await store.append(wrong, [("late", b"")])
        with pytest.raises(LeaseLost):
            await store.append(wrong, [])
        with pytest.raises(LeaseLost):
            await store.renew(wrong, 1)
        with pytest.raises(LeaseLost):
            await store.finish_turn(wrong, state=TurnState.DONE, response=b"", session_state=b"late")
        await store.finish_turn(lease, state=TurnState.DONE, response=b"", session_state=b"right")
        assert await store.history(first.session) == []
        found = await store.session(first.session)
        assert found is not None
        assert found.state == b"right"

    @pytest.mark.parametrize("end", ENDS)
    async def test_an_ended_turn_takes_no_more_writes(self, store: Store, first: BeginTurn, end: TurnState) -> None:
        lease = await start(store, first)
        response = b"" if end is TurnState.DONE else None
        await store.finish_turn(lease, state=end, response=response)
        with pytest.raises(LeaseLost):
            await store.append(lease, [("late", b"")])
        with pytest.raises(LeaseLost):
            await store.finish_turn(lease, state=end, response=response)

    async def test_the_owner_that_was_taken_over_from_writes_no_more(
        self, store: Store, first: BeginTurn, advance: Callable[[int], None]
    ) -> None:
        dead = await start(store, first)
        advance(LEASE_US)
        await store.begin_turn(replace(first, owner="server-2"))
        with pytest.raises(LeaseLost):
            await store.append(dead, [("late", b"")])
        with pytest.raises(LeaseLost):
            await store.renew(dead, LEASE_US)

    async def test_an_owner_may_come_late_while_nobody_took_over(
        self, store: Store, first: BeginTurn, advance: Callable[[int], None]
    ) -> None:
        lease = await start(store, first)
        advance(LEASE_US * 2)
        await store.finish_turn(lease, state=TurnState.DONE, response=b"", steps=[("end", b"")])
        assert await kinds(store, first) == ["end"]

    async def test_a_session_begun_anew_is_not_the_old_one(self, store: Store, first: BeginTurn) -> None:
        old = await start(store, first)
        await store.delete_session(first.session)
        new = await start(store, first, 2)
        assert (new.number, new.fence, new.owner) == (old.number, old.fence, old.owner)
        with pytest.raises(LeaseLost):
            await store.append(old, [("late", b"")])


class TestRenew:
    async def test_it_holds_the_lease_that_much_longer_from_now(
        self, store: Store, first: BeginTurn, now_us: Callable[[], int], advance: Callable[[int], None]
    ) -> None:
        lease = await start(store, first)
        advance(LEASE_US - 1)
        await store.renew(lease, LEASE_US)
        until_us = now_us() + LEASE_US
        advance(LEASE_US - 1)
        assert await store.begin_turn(replace(first, owner="server-2")) == Busy(until_us, same=1)


class TestFinish:
    async def test_done_sets_the_state_of_the_session(self, store: Store, first: BeginTurn) -> None:
        lease = await start(store, first)
        await store.finish_turn(lease, state=TurnState.DONE, response=b"r", session_state=b"\x00state")
        assert await store.session(first.session) == Session(first.session, b"\x00state", 1, first.expires_us)

    async def test_done_without_a_state_keeps_the_one_there_was(self, store: Store, first: BeginTurn) -> None:
        await store.finish_turn(await start(store, first), state=TurnState.DONE, response=b"", session_state=b"kept")
        await run(store, first, 2)
        assert await store.session(first.session) == Session(first.session, b"kept", 2, first.expires_us)

    async def test_done_without_a_state_leaves_a_new_session_with_an_empty_one(
        self, store: Store, first: BeginTurn
    ) -> None:
        await run(store, first, 1)
        assert await store.session(first.session) == Session(first.session, b"", 1, first.expires_us)

    async def test_failed_keeps_the_state_and_shows_no_rows(self, store: Store, first: BeginTurn) -> None:
        await store.finish_turn(await start(store, first), state=TurnState.DONE, response=b"", session_state=b"kept")
        await run(store, first, 2, TurnState.FAILED)
        assert await store.session(first.session) == Session(first.session, b"kept", 2, first.expires_us)
        assert await kinds(store, first) == []

    async def test_stopped_sets_the_state_and_shows_its_rows(self, store: Store, first: BeginTurn) -> None:
        lease = await start(store, first)
        await store.finish_turn(lease, state=TurnState.STOPPED, steps=[("acted", b"")], session_state=b"after")
        assert await store.session(first.session) == Session(first.session, b"after", 1, first.expires_us)
        assert await kinds(store, first) == ["acted"]

    async def test_what_no_ended_turn_is_is_refused_and_the_turn_goes_on(self, store: Store, first: BeginTurn) -> None:
        lease = await start(store, first)
        with pytest.raises(ValueError, match="not RUNNING"):
            await store.finish_turn(lease, state=TurnState.RUNNING, response=b"")
        with pytest.raises(ValueError, match="has a response"):
            await store.finish_turn(lease, state=TurnState.DONE)
        with pytest.raises(ValueError, match="has no response"):
            await store.finish_turn(lease, state=TurnState.STOPPED, response=b"")
        with pytest.raises(ValueError, match="as it was"):
            await store.finish_turn(lease, state=TurnState.FAILED, session_state=b"")
        await store.append(lease, [])


class TestSession:
    async def test_there_is_none_before_a_turn_has_finished(self, store: Store, first: BeginTurn) -> None:
        assert await store.session(first.session) is None
        lease = await start(store, first)
        assert await store.session(first.session) is None
        await store.finish_turn(lease, state=TurnState.FAILED)
        assert await store.session(first.session) is None
        begun = await store.begin_turn(first)
        assert isinstance(begun, Started)
        assert begun.session is None

    async def test_it_ends_when_nothing_more_comes(
        self, store: Store, first: BeginTurn, now_us: Callable[[], int], advance: Callable[[int], None]
    ) -> None:
        await run(store, first, 1)
        advance(first.expires_us - now_us() - 1)
        assert await store.session(first.session) is not None
        advance(1)
        assert await store.session(first.session) is None

    async def test_it_survives_the_store_that_wrote_it(
        self, open_store: Callable[[], Awaitable[Store]], first: BeginTurn
    ) -> None:
        before = await open_store()
        await before.finish_turn(await start(before, first), state=TurnState.DONE, response=b"", session_state=b"s")
        await before.close()
        after = await open_store()
        assert await after.session(first.session) == Session(first.session, b"s", 1, first.expires_us)

    async def test_a_deleted_one_is_forgotten_with_all_it_held(self, store: Store, first: BeginTurn) -> None:
        await run(store, first, 1)
        await store.delete_session(first.session)
        assert await store.session(first.session) is None
        assert await store.history(first.session) == []
        assert (await start(store, first)).number == 1

    async def test_deleting_a_missing_one_is_no_fault_and_leaves_the_others(
        self, store: Store, first: BeginTurn
    ) -> None:
        await run(store, first, 1)
        await store.delete_session("agents/a/sessions/none")
        assert await store.session(first.session) is not None


class TestHistory:
    async def test_it_holds_the_rows_of_finished_turns_oldest_first(self, store: Store, first: BeginTurn) -> None:
        for number in (1, 2, 3):
            await run(store, first, number)
        lease = await start(store, replace(first, steps=[("running", b"")]), 4)
        await store.append(lease, [("running", b"")])
        assert await kinds(store, first) == ["row of 1", "row of 2", "row of 3"]

    async def test_the_latest_turns_before_a_number_are_chosen_and_failed_ones_not_counted(
        self, store: Store, first: BeginTurn
    ) -> None:
        ends = [TurnState.DONE, TurnState.DONE, TurnState.FAILED, TurnState.STOPPED, TurnState.DONE]
        for number, end in enumerate(ends, 1):
            await run(store, first, number, end)
        assert await kinds(store, first, turns=2) == ["row of 4", "row of 5"]
        assert await kinds(store, first, turns=2, before=5) == ["row of 2", "row of 4"]
        assert await kinds(store, first, before=1) == []
        assert await kinds(store, first, turns=0) == []

    async def test_an_unknown_session_has_none(self, store: Store) -> None:
        assert await store.history("agents/a/sessions/none") == []


class TestBlobs:
    async def test_bytes_read_back_under_their_key(self, store: Store) -> None:
        data = bytes(range(256)) * 4096
        await store.put_blob("specs/1", data)
        await store.put_blob("specs/2", b"")
        assert (await store.get_blob("specs/1"), await store.get_blob("specs/2")) == (data, b"")

    async def test_the_same_key_again_replaces_them(self, store: Store) -> None:
        await store.put_blob("specs/1", b"old")
        await store.put_blob("specs/1", b"new")
        assert await store.get_blob("specs/1") == b"new"

    async def test_an_unknown_key_has_none(self, store: Store) -> None:
        assert await store.get_blob("specs/1") is None

    async def test_a_prefix_lists_its_blobs_in_the_order_of_their_first_put(
        self, store: Store, advance: Callable[[int], None]
    ) -> None:
        for key, size in (("a/2", 5), ("a/1", 300), ("b/1", 1), ("a", 2), ("a0", 2), ("a/2", 7), ("a/\U0010fffe", 0)):
            await store.put_blob(key, bytes(size))
            advance(1)
        assert list(await store.blobs("a/")) == [
            BlobFacts("a/2", 7, START_US + 5),
            BlobFacts("a/1", 300, START_US + 1),
            BlobFacts("a/\U0010fffe", 0, START_US + 6),
        ]
        assert list(await store.blobs("c")) == []

    async def test_a_prefix_forgets_its_keys_and_no_other(self, store: Store) -> None:
        for key in ("a/1", "a/2", "a", "a0", "b/1"):
            await store.put_blob(key, b"x")
        await store.delete_blobs("a/")
        await store.delete_blobs("missing/")
        assert [blob.key for blob in await store.blobs("")] == ["a", "a0", "b/1"]

    async def test_with_a_time_it_forgets_only_what_was_put_last_before_then(
        self, store: Store, now_us: Callable[[], int], advance: Callable[[int], None]
    ) -> None:
        for key in ("a/1", "a/2"):
            await store.put_blob(key, b"x")
        advance(1)
        await store.put_blob("a/1", b"again")
        await store.delete_blobs("a/", before_us=now_us())
        assert list(await store.blobs("a/")) == [BlobFacts("a/1", 5, now_us())]


class TestBlobsOfASession:
    async def keep(self, store: Store, *names: str) -> None:
        for name in names:
            await store.put_blob(f"{name}/files/f", b"x")

    async def kept(self, store: Store) -> list[str]:
        return [blob.key for blob in await store.blobs("agents/")]

    async def test_they_go_with_the_session_that_is_deleted(self, store: Store, first: BeginTurn) -> None:
        await run(store, first, 1)
        await self.keep(store, first.session, f"{first.session}2")
        await store.delete_session(first.session)
        assert await self.kept(store) == [f"{first.session}2/files/f"]

    async def test_they_stay_when_the_session_expires_and_begins_anew(
        self, store: Store, first: BeginTurn, advance: Callable[[int], None]
    ) -> None:
        await run(store, first, 1)
        await self.keep(store, first.session)
        advance(3_700_000_000)
        await start(store, replace(first, expires_us=first.expires_us + 10_000_000_000), 2)
        assert await self.kept(store) == [f"{first.session}/files/f"]

    async def test_they_go_with_the_root_that_is_deleted(self, store: Store, first: BeginTurn) -> None:
        await store.apply([Put(first.root, "agent", "agents", first.root, b"{}")])
        await self.keep(store, first.session, f"{first.root}/environments/e/sessions/s", "agents/a2/sessions/s")
        await store.apply([Delete(first.root, tree=True)])
        assert await self.kept(store) == ["agents/a2/sessions/s/files/f"]
