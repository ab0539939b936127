import asyncio

import pytest

from openplaybook.models.base import FunctionResult
from openplaybook.storage.base import BeginTurn, Lease, Started, Store
from openplaybook.tools.base import ExecutionPlace
from openplaybook.turns.agent.snapshot_store import Snapshots
from openplaybook.turns.base import Partial, PartialTrace, TextMessage
from openplaybook.turns.errors import RequestKeyReused, SessionBusy
from openplaybook.turns.journal.events import CallsIntended, Event, UserHeard
from openplaybook.turns.journal.rows import row_of
from openplaybook.turns.journal.session_state import CallKind, PendingCall
from openplaybook.turns.session import turn_admission
from openplaybook.turns.session.seals import SealedParameters
from openplaybook.turns.steps.intake import begin_event
from tests.integration.turns.conftest import SetStage, Stage, asked
from tests.kit.agents import AGENT, SESSION, START, AgentDraft, calls, says
from tests.kit.happenings import entered, replied


def pets(*, safe_to_repeat: bool = False) -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets} and ${TOOL: weather}.", start=True)
    draft.tool("pets", "createPet", safe_to_repeat=safe_to_repeat)
    draft.tool("weather", place=ExecutionPlace.CLIENT)
    return draft


async def test_a_repeated_request_gets_the_same_answer_without_model_or_tool(set_stage: SetStage) -> None:
    draft = pets()
    stage = await set_stage(draft, calls(("createPet", {})), says("Rex is in."))
    first = await stage.say("add Rex", request_key="k1")
    stage.engine = stage.new_engine()
    assert await stage.say("add Rex", request_key="k1") == first
    assert len(draft.shelf.tools["pets"].invoked) == 1


async def test_a_repeated_request_that_paused_asks_for_the_same_call(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("weather", {})))
    first = await stage.say("weather?", request_key="k1")
    assert await stage.say("weather?", request_key="k1") == first


async def test_the_key_of_another_request_is_refused_and_the_session_goes_on(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), says("Hello!"), says("Goodbye!"))
    await stage.say("hi", request_key="k1")
    with pytest.raises(RequestKeyReused):
        await stage.say("bye", request_key="k1")
    assert (await stage.say("bye", request_key="k2")).messages == (TextMessage("Goodbye!"),)


async def test_turns_of_one_session_wait_for_each_other(set_stage: SetStage) -> None:
    draft = pets()
    draft.shelf.tools["pets"].gate = asyncio.Event()
    stage = await set_stage(draft, calls(("createPet", {})), says("Rex is in."), says("Hello!"))
    first = asyncio.create_task(stage.say("add Rex"))
    await draft.shelf.tools["pets"].called.wait()
    second = asyncio.create_task(stage.say("hi"))
    with pytest.raises(SessionBusy, match="Another turn of session s is still running"):
        await stage.say("hurry", timeout_s=0.01)
    draft.shelf.tools["pets"].gate.set()
    assert (await first).messages == (TextMessage("Rex is in."),)
    assert (await second).messages == (TextMessage("Hello!"),)


async def test_a_turn_of_another_process_is_waited_for(set_stage: SetStage) -> None:
    draft = pets()
    draft.shelf.tools["pets"].gate = asyncio.Event()
    stage = await set_stage(draft, calls(("createPet", {})), says("Rex is in."))
    first = asyncio.create_task(stage.say("add Rex"))
    await draft.shelf.tools["pets"].called.wait()
    with pytest.raises(SessionBusy):
        await stage.new_engine("another owner").run(asked("hurry", timeout_s=0.05))
    draft.shelf.tools["pets"].gate.set()
    await first


async def test_a_turn_that_takes_long_keeps_its_session(set_stage: SetStage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_admission, "_RENEW_S", 0.01)
    draft = pets()
    draft.shelf.tools["pets"].gate = asyncio.Event()
    stage = await set_stage(draft, calls(("createPet", {})), says("Rex is in."))
    renew, renewed = stage.store.renew, asyncio.Event()

    async def noted(lease: Lease, lease_us: int) -> None:
        await renew(lease, lease_us)
        renewed.set()

    setattr(stage.store, "renew", noted)  # noqa: B010 - a method cannot be assigned to otherwise
    first = asyncio.create_task(stage.say("add Rex"))
    await draft.shelf.tools["pets"].called.wait()
    await stage.store.end_leases()
    renewed.clear()
    await renewed.wait()
    with pytest.raises(SessionBusy):
        await stage.new_engine("another owner").run(asked("hurry", timeout_s=0.05))
    draft.shelf.tools["pets"].gate.set()
    assert (await first).messages == (TextMessage("Rex is in."),)


async def died(stage: Stage, *recorded: Event) -> None:
    """Leave behind a turn as a process does that dies with these events on record."""
    digest = (await Snapshots(stage.store, stage.draft.shelf).current(AGENT)).digest
    begin = begin_event(asked("add Rex"), digest, SealedParameters({}))
    first = BeginTurn(SESSION, AGENT, "turn-1", "k1", "", "dead", -1, 2**62, (row_of(begin),))
    begun = await stage.store.begin_turn(first)
    assert isinstance(begun, Started)
    await append(stage.store, begun, *recorded)


async def append(store: Store, begun: Started, *recorded: Event) -> None:
    # The lease has run out already, so the rows are written under the same transaction rules as a live owner's.
    await store.renew(begun.lease, 60_000_000)
    await store.append(begun.lease, [row_of(event) for event in recorded])
    await store.renew(begun.lease, -1)


def decided() -> list[Event]:
    call = PendingCall(
        "call-1-1-1", "m1", "createPet", CallKind.TOOL, {"name": "Rex"}, tool=f"{AGENT}/tools/pets", action="createPet"
    )
    return [
        entered(1, START),
        UserHeard(frame=1, text="add Rex"),
        replied("", call, model="played"),
        CallsIntended(calls=(call.id,)),
    ]


async def test_a_turn_that_died_before_its_first_decision_starts_over(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), says("Rex is in."))
    await died(stage)
    assert (await stage.say("add Rex", request_key="k1")).messages == (TextMessage("Rex is in."),)


async def test_a_call_in_doubt_is_not_repeated_and_the_model_is_told(set_stage: SetStage) -> None:
    draft = pets()
    stage = await set_stage(draft, says("I do not know whether Rex is in."))
    await died(stage, *decided())
    await stage.say("add Rex", request_key="k1")
    assert draft.shelf.tools["pets"].invoked == []
    told = stage.model.asked[0].conversation[-1]
    assert isinstance(told, FunctionResult)
    assert told.output["error"]["code"] == "OUTCOME_UNKNOWN"


async def test_a_result_is_on_record_before_the_calls_beside_it_have_ended(set_stage: SetStage) -> None:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets} and ${TOOL: taxi}.", start=True)
    draft.tool("pets", "createPet")
    draft.tool("taxi").gate = asyncio.Event()
    stage = await set_stage(draft, calls(("createPet", {}), ("taxi", {})), says("Rex is in."))
    ended = asyncio.Event()

    def hear(partial: Partial) -> None:
        if isinstance(partial, PartialTrace) and partial.step.end_us:
            ended.set()

    dying = asyncio.create_task(stage.engine.run(asked("add Rex", request_key="k1"), hear))
    await draft.shelf.tools["taxi"].called.wait()
    await ended.wait()
    dying.cancel()
    await asyncio.wait([dying])
    await stage.store.end_leases()
    stage.engine = stage.new_engine("another owner")
    await stage.say("add Rex", request_key="k1")
    told = [entry for entry in stage.model.asked[-1].conversation if isinstance(entry, FunctionResult)]
    assert [(entry.name, entry.is_error) for entry in told] == [("createPet", False), ("taxi", True)]
    assert len(draft.shelf.tools["pets"].invoked) == 1


async def test_a_call_in_doubt_that_is_safe_to_repeat_is_repeated(set_stage: SetStage) -> None:
    draft = pets(safe_to_repeat=True)
    stage = await set_stage(draft, says("Rex is in."))
    await died(stage, *decided())
    await stage.say("add Rex", request_key="k1")
    assert [call.id for call in draft.shelf.tools["pets"].invoked] == ["call-1-1-1"]
    told = stage.model.asked[0].conversation[-1]
    assert told == FunctionResult("m1", "createPet", {"200": "done"})


async def test_a_dead_turn_is_not_taken_over_by_another_input_with_its_key(set_stage: SetStage) -> None:
    draft = pets(safe_to_repeat=True)
    stage = await set_stage(draft, says("Rex is in."))
    await died(stage, *decided())
    with pytest.raises(RequestKeyReused):
        await stage.say("add Max", request_key="k1")
    assert (await stage.say("add Rex", request_key="k1")).messages == (TextMessage("Rex is in."),)
