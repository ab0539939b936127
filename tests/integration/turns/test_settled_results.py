"""Tool results that come again: an equal one gets the stored answer, another one is refused."""

import pytest

from openplaybook.models.base import FunctionResult
from openplaybook.tools.base import ExecutionPlace
from openplaybook.turns.base import TextMessage, ToolCallMessage
from openplaybook.turns.errors import ResultNotExpected
from tests.integration.turns.conftest import SetStage, Stage
from tests.kit.agents import AgentDraft, calls, says

WARM = {"temperature": 28}


async def settled(set_stage: SetStage, *then: object) -> Stage:
    """A session whose call of the weather tool was answered, with or without its id."""
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: weather}.", start=True)
    draft.tool("weather", place=ExecutionPlace.CLIENT)
    stage = await set_stage(draft, calls(("weather", {})), says("28 degrees."), *then)
    await stage.say("weather?")
    return stage


@pytest.mark.parametrize("first", ["", "call-1-1-1"], ids=["first without its id", "first with its id"])
async def test_an_equal_result_gets_the_stored_answer_also_much_later(set_stage: SetStage, first: str) -> None:
    stage = await settled(set_stage, says("Hello!"))
    answered = await stage.answer("weather", "weather", output=WARM, call_id=first)
    await stage.say("hi")
    stage.engine = stage.new_engine()
    assert await stage.answer("weather", "weather", output=WARM, call_id=first) == answered
    assert len(stage.model.asked) == 3


async def test_an_equal_result_that_adds_the_id_of_its_call_gets_the_stored_answer(set_stage: SetStage) -> None:
    stage = await settled(set_stage)
    answered = await stage.answer("weather", "weather", output=WARM)
    assert await stage.answer("weather", "weather", output=WARM, call_id="call-1-1-1") == answered


@pytest.mark.parametrize("call_id", ["", "call-1-1-1"], ids=["without its id", "with its id"])
async def test_another_result_is_refused_and_changes_nothing(set_stage: SetStage, call_id: str) -> None:
    stage = await settled(set_stage, says("Hello!"))
    await stage.answer("weather", "weather", output=WARM)
    with pytest.raises(ResultNotExpected):
        await stage.answer("weather", "weather", output={"temperature": 3}, call_id=call_id)
    await stage.say("hi")
    told = [entry for entry in stage.model.asked[-1].conversation if isinstance(entry, FunctionResult)]
    assert [each.output for each in told] == [WARM]


async def test_an_equal_result_with_the_id_of_its_call_is_known_while_the_session_waits_for_another(
    set_stage: SetStage,
) -> None:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: weather}.", start=True)
    draft.tool("weather", place=ExecutionPlace.CLIENT)
    stage = await set_stage(draft, calls(("weather", {"in": "Oslo"}), ("weather", {"in": "Rome"})), says("Both 28."))
    await stage.say("weather?")
    first = await stage.answer("weather", "weather", output=WARM, call_id="call-1-1-1")
    assert await stage.answer("weather", "weather", output=WARM, call_id="call-1-1-1") == first
    assert [message.id for message in first.messages if isinstance(message, ToolCallMessage)] == ["call-1-1-2"]
    last = await stage.answer("weather", "weather", output=WARM, call_id="call-1-1-2")
    assert last.messages == (TextMessage("Both 28."),)
