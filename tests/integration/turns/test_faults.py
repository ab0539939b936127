import pytest

from openplaybook.models.base import FunctionCall, FunctionResult, UserText
from openplaybook.models.errors import ModelRateLimited, ModelTimeout, ModelUnavailable
from openplaybook.storage.base import Delete
from openplaybook.tools.base import Call, ExecutionPlace, Outcome, ToolContext
from openplaybook.turns.base import TextMessage
from openplaybook.turns.errors import ModelFailed, NoSuchPlaybook, TurnTimedOut
from tests.integration.turns.conftest import SetStage
from tests.kit.agents import AgentDraft, calls, says


def pets() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets} and ${TOOL: weather}.", start=True)
    draft.tool("pets", "createPet")
    draft.tool("weather", place=ExecutionPlace.CLIENT)
    return draft


async def test_a_model_that_fails_at_once_leaves_the_session_as_it_was(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), ModelRateLimited("slow down"), says("Hello!"))
    with pytest.raises(ModelFailed, match="MODEL_RATE_LIMITED"):
        await stage.say("hi")
    result = await stage.say("hi")
    assert result.messages == (TextMessage("Hello!"),)
    assert stage.model.asked[1].conversation == (UserText("hi"),)


async def test_a_model_that_says_nothing_at_all_has_failed(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), says(""))
    with pytest.raises(ModelFailed, match="MODEL_GARBLED"):
        await stage.say("hi")


async def test_the_same_words_again_continue_a_turn_cut_short_and_repeat_no_call(set_stage: SetStage) -> None:
    draft = pets()
    stage = await set_stage(draft, calls(("createPet", {"name": "Rex"})), ModelUnavailable("gone"), says("Rex is in."))
    with pytest.raises(ModelFailed, match="MODEL_UNAVAILABLE"):
        await stage.say("add Rex")
    stage.engine = stage.new_engine()
    result = await stage.say("add Rex")
    assert result.messages == (TextMessage("Rex is in."),)
    assert len(draft.shelf.tools["pets"].invoked) == 1
    assert stage.model.asked[2].conversation == (
        UserText("add Rex"),
        FunctionCall("m1", "createPet", {"name": "Rex"}),
        FunctionResult("m1", "createPet", {"200": "done"}),
    )


async def test_other_words_after_a_turn_cut_short_are_a_new_turn_that_knows_what_was_done(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("createPet", {})), ModelTimeout("late"), says("It is in."))
    with pytest.raises(ModelFailed):
        await stage.say("add Rex")
    await stage.say("did it work?")
    assert [type(entry) for entry in stage.model.asked[2].conversation] == [
        UserText,
        FunctionCall,
        FunctionResult,
        UserText,
    ]


async def test_a_tool_result_is_not_lost_when_the_model_fails_behind_it(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("weather", {})), ModelUnavailable("gone"), says("28 degrees."))
    await stage.say("weather?")
    with pytest.raises(ModelFailed):
        await stage.answer("weather", "weather", output={"temperature": 28})
    result = await stage.answer("weather", "weather", output={"temperature": 28})
    assert result.messages == (TextMessage("28 degrees."),)
    assert stage.model.asked[2].conversation[-1] == FunctionResult("m1", "weather", {"temperature": 28})


async def test_a_fault_inside_a_tool_is_an_error_to_the_model_and_logged(
    set_stage: SetStage, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(call: Call, context: ToolContext) -> Outcome:
        raise ZeroDivisionError("a fault of ours")

    draft = pets()
    draft.shelf.tools["pets"].answer = broken
    stage = await set_stage(draft, calls(("createPet", {})), says("That went wrong."))
    result = await stage.say("add Rex")
    assert result.messages == (TextMessage("That went wrong."),)
    told = stage.model.asked[1].conversation[-1]
    assert isinstance(told, FunctionResult)
    assert told.output["error"]["code"] == "INTERNAL"
    assert "a fault of ours" in caplog.text
    assert "a fault of ours" not in str(told.output)


async def test_a_caller_without_time_gets_a_timeout_and_the_session_stays_usable(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), says("Hello!"))
    with pytest.raises(TurnTimedOut):
        await stage.say("hi", timeout_s=1e-9)
    assert (await stage.say("hi")).messages == (TextMessage("Hello!"),)


async def test_a_playbook_deleted_under_a_session_is_named(set_stage: SetStage) -> None:
    draft = pets()
    child = draft.playbook("Child")
    draft.playbook("Start", "Use ${PLAYBOOK: Child}.", start=True)
    stage = await set_stage(draft, calls(("Child", {})), says("Hello!"))
    await stage.say("hi")
    await stage.store.apply([Delete(child)])
    with pytest.raises(NoSuchPlaybook, match="deleted while the session was in it"):
        await stage.say("still there?")
