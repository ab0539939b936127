"""StreamRunSession: a turn as it happens."""

from typing import cast

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.errors import ModelTimeout
from openplaybook.storage.base import Store
from openplaybook.tools.base import ExecutionPlace
from openplaybook.wire.errors import Code
from tests.integration.services.ces.app_server import AppServer, plain, refusal_of, serving
from tests.kit.agents import Part, calls, says
from tests.kit.apps import APP, AppDraft, tool_name


async def served(store: Store, *part: Part) -> AppServer:
    """An app with a client function and a tool of the server."""
    made = AppDraft()
    made.agent("root", tools=[tool_name("ask"), tool_name("add"), f"{tool_name('end_session')}"])
    made.tool("ask", place=ExecutionPlace.CLIENT)
    made.tool("add")
    return await serving(store, made, *part)


async def test_without_text_streaming_whole_outputs_come(store: Store) -> None:
    server = await served(store, calls(("ask", {}), text="One moment please."))
    said, asked = await server.stream({"text": "hi"})
    assert said == {"text": "One moment please.", "turnIndex": 1}
    assert asked["turnCompleted"] is True
    assert [call["displayName"] for call in asked["toolCalls"]["toolCalls"]] == ["ask"]
    assert "diagnosticInfo" in asked


async def test_with_text_streaming_words_come_once_and_the_last_output_completes_the_turn(store: Store) -> None:
    failed = ModelTimeout("too slow", attempts=1)
    server = await served(store, failed, calls(("add", {}), text="I am adding."), says("It is four."))
    assert (await server.refusal({"text": "hi"}))[0] is Code.DEADLINE_EXCEEDED
    *partial, last = await server.stream({"text": "2 + 2?"}, enableTextStreaming=True)
    assert "".join(cast(str, one["text"]) for one in partial).split() == ["I", "am", "adding.", "It", "is", "four."]
    assert {one["turnIndex"] for one in partial} == {1}
    assert plain(last) == {"turnIndex": 1, "turnCompleted": True}
    words = [
        chunk["text"]
        for message in last["diagnosticInfo"]["messages"]
        for chunk in message["chunks"]
        if "text" in chunk
    ]
    assert words == ["2 + 2?", "I am adding.", "It is four."]


async def test_streamed_words_say_whose_they_are_and_where_a_reply_ends(store: Store) -> None:
    made = AppDraft()
    root = made.agent("root", childAgents=[f"{APP}/agents/helper"])
    helper = made.agent("helper")
    server = await serving(store, made, calls(("helper", {}), text="One moment."), says("I help."))
    *partial, last = await server.stream({"text": "hi"}, enableTextStreaming=True)
    assert [(one["replyIndex"], one["agent"], one["text"], one.get("replyCompleted", False)) for one in partial] == [
        (1, root, "One moment. ", False),
        (1, root, "", True),
        (2, helper, "I help. ", False),
        (2, helper, "", True),
    ]
    assert plain(last) == {"turnIndex": 1, "turnCompleted": True}


async def test_a_call_for_the_client_follows_the_streamed_words(store: Store) -> None:
    server = await served(store, calls(("ask", {}), text="One moment."))
    *partial, last = await server.stream({"text": "hi"}, enableTextStreaming=True)
    assert "".join(one["text"] for one in partial).strip() == "One moment."
    assert set(plain(last)) == {"toolCalls", "turnIndex", "turnCompleted"}


async def test_what_nobody_hears_is_not_streamed(store: Store) -> None:
    made = AppDraft()
    made.agent("root", tools=[tool_name("expert")])
    made.agent_tool("expert", made.agent("sage"))
    server = await serving(store, made, calls(("expert", {"request": "?"})), says("Because."), says("It depends."))
    *partial, last = await server.stream({"text": "Why?"}, enableTextStreaming=True)
    assert "".join(one["text"] for one in partial).strip() == "It depends."
    assert plain(last) == {"turnIndex": 1, "turnCompleted": True}


async def test_words_that_a_guardrail_replaced_are_never_streamed(store: Store) -> None:
    made = AppDraft()
    speaker = {"agent": made.agent("root"), "agentDisplayName": "root", "replyIndex": 1}
    answer: JsonObject = {"respondImmediately": {"responses": [{"text": "Let us stay polite."}]}}
    made.guardrail("polite", answer, bannedContentsInAgentResponse=["blockhead"])
    server = await serving(store, made, says("You blockhead!"))
    outputs = await server.stream({"text": "hi"}, enableTextStreaming=True)
    assert [plain(output) for output in outputs] == [
        {"text": "Let us stay polite.", "turnIndex": 1, **speaker},
        {"text": "", "turnIndex": 1, **speaker, "replyCompleted": True},
        {"turnIndex": 1, "turnCompleted": True},
    ]
    assert "blockhead" not in str(outputs)


async def test_an_answer_that_is_given_again_is_given_whole(store: Store) -> None:
    server = await served(store, says("Hello."))
    request: JsonObject = {"text": "hi"}
    await server("SessionService.RunSession", {"config": SESSION, "inputs": [request]}, is_delivered=False)
    [again] = await server.stream(request, enableTextStreaming=True)
    assert plain(again) == {"text": "Hello.", "turnIndex": 1, "turnCompleted": True}


@pytest.mark.parametrize(
    ("inputs", "code"), [([], Code.INVALID_ARGUMENT), ([{"text": "hi"}], Code.DEADLINE_EXCEEDED)], ids=["none", "model"]
)
async def test_failures_are_statuses_as_of_one_answer(store: Store, inputs: list[JsonObject], code: Code) -> None:
    server = await served(store, ModelTimeout("too slow", attempts=1))
    assert (await refusal_of(server.stream(*inputs)))[0] is code


SESSION: JsonObject = {"session": "projects/p/locations/global/apps/a/sessions/s"}
