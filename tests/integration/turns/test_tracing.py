import pytest

from openplaybook.tools.base import Call, Exchange, ExecutionPlace, Failure, Outcome, Success, ToolContext
from openplaybook.turns.base import DepartureStep, EntryStep, StepFault, ToolStep
from tests.integration.turns.conftest import SetStage
from tests.kit.agents import AGENT, START, AgentDraft, calls, says
from tests.kit.told_steps import kinds_in, notices_in, step_at

EXCHANGE = Exchange("GET", "http://api/pets/3", {}, "", 200, {}, '{"name": "Rex"}', 1.5)


def exchange(call: Call, context: ToolContext) -> Outcome:
    context.exchanged.append(EXCHANGE)
    return Success({"200": {"name": "Rex"}}, note="2 fields left out")


def pets() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets} and ${TOOL: weather} and ${PLAYBOOK: Other}.", start=True)
    draft.playbook("Other")
    draft.tool("pets", "getPet", answer=exchange)
    draft.tool("weather", place=ExecutionPlace.CLIENT)
    return draft


@pytest.mark.proves("G6")
async def test_a_tool_call_is_shown_with_request_response_and_time(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("getPet", {"petId": 3})), says("It is Rex."))
    result = await stage.say("show me pet 3")
    assert kinds_in(result.trace) == ["user", "model", "tool", "model", "agent"]
    tool = step_at(result.trace, 2, ToolStep)
    assert (tool.playbook, tool.playbook_display_name, tool.frame, tool.turn) == (START, "Start", 1, 1)
    assert tool.start_us <= tool.end_us
    assert (tool.call_id, tool.tool, tool.tool_display_name) == ("call-1-1-1", f"{AGENT}/tools/pets", "pets")
    assert (tool.action, tool.arguments, tool.output) == ("getPet", {"petId": 3}, {"200": {"name": "Rex"}})
    assert (tool.error, tool.note, tool.exchanges) == (None, "2 fields left out", (EXCHANGE,))


@pytest.mark.proves("G6")
async def test_a_failed_call_is_shown_with_its_error(set_stage: SetStage) -> None:
    draft = pets()
    draft.shelf.tools["pets"].answer = lambda call, context: Failure("TIMEOUT", "no answer in 5 s")
    stage = await set_stage(draft, calls(("getPet", {})), says("Sorry."))
    tool = step_at((await stage.say("pet 3")).trace, 2, ToolStep)
    assert tool.error == StepFault(code="TIMEOUT", message="no answer in 5 s")


async def test_a_call_for_the_client_is_shown_when_asked_for_and_again_with_its_result(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("weather", {"city": "Bern"})), says("28 degrees."))
    asked_for = step_at((await stage.say("weather?")).trace, -1, ToolStep)
    assert (asked_for.end_us, asked_for.output, asked_for.is_client) == (0, None, False)
    answered = step_at((await stage.answer("weather", "weather", output={"t": 28})).trace, 0, ToolStep)
    assert (answered.arguments, answered.output, answered.is_client) == ({"city": "Bern"}, {"t": 28}, True)


async def test_a_called_playbook_is_shown_from_its_call_to_its_end(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("Other", {"a": 1})), calls(("end_playbook", {"b": 2})), says("Done."))
    result = await stage.say("go")
    assert kinds_in(result.trace) == ["user", "model", "playbook", "model", "playbook", "model", "agent"]
    begun, ended = step_at(result.trace, 2, EntryStep), step_at(result.trace, 4, DepartureStep)
    assert (begun.arguments, ended.output, ended.state) == ({"a": 1}, {"b": 2}, "OK")
    assert (begun.frame, ended.frame, result.trace[5].frame) == (2, 2, 1)


async def test_a_tool_that_cannot_be_compiled_is_told_in_the_trace(set_stage: SetStage) -> None:
    draft = pets()
    del draft.shelf.tools["pets"]
    stage = await set_stage(draft, says("I cannot look pets up."), says("Still not."))
    notices = notices_in((await stage.say("pet 3")).trace)
    assert notices == [("TOOL_UNUSABLE", "Tool pets cannot be called: $: is not on the shelf")]
