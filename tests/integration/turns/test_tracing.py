import pytest

from openplaybook.tools.base import Call, Exchange, Failure, Outcome, Place, Success, ToolContext
from openplaybook.turns.base import TraceEvent
from tests.integration.turns.conftest import SetStage
from tests.kit.agents import AGENT, START, AgentDraft, calls, says

EXCHANGE = Exchange("GET", "http://api/pets/3", {}, "", 200, {}, '{"name": "Rex"}', 1.5)


def exchange(call: Call, context: ToolContext) -> Outcome:
    context.exchanged.append(EXCHANGE)
    return Success({"200": {"name": "Rex"}}, note="2 fields left out")


def pets() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets} and ${TOOL: weather} and ${PLAYBOOK: Other}.", start=True)
    draft.playbook("Other")
    draft.tool("pets", "getPet", answer=exchange)
    draft.tool("weather", place=Place.CLIENT)
    return draft


def shown(trace: tuple[TraceEvent, ...]) -> list[str]:
    return [event.kind for event in trace]


@pytest.mark.proves("G6")
async def test_a_tool_call_is_shown_with_request_response_and_time(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("getPet", {"petId": 3})), says("It is Rex."))
    result = await stage.say("show me pet 3")
    assert shown(result.trace) == ["user", "model", "tool", "model", "agent"]
    tool = result.trace[2]
    assert (tool.playbook, tool.playbook_display_name, tool.frame, tool.turn) == (START, "Start", 1, 1)
    assert tool.start_us <= tool.end_us
    assert tool.data == {
        "call_id": "call-1-1-1",
        "tool": f"{AGENT}/tools/pets",
        "tool_display_name": "pets",
        "action": "getPet",
        "arguments": {"petId": 3},
        "output": {"200": {"name": "Rex"}},
        "note": "2 fields left out",
        "exchanges": [
            {
                "method": "GET",
                "url": "http://api/pets/3",
                "requestHeaders": {},
                "requestBody": "",
                "status": 200,
                "responseHeaders": {},
                "responseBody": '{"name": "Rex"}',
                "elapsedMs": 1.5,
                "error": "",
                "attempts": 1,
            }
        ],
    }


@pytest.mark.proves("G6")
async def test_a_failed_call_is_shown_with_its_error(set_stage: SetStage) -> None:
    draft = pets()
    draft.shelf.tools["pets"].answer = lambda call, context: Failure("TIMEOUT", "no answer in 5 s")
    stage = await set_stage(draft, calls(("getPet", {})), says("Sorry."))
    tool = (await stage.say("pet 3")).trace[2]
    assert tool.data["error"] == {"code": "TIMEOUT", "message": "no answer in 5 s"}


async def test_a_call_for_the_client_is_shown_when_asked_for_and_again_with_its_result(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("weather", {"city": "Bern"})), says("28 degrees."))
    asked_for = (await stage.say("weather?")).trace[-1]
    assert (asked_for.kind, asked_for.end_us, asked_for.data.get("output")) == ("tool", 0, None)
    answered = (await stage.answer("weather", "weather", output={"t": 28})).trace[0]
    assert (answered.kind, answered.data["arguments"], answered.data["output"]) == ("tool", {"city": "Bern"}, {"t": 28})


async def test_a_called_playbook_is_shown_from_its_call_to_its_end(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("Other", {"a": 1})), calls(("end_playbook", {"b": 2})), says("Done."))
    result = await stage.say("go")
    assert shown(result.trace) == ["user", "model", "playbook", "model", "playbook", "model", "agent"]
    begun, ended = result.trace[2], result.trace[4]
    assert (begun.data["arguments"], ended.data["output"], ended.data["state"]) == ({"a": 1}, {"b": 2}, "OK")
    assert (begun.frame, ended.frame, result.trace[5].frame) == (2, 2, 1)


async def test_a_tool_that_cannot_be_compiled_is_told_in_the_trace(set_stage: SetStage) -> None:
    draft = pets()
    del draft.shelf.tools["pets"]
    stage = await set_stage(draft, says("I cannot look pets up."), says("Still not."))
    notices = [event.data for event in (await stage.say("pet 3")).trace if event.kind == "notice"]
    assert notices == [{"code": "TOOL_UNUSABLE", "message": "Tool pets cannot be called: $: is not on the shelf"}]
