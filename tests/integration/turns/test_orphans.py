"""Turns whose process died and whose request never came again: the next request finds what they did."""

from openplaybook.models.base import FunctionCall, FunctionResult, UserText
from openplaybook.storage.base import BeginTurn, Started, Store
from openplaybook.tools.base import ExecutionPlace
from openplaybook.turns.agent.snapshot_store import Snapshots
from openplaybook.turns.base import TextMessage, ToolResultInput, TurnRequest
from openplaybook.turns.journal.rows import row_of
from openplaybook.turns.session.seals import SealedParameters
from openplaybook.turns.steps.intake import begin_event
from tests.integration.turns.conftest import SetStage, Stage, asked
from tests.integration.turns.test_repeating import decided, died
from tests.kit.agents import AGENT, SESSION, AgentDraft, calls, says


def pets() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets} and ${TOOL: weather}.", start=True)
    draft.tool("pets", "createPet")
    draft.tool("weather", place=ExecutionPlace.CLIENT)
    return draft


async def states(store: Store) -> list[str]:
    return [turn.state.value for turn in await store.kept_turns(SESSION)]


async def test_other_words_come_after_what_the_dead_turn_did(set_stage: SetStage) -> None:
    draft = pets()
    stage = await set_stage(draft, says("I do not know whether Rex is in."))
    await died(stage, *decided())
    await stage.say("did it work?")
    message = "The turn ended before the result; whether it acted is unknown."
    error = {"error": {"code": "OUTCOME_UNKNOWN", "message": message}}
    assert stage.model.asked[0].conversation == (
        UserText("add Rex"),
        FunctionCall("m1", "createPet", {"name": "Rex"}),
        FunctionResult("m1", "createPet", error, is_error=True),
        UserText("did it work?"),
    )
    assert draft.shelf.tools["pets"].invoked == []
    assert await states(stage.store) == ["STOPPED", "DONE"]


async def test_the_dead_request_that_comes_too_late_starts_a_turn_that_knows(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), says("I do not know."), says("It may be in already."))
    await died(stage, *decided())
    await stage.say("did it work?")
    result = await stage.say("add Rex", request_key="k1")
    assert result.messages == (TextMessage("It may be in already."),)
    assert [type(entry) for entry in stage.model.asked[1].conversation].count(FunctionResult) == 1


async def test_a_dead_turn_that_did_nothing_leaves_no_trace(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), says("Hello!"))
    await died(stage)
    await stage.say("hi")
    assert stage.model.asked[0].conversation == (UserText("hi"),)
    assert await states(stage.store) == ["DONE"]


async def brought(stage: Stage, given: ToolResultInput) -> None:
    """Leave behind a turn that died with nothing but its request on record, which brought a result."""
    digest = (await Snapshots(stage.store, stage.draft.shelf).current(AGENT)).digest
    request = TurnRequest(agent=AGENT, session=SESSION, input=given, language_code="en")
    row = row_of(begin_event(request, digest, SealedParameters({})))
    begun = await stage.store.begin_turn(BeginTurn(SESSION, AGENT, "turn-2", None, "f", "dead", -1, 2**62, (row,)))
    assert isinstance(begun, Started)


async def test_a_result_that_a_dead_turn_brought_is_not_lost(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("weather", {})), says("Hello!"))
    await stage.say("weather?")
    await brought(stage, ToolResultInput(f"{AGENT}/tools/weather", "weather", output={"temperature": 9}))
    await stage.say("hi")
    assert stage.model.asked[1].conversation == (
        UserText("weather?"),
        FunctionCall("m1", "weather", {}),
        FunctionResult("m1", "weather", {"temperature": 9}),
        UserText("hi"),
    )
    assert await states(stage.store) == ["DONE", "STOPPED", "DONE"]


async def test_a_result_that_nobody_waited_for_goes_with_its_dead_turn(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), says("Hello!"), says("Hello again!"))
    await stage.say("hi")
    await brought(stage, ToolResultInput(f"{AGENT}/tools/weather", "weather", output={"temperature": 9}))
    await stage.say("hi there")
    assert stage.model.asked[1].conversation[-1] == UserText("hi there")
    assert await states(stage.store) == ["DONE", "DONE"]


async def test_words_that_a_dead_turn_did_not_answer_do_not_end_a_pause(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("weather", {})), says("9 degrees."))
    await stage.say("weather?")
    digest = (await Snapshots(stage.store, stage.draft.shelf).current(AGENT)).digest
    row = row_of(begin_event(asked("hurry"), digest, SealedParameters({})))
    await stage.store.begin_turn(BeginTurn(SESSION, AGENT, "turn-2", None, "f", "dead", -1, 2**62, (row,)))
    result = await stage.answer("weather", "weather", output={"temperature": 9})
    assert result.messages == (TextMessage("9 degrees."),)
