"""Client functions: the session waits for its client, call by call."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.errors import Code
from tests.integration.services.ces.app_server import (
    ASKED,
    STORE,
    SetUp,
)
from tests.kit.agents import calls, says
from tests.kit.apps import tool_name


@pytest.mark.proves("S2", "S3")
async def test_the_documents_example_is_printed_and_taken_as_it_stands(set_up: SetUp) -> None:
    server = await set_up(calls(ASKED), lambda turn: says(f"Go to {turn.conversation[-1].output['name']}."))
    tool = tool_name("get_nearest_store")
    [asked] = await server.say("Where is the next store?")
    [call] = asked["toolCalls"]["toolCalls"]
    id = call["id"]
    assert asked == {
        "toolCalls": {
            "toolCalls": [
                {"id": id, "tool": tool, "args": {"zip_code": "92031"}, "displayName": "get_nearest_store"},
            ]
        },
        "turnIndex": 1,
        "turnCompleted": True,
    }
    answered = await server.give({"displayName": "get_nearest_store", "id": id, "tool": tool, "response": STORE})
    assert answered == [{"text": "Go to Alibaba.", "turnIndex": 2, "turnCompleted": True}]


@pytest.mark.proves("S3")
@pytest.mark.parametrize("spelling", ["displayName", "display_name"])
async def test_both_spellings_of_the_display_name_are_taken(set_up: SetUp, spelling: str) -> None:
    server = await set_up(calls(ASKED), says("Found."))
    [asked] = await server.say("Where?")
    [call] = asked["toolCalls"]["toolCalls"]
    response = {spelling: "get_nearest_store", "id": call["id"], "tool": call["tool"], "response": STORE}
    assert (await server.give(response))[0]["text"] == "Found."


@pytest.mark.proves("S3")
async def test_the_agent_waits_until_every_call_is_answered(set_up: SetUp) -> None:
    server = await set_up(calls(ASKED, ("get_nearest_store", {"zip_code": "10115"})), says("Both found."))
    [asked] = await server.say("Where are they?")
    first, second = asked["toolCalls"]["toolCalls"]
    [still] = await server.give({"id": second["id"], "tool": second["tool"], "response": STORE})
    assert still == {"toolCalls": {"toolCalls": [first]}, "turnIndex": 2, "turnCompleted": True}
    assert len(server.model.asked) == 1
    [answered] = await server.give({"id": first["id"], "tool": first["tool"], "response": STORE})
    assert answered["text"] == "Both found."


@pytest.mark.proves("S2", "S3")
async def test_while_a_call_is_open_nothing_but_its_answer_is_taken(set_up: SetUp) -> None:
    server = await set_up(calls(ASKED), says("Found."))
    [asked] = await server.say("Where?")
    [call] = asked["toolCalls"]["toolCalls"]
    code, sentence = await server.refusal({"text": "Never mind."})
    assert (code, sentence.split(":")[0]) == (Code.INVALID_ARGUMENT, "The session is waiting for its client")
    wrong = await server.refusal({"toolResponses": {"toolResponses": [{"id": "no", "response": {}}]}})
    assert (wrong[0], "not waiting for the result of call, no" in wrong[1]) == (Code.FAILED_PRECONDITION, True)
    other = {"id": call["id"], "tool": tool_name("add"), "response": {}}
    assert (await server.refusal({"toolResponses": {"toolResponses": [other]}}))[0] is Code.INVALID_ARGUMENT
    # What was refused is no turn of the conversation.
    answered = await server.give({"id": call["id"], "response": STORE})
    assert answered == [{"text": "Found.", "turnIndex": 2, "turnCompleted": True}]
    late = await server.refusal({"toolResponses": {"toolResponses": [{"id": call["id"], "response": {"a": 1}}]}})
    told = f"Session is not waiting for the result of call, {call['id']}; open calls: none."
    assert late == (Code.FAILED_PRECONDITION, told)


@pytest.mark.parametrize(
    ("response", "seen", "is_error"),
    [
        ({"output": {"a": 1}}, {"a": 1}, False),
        ({"output": "red"}, {"result": "red"}, False),
        ({"a": 1, "b": 2}, {"a": 1, "b": 2}, False),
        ({"error": "No such place."}, {"error": {"code": "CLIENT_ERROR", "message": "No such place."}}, True),
        ({"output": {"a": 1}, "error": ""}, {"a": 1}, False),
    ],
)
async def test_output_and_error_are_what_a_response_says_they_are(
    set_up: SetUp, response: JsonObject, seen: JsonObject, is_error: bool
) -> None:
    server = await set_up(calls(ASKED), says("Thanks."))
    [asked] = await server.say("Where?")
    await server.give({"id": asked["toolCalls"]["toolCalls"][0]["id"], "response": response})
    last = server.model.asked[-1].conversation[-1]
    assert (getattr(last, "output", None), getattr(last, "is_error", None)) == (seen, is_error)
