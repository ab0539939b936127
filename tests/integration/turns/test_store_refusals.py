"""A store that refuses in the middle of a turn: the caller is told, nothing is half written, the session goes on."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from openplaybook.models.base import FunctionResult, ModelReply, ModelTurn
from openplaybook.storage.base import Lease
from openplaybook.storage.errors import LeaseLost, StoreError, StoreUnusable
from openplaybook.turns.base import TextMessage
from openplaybook.turns.session import turn_admission as holding
from openplaybook.turns.turn import TurnLimits
from tests.faults.points import arm_store
from tests.integration.turns.conftest import SetStage, asked
from tests.kit.agents import SESSION, AgentDraft, calls, says


def pets() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets}.", start=True)
    draft.tool("pets", "createPet")
    return draft


class Refuses:
    """Refuses at the n-th passing of a point."""

    def __init__(self, point: str, nth: int, refusal: StoreError) -> None:
        self._point = point
        self._left = nth
        self._refusal = refusal

    async def passed(self, point: str, session: str) -> None:
        if point == self._point:
            self._left -= 1
            if self._left == 0:
                raise self._refusal


def replied(turn: ModelTurn) -> ModelReply:
    """What a model says that adds a pet."""
    results = [entry for entry in turn.conversation if isinstance(entry, FunctionResult)]
    if not results:
        return calls(("createPet", {}))
    return says("I do not know." if results[0].is_error else "Rex is in.")


FULL = StoreUnusable("the disk is full; free some space and try again")


@pytest.mark.parametrize(
    ("point", "nth", "said", "made"),
    [
        ("begin.before", 1, "Rex is in.", 1),
        ("commit.before", 1, "Rex is in.", 1),
        ("commit.before", 2, "I do not know.", 1),
        ("commit.after", 2, "Rex is in.", 1),
        ("finish.before", 1, "Rex is in.", 1),
        ("finish.after", 1, "Rex is in.", 1),
    ],
)
async def test_the_same_request_goes_on_where_the_turn_stopped(
    set_stage: SetStage, point: str, nth: int, said: str, made: int
) -> None:
    draft = pets()
    stage = await set_stage(draft, *[replied] * 6)
    arm_store(stage.store, Refuses(point, nth, FULL))
    with pytest.raises(StoreUnusable, match="disk is full"):
        await stage.say("add Rex")
    # At once: nobody waits for the lease of the turn that was cut short to run out.
    result = await stage.engine.run(asked("add Rex", timeout_s=1))
    assert result.messages == (TextMessage(said),)
    assert len(draft.shelf.tools["pets"].invoked) == made


async def test_a_store_that_refuses_the_lease_as_well_is_given_it_later(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), *[replied] * 6)
    arm_store(stage.store, Refuses("commit.before", 2, FULL))
    renew, refusals = stage.store.renew, [FULL]

    async def refusing(lease: Lease, lease_us: int) -> None:
        if refusals:
            raise refusals.pop()
        await renew(lease, lease_us)

    setattr(stage.store, "renew", refusing)  # noqa: B010 - a method cannot be assigned to otherwise
    for _ in range(2):
        with pytest.raises(StoreUnusable, match="disk is full"):
            await stage.say("add Rex")
    assert (await stage.engine.run(asked("add Rex", timeout_s=1))).messages == (TextMessage("I do not know."),)


async def test_other_words_after_a_refusal_come_after_what_the_turn_did(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), replied, says("It may be in."))
    arm_store(stage.store, Refuses("commit.before", 2, FULL))
    with pytest.raises(StoreUnusable):
        await stage.say("add Rex")
    assert (await stage.say("did it work?")).messages == (TextMessage("It may be in."),)
    assert [turn.state.value for turn in await stage.store.kept_turns(SESSION)] == ["STOPPED", "DONE"]


async def test_a_turn_that_another_process_took_over_writes_nothing_more(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), *[replied] * 4)
    arm_store(stage.store, Refuses("commit.before", 2, LeaseLost("taken over")))
    with pytest.raises(LeaseLost):
        await stage.say("add Rex")
    await stage.store.end_leases()
    result = await stage.new_engine("another").run(asked("add Rex"))
    assert result.messages == (TextMessage("I do not know."),)


@pytest.mark.parametrize("refusal", [FULL, LeaseLost("taken over")])
async def test_calls_that_wait_for_their_place_are_not_sent_after_a_refusal(
    set_stage: SetStage, refusal: StoreError
) -> None:
    draft = pets()
    part = calls(*[("createPet", {"name": name}) for name in "abc"])
    stage = await set_stage(draft, part, limits=TurnLimits(parallel_calls=1))
    arm_store(stage.store, Refuses("commit.before", 2, refusal))
    with pytest.raises(type(refusal)):
        await stage.say("add them")
    assert [call.arguments["name"] for call in draft.shelf.tools["pets"].invoked] == ["a"]


class Frozen:
    """After the intent of a call is on record, the process stands still for longer than its lease."""

    def __init__(self, wake_up: Callable[[], Awaitable[object]]) -> None:
        self._wake_up: Callable[[], Awaitable[object]] | None = wake_up

    async def passed(self, point: str, session: str) -> None:
        if point == "commit.after" and self._wake_up is not None:
            wake_up, self._wake_up = self._wake_up, None
            await wake_up()


@pytest.mark.parametrize(("is_taken", "made"), [(True, 0), (False, 1)])
async def test_a_process_that_wakes_up_after_its_lease_acts_only_where_the_turn_is_still_its_own(
    set_stage: SetStage, monkeypatch: pytest.MonkeyPatch, is_taken: bool, made: int
) -> None:
    draft = pets()
    stage = await set_stage(draft, calls(("createPet", {})), says("It is in."))

    async def wake_up() -> None:
        monkeypatch.setattr(holding, "LEASE_US", 0)
        if is_taken:
            await stage.store.end_leases()
            await stage.new_engine("another").run(asked("and now?"))

    arm_store(stage.store, Frozen(wake_up))
    turn = asyncio.create_task(stage.say("add Rex"))
    await asyncio.wait([turn])
    assert isinstance(turn.exception(), LeaseLost) is is_taken
    assert len(draft.shelf.tools["pets"].invoked) == made
