"""`begin_turn` without a request key: the input tells whether a request repeats itself."""

import asyncio
import time
from collections.abc import Callable
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
from tests.kit.stored_turns import LEASE_US, run, start


@pytest.fixture
def keyless(first: BeginTurn) -> BeginTurn:
    """The words "yes", said without a key."""
    return replace(first, request_key=None, fingerprint="yes")


def again(begin: BeginTurn, turn: int = 2, **changes: str | float | None) -> BeginTurn:
    """One more request, from another server."""
    return replace(begin, turn_id=f"turn-{turn}", owner=f"server-{turn}", **changes)


class TestAfterAnAnswer:
    async def test_equal_words_get_it_while_it_may_not_have_arrived(self, store: Store, keyless: BeginTurn) -> None:
        await run(store, keyless)
        assert await store.begin_turn(again(keyless)) == Answered(b"answer")
        assert await store.begin_turn(again(keyless)) == Answered(b"answer")

    async def test_other_words_begin_a_turn(self, store: Store, keyless: BeginTurn) -> None:
        await run(store, keyless)
        assert (await start(store, again(keyless, fingerprint="no"))).number == 2

    async def test_equal_words_begin_a_turn_once_it_was_marked_as_delivered(
        self, store: Store, keyless: BeginTurn
    ) -> None:
        await run(store, keyless)
        await store.mark_delivered([("agents/a/sessions/none", 1), (keyless.session, 7), (keyless.session, 1)])
        assert (await start(store, again(keyless))).number == 2

    async def test_and_when_the_caller_knows_that_it_was(self, store: Store, keyless: BeginTurn) -> None:
        await run(store, keyless)
        assert (await start(store, again(keyless, delivered=1))).number == 2

    async def test_equal_words_that_came_before_it_ended_get_it_delivered_or_not(
        self, store: Store, keyless: BeginTurn, advance: Callable[[int], None]
    ) -> None:
        await run(store, keyless)
        await store.mark_delivered([(keyless.session, 1)])
        advance(30_000_000)
        asked = again(keyless, delivered=1, came_at=time.monotonic() - 60)
        assert await store.begin_turn(asked) == Answered(b"answer")
        assert (await start(store, again(asked, fingerprint="no"))).number == 2

    async def test_equal_words_that_came_after_it_ended_begin_a_turn(
        self, store: Store, keyless: BeginTurn, advance: Callable[[int], None]
    ) -> None:
        await run(store, keyless)
        await store.mark_delivered([(keyless.session, 1)])
        advance(60_000_000)
        assert (await start(store, again(keyless, came_at=time.monotonic() - 30))).number == 2

    async def test_a_clock_that_was_set_back_makes_no_words_older(
        self, store: Store, keyless: BeginTurn, advance: Callable[[int], None]
    ) -> None:
        await run(store, keyless)
        await store.mark_delivered([(keyless.session, 1)])
        advance(-30_000_000)
        assert (await start(store, again(keyless, came_at=time.monotonic() - 1))).number == 2

    async def test_only_the_latest_turn_counts(self, store: Store, keyless: BeginTurn) -> None:
        await run(store, keyless)
        await run(store, again(keyless, fingerprint="no"))
        assert (await start(store, again(keyless, 3))).number == 3

    async def test_a_failed_turn_in_between_counts_for_nothing(self, store: Store, keyless: BeginTurn) -> None:
        await run(store, keyless)
        await store.finish_turn(await start(store, again(keyless, fingerprint="no")), state=TurnState.FAILED)
        assert await store.begin_turn(again(keyless, 3)) == Answered(b"answer")

    async def test_a_stopped_turn_in_between_makes_the_words_new(self, store: Store, keyless: BeginTurn) -> None:
        await run(store, keyless)
        await store.finish_turn(await start(store, again(keyless, fingerprint="no")), state=TurnState.STOPPED)
        assert (await start(store, again(keyless, 3))).number == 3

    async def test_a_turn_that_was_asked_for_with_a_key_counts_too(self, store: Store, keyless: BeginTurn) -> None:
        await run(store, replace(keyless, request_key="key-1"))
        assert await store.begin_turn(again(keyless)) == Answered(b"answer")

    async def test_a_key_that_is_new_makes_a_request_new(self, store: Store, keyless: BeginTurn) -> None:
        await run(store, keyless)
        assert (await start(store, again(keyless, request_key="key-2"))).number == 2

    async def test_a_turn_that_runs_or_failed_is_not_marked(self, store: Store, keyless: BeginTurn) -> None:
        lease = await start(store, keyless)
        await store.mark_delivered([(keyless.session, 1)])
        await store.finish_turn(lease, state=TurnState.DONE, response=b"answer")
        assert await store.begin_turn(again(keyless)) == Answered(b"answer")


class TestWhileATurnRuns:
    async def test_equal_words_are_told_that_it_is_theirs(
        self, store: Store, keyless: BeginTurn, now_us: Callable[[], int]
    ) -> None:
        await run(store, again(keyless, fingerprint="no"))
        await start(store, keyless)
        until_us = now_us() + LEASE_US
        assert await store.begin_turn(again(keyless)) == Busy(until_us, same=2)
        assert await store.begin_turn(again(keyless, fingerprint="no")) == Busy(until_us, same=0)

    async def test_who_joins_it_gets_its_answer_even_when_that_was_delivered_and_others_spoke_since(
        self, store: Store, keyless: BeginTurn
    ) -> None:
        await run(store, keyless)
        await store.mark_delivered([(keyless.session, 1)])
        await start(store, again(keyless, fingerprint="no"))
        assert await store.begin_turn(again(keyless, 3, joins=1, delivered=1)) == Answered(b"answer")

    @pytest.mark.parametrize("end", [TurnState.FAILED, TurnState.STOPPED])
    async def test_who_joined_a_turn_without_an_answer_begins_one(
        self, store: Store, keyless: BeginTurn, end: TurnState
    ) -> None:
        await store.finish_turn(await start(store, keyless), state=end)
        assert (await start(store, again(keyless, joins=1))).number == 2

    async def test_a_turn_of_that_number_with_other_words_is_not_joined(self, store: Store, keyless: BeginTurn) -> None:
        await run(store, keyless)
        assert (await start(store, again(keyless, fingerprint="no", joins=1))).number == 2

    async def test_of_fifty_with_equal_words_one_starts_and_all_others_may_join(
        self, store: Store, keyless: BeginTurn, now_us: Callable[[], int]
    ) -> None:
        begun = await asyncio.gather(*(store.begin_turn(again(keyless, number)) for number in range(50)))
        assert sum(isinstance(each, Started) for each in begun) == 1
        assert [each for each in begun if not isinstance(each, Started)] == [Busy(now_us() + LEASE_US, same=1)] * 49


class TestAfterItsOwnerDied:
    @pytest.fixture(params=["key-1", None])
    async def steps(
        self,
        request: pytest.FixtureRequest,
        store: Store,
        keyless: BeginTurn,
        now_us: Callable[[], int],
        advance: Callable[[int], None],
    ) -> list[Step]:
        """The journal of the second turn, with a key or without one, whose lease is over."""
        await run(store, again(keyless, 0, fingerprint="no"))
        begun_us = now_us()
        await start(store, replace(keyless, request_key=request.param, steps=[("input", b"yes")]))
        advance(LEASE_US)
        return [Step(2, 0, "input", b"yes", begun_us)]

    async def test_equal_words_go_on_with_it(self, store: Store, keyless: BeginTurn, steps: list[Step]) -> None:
        later_us = keyless.expires_us + 1
        assert await store.begin_turn(again(keyless, expires_us=later_us)) == Recovered(
            Lease(keyless.session, "turn-1", 2, "server-2", fence=3),
            Session(keyless.session, b"state", turns=1, expires_us=later_us),
            steps,
        )

    @pytest.mark.parametrize(("words", "key"), [("no", None), ("yes", "key-2")])
    async def test_other_words_and_another_key_end_it(
        self, store: Store, keyless: BeginTurn, steps: list[Step], words: str, key: str | None
    ) -> None:
        asked = again(keyless, expires_us=keyless.expires_us + 1, fingerprint=words, request_key=key)
        assert await store.begin_turn(asked) == Orphaned(
            Lease(keyless.session, "turn-1", 2, "server-2", fence=3),
            Session(keyless.session, b"state", turns=1, expires_us=keyless.expires_us),
            steps,
        )


class TestAnswered:
    async def test_it_is_the_response_of_the_latest_turn_that_answered_that_input(
        self, store: Store, keyless: BeginTurn
    ) -> None:
        for number, (words, response) in enumerate([("yes", b"1"), ("yes", b"2"), ("no", b"3")]):
            await run(store, again(keyless, number, fingerprint=words, delivered=number), response=response)
            await store.mark_delivered([(keyless.session, number + 1)])
        await store.finish_turn(await start(store, again(keyless, 4, delivered=4)), state=TurnState.STOPPED)
        assert await store.answered(keyless.session, "yes") == b"2"

    async def test_there_is_none_for_other_inputs_and_sessions(self, store: Store, keyless: BeginTurn) -> None:
        await start(store, keyless)
        assert await store.answered(keyless.session, "yes") is None
        assert await store.answered("agents/a/sessions/none", "yes") is None
