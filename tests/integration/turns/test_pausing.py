import pytest

from openplaybook.models.base import AgentText, FunctionResult, UserText
from openplaybook.tools.base import ExecutionPlace
from openplaybook.turns.base import TextMessage, ToolCallMessage
from openplaybook.turns.errors import ResultMismatch, ResultNotExpected, SessionWaiting
from tests.integration.turns.conftest import SetStage
from tests.kit.agents import AGENT, AgentDraft, RememberedTool, calls, says
from tests.kit.told_steps import notices_in

WEATHER = f"{AGENT}/tools/weather"


def weather(**agent: object) -> AgentDraft:
    draft = AgentDraft(**agent)
    draft.playbook("Start", "Use ${TOOL: weather} and ${TOOL: pets}.", start=True)
    draft.tool("weather", place=ExecutionPlace.CLIENT)
    draft.tool("pets", "getPet")
    return draft


def tool_of(draft: AgentDraft, name: str) -> RememberedTool:
    return draft.shelf.tools[name]


@pytest.mark.proves("F1", "F2")
async def test_a_function_tool_pauses_the_session_and_its_result_resumes_it(set_stage: SetStage) -> None:
    draft = weather()
    stage = await set_stage(draft, calls(("weather", {"location": "Mountain View"})), says("It is 28 degrees."))
    paused = await stage.say("what is the weather in Mountain View")
    assert paused.paused
    assert paused.messages == (ToolCallMessage("call-1-1-1", WEATHER, "weather", {"location": "Mountain View"}),)
    assert tool_of(draft, "weather").invoked == []
    resumed = await stage.answer("weather", "weather", output={"temperature": 28.0})
    assert (resumed.paused, resumed.query_text, resumed.messages) == (False, "", (TextMessage("It is 28 degrees."),))
    assert stage.model.asked[1].conversation[-1] == FunctionResult("m1", "weather", {"temperature": 28.0})


async def test_a_pause_outlives_a_restart_and_an_edit_of_the_agent(set_stage: SetStage) -> None:
    draft = weather()
    stage = await set_stage(draft, calls(("weather", {})), says("It is 28 degrees."))
    await stage.say("weather?")
    draft.playbook("Start", "Say nothing.", start=True)
    await draft.put(stage.store)
    stage.engine = stage.new_engine()
    await stage.answer("weather", "weather", output={"temperature": 28.0})
    assert stage.model.asked[1].instructions == stage.model.asked[0].instructions


@pytest.mark.proves("F2")
async def test_an_error_of_the_client_goes_to_the_model(set_stage: SetStage) -> None:
    stage = await set_stage(weather(), calls(("weather", {})), says("I could not find out."))
    await stage.say("weather?")
    await stage.answer("weather", "weather", error="no network")
    assert stage.model.asked[1].conversation[-1] == FunctionResult(
        "m1", "weather", {"error": {"code": "CLIENT_ERROR", "message": "no network"}}, is_error=True
    )


async def test_of_two_calls_of_one_action_a_result_without_id_is_the_olders(set_stage: SetStage) -> None:
    stage = await set_stage(
        weather(), calls(("weather", {"location": "A"}), ("weather", {"location": "B"})), says("Both.")
    )
    paused = await stage.say("weather in A and B?")
    assert paused.messages == (
        ToolCallMessage("call-1-1-1", WEATHER, "weather", {"location": "A"}),
        ToolCallMessage("call-1-1-2", WEATHER, "weather", {"location": "B"}),
    )
    still = await stage.answer("weather", "weather", output={"temperature": 1})
    assert still.messages == (ToolCallMessage("call-1-1-2", WEATHER, "weather", {"location": "B"}),)
    done = await stage.answer("weather", "weather", output={"temperature": 2})
    assert done.messages == (TextMessage("Both."),)
    results = [entry.output for entry in stage.model.asked[1].conversation if isinstance(entry, FunctionResult)]
    assert results == [{"temperature": 1}, {"temperature": 2}]


async def test_a_result_that_repeats_a_calls_id_settles_that_call(set_stage: SetStage) -> None:
    stage = await set_stage(
        weather(), calls(("weather", {"location": "A"}), ("weather", {"location": "B"})), says("Both.")
    )
    await stage.say("weather in A and B?")
    await stage.answer("weather", "weather", call_id="call-1-1-2", output={"temperature": 2})
    await stage.answer("weather", "weather", call_id="call-1-1-1", output={"temperature": 1})
    results = [entry.output for entry in stage.model.asked[1].conversation if isinstance(entry, FunctionResult)]
    assert results == [{"temperature": 1}, {"temperature": 2}]


async def test_server_side_calls_beside_a_client_call_run_before_the_pause_and_once(set_stage: SetStage) -> None:
    draft = weather()
    stage = await set_stage(draft, calls(("weather", {}), ("getPet", {})), says("Both."))
    await stage.say("weather and pet?")
    assert len(tool_of(draft, "pets").invoked) == 1
    await stage.answer("weather", "weather", output={"temperature": 28})
    assert len(tool_of(draft, "pets").invoked) == 1
    results = [entry.output for entry in stage.model.asked[1].conversation if isinstance(entry, FunctionResult)]
    assert results == [{"temperature": 28}, {"200": "done"}]


@pytest.mark.proves("F4")
async def test_text_while_paused_cancels_the_open_calls_and_is_answered(set_stage: SetStage) -> None:
    stage = await set_stage(weather(), calls(("weather", {})), says("Never mind then."))
    await stage.say("weather?")
    result = await stage.say("forget it")
    assert result.messages == (TextMessage("Never mind then."),)
    cancelled = "Cancelled: the user went on before there was a result."
    assert stage.model.asked[1].conversation[-2:] == (
        FunctionResult("m1", "weather", {"error": {"code": "CANCELLED", "message": cancelled}}, is_error=True),
        UserText("forget it"),
    )


@pytest.mark.proves("F4")
async def test_a_late_result_is_refused_and_changes_nothing(set_stage: SetStage) -> None:
    stage = await set_stage(weather(), calls(("weather", {})), says("Never mind then."), says("Still here."))
    await stage.say("weather?")
    await stage.say("forget it")
    with pytest.raises(
        ResultNotExpected, match="not waiting for a tool call result of tool, weather, and action, weather"
    ):
        await stage.answer("weather", "weather", output={"temperature": 28})
    await stage.say("hello?")
    assert stage.model.asked[2].conversation[-2:] == (AgentText("Never mind then."), UserText("hello?"))


@pytest.mark.proves("F4")
async def test_an_agent_that_refuses_text_while_paused_says_what_it_waits_for(set_stage: SetStage) -> None:
    stage = await set_stage(weather(pausedInput="REFUSE"), calls(("weather", {})), says("It is 28 degrees."))
    await stage.say("weather?")
    message = "^Session is waiting for tool call result of tool, weather, and action, weather.$"
    with pytest.raises(SessionWaiting, match=message):
        await stage.say("forget it")
    assert (await stage.answer("weather", "weather", output={"t": 28})).messages == (TextMessage("It is 28 degrees."),)


async def test_a_result_of_another_tool_is_refused_and_the_session_still_waits(set_stage: SetStage) -> None:
    stage = await set_stage(weather(), calls(("weather", {})), says("It is 28 degrees."))
    await stage.say("weather?")
    message = "^Session is waiting for tool call result of tool, weather, and action, weather.$"
    for tool, action in (("pets", "getPet"), ("weather", "getWeather")):
        with pytest.raises(ResultMismatch, match=message):
            await stage.answer(tool, action, output={})
    assert (await stage.answer("weather", "weather", output={"t": 28})).messages == (TextMessage("It is 28 degrees."),)


async def test_a_result_that_does_not_fit_its_schema_is_taken_and_remarked(set_stage: SetStage) -> None:
    draft = weather()
    tool_of(draft, "weather").problems = ["temperature must be a number"]
    stage = await set_stage(draft, calls(("weather", {})), says("It is warm."))
    await stage.say("weather?")
    result = await stage.answer("weather", "weather", output={"temperature": "warm"})
    assert notices_in(result.trace) == [("RESULT_SCHEMA", "temperature must be a number")]


async def test_a_session_that_never_paused_takes_no_result(set_stage: SetStage) -> None:
    stage = await set_stage(weather(), says("Hello!"))
    with pytest.raises(ResultNotExpected):
        await stage.answer("weather", "weather", output={})
    assert (await stage.say("hi")).messages == (TextMessage("Hello!"),)
