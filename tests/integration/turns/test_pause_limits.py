"""How long a session waits for its client: the agent may say so, and nothing but the next request looks."""

import pytest

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.base import FunctionResult, UserText
from openplaybook.tools.base import ExecutionPlace
from openplaybook.turns.base import NoInput, TextMessage, ToolCallMessage
from openplaybook.turns.errors import ResultNotExpected
from tests.integration.turns.conftest import SetStage
from tests.integration.turns.test_sealing import kept
from tests.kit.agents import AGENT, AgentDraft, calls, says

pytestmark = pytest.mark.proves("C1")

OVER = "0.000001s"
"""Over before the next request can come."""

TIMED_OUT: JsonValue = {"error": {"code": "TIMED_OUT", "message": "Timed out: the client gave no result in time."}}


def weather(timeout: str, **agent: JsonValue) -> AgentDraft:
    draft = AgentDraft(toolCallResultTimeout=timeout, **agent)
    draft.playbook("Start", "Use ${TOOL: weather}.", start=True)
    draft.tool("weather", place=ExecutionPlace.CLIENT)
    return draft


async def test_a_result_in_time_is_taken(set_stage: SetStage) -> None:
    stage = await set_stage(weather("3600s"), calls(("weather", {})), says("It is 28 degrees."))
    await stage.say("weather?")
    stage.engine = stage.new_engine()
    result = await stage.answer("weather", "weather", output={"temperature": 28})
    assert result.messages == (TextMessage("It is 28 degrees."),)


async def test_a_client_that_says_nothing_gets_no_more_time(set_stage: SetStage) -> None:
    stage = await set_stage(weather("3600s"), calls(("weather", {})))
    await stage.say("weather?")
    until = (await kept(stage.store)).waits_until
    assert (await stage.give(NoInput())).paused
    assert (await kept(stage.store)).waits_until == until is not None


@pytest.mark.parametrize("call_id", ["", "call-1-1-1"])
async def test_a_late_result_is_refused_and_the_session_stays_as_it_is(set_stage: SetStage, call_id: str) -> None:
    stage = await set_stage(weather(OVER), calls(("weather", {})), says("Never mind."))
    await stage.say("weather?")
    stored = await stage.store.session(f"{AGENT}/sessions/s")
    for _ in range(2):
        with pytest.raises(ResultNotExpected) as late:
            await stage.answer("weather", "weather", call_id=call_id, output={"temperature": 28})
        assert str(late.value) == (
            "Session is not waiting for a tool call result of tool, weather, and action, weather, any more: "
            "the time for it is over."
        )
    after = await stage.store.session(f"{AGENT}/sessions/s")
    assert (stored and stored.state) == (after and after.state)


@pytest.mark.parametrize("agent", [{}, {"pausedInput": "REFUSE"}])
async def test_what_the_user_says_then_is_answered_and_the_model_knows_of_the_time_out(
    set_stage: SetStage, agent: dict[str, JsonValue]
) -> None:
    stage = await set_stage(weather(OVER, **agent), calls(("weather", {})), says("No answer came."))
    await stage.say("weather?")
    assert (await stage.say("well?")).messages == (TextMessage("No answer came."),)
    assert stage.model.asked[1].conversation[-2:] == (
        FunctionResult("m1", "weather", TIMED_OUT, is_error=True),
        UserText("well?"),
    )
    with pytest.raises(ResultNotExpected):
        await stage.answer("weather", "weather", output={"temperature": 28})


async def test_each_answer_of_the_client_begins_the_wait_anew(set_stage: SetStage) -> None:
    two = calls(("weather", {"location": "A"}), ("weather", {"location": "B"}))
    draft = weather("3600s")
    stage = await set_stage(draft, two, says("Only one."))
    await stage.say("weather in A and B?")
    left = await stage.answer("weather", "weather", output={"temperature": 1})
    assert [message.id for message in left.messages if isinstance(message, ToolCallMessage)] == ["call-1-1-2"]
    waits = [
        step.payload for step in await stage.store.history(f"{AGENT}/sessions/s", turns=10) if step.kind == "pause"
    ]
    assert len(set(waits)) == 2


async def test_of_two_calls_the_one_that_was_answered_keeps_its_result(set_stage: SetStage) -> None:
    two = calls(("weather", {"location": "A"}), ("weather", {"location": "B"}))
    draft = weather("3600s")
    stage = await set_stage(draft, two, says("Only one."))
    await stage.say("weather in A and B?")
    draft.document("generative_settings", f"{AGENT}/generativeSettings/en", {"toolCallResultTimeout": OVER})
    await draft.put(stage.store)
    await stage.answer("weather", "weather", output={"temperature": 1})
    await stage.say("well?")
    told = [entry.output for entry in stage.model.asked[1].conversation if isinstance(entry, FunctionResult)]
    cancelled: JsonValue = {
        "error": {"code": "CANCELLED", "message": "Cancelled: the user went on before there was a result."}
    }
    # The turn goes on with the agent it began with, whose wait is long.
    assert told == [{"temperature": 1}, cancelled]
