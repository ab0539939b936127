"""BidiRunSession: a conversation on one stream."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.storage.base import Store
from openplaybook.tools.base import ExecutionPlace
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code
from openplaybook.wire.messages import ApiMessage
from tests.integration.services.ces.app_server import (
    AppServer,
    client_message,
    realtime,
    refusal_of,
    serving,
    told_by,
)
from tests.kit.agents import Part, calls, says
from tests.kit.apps import APP_SESSION, AppDraft, declares, tool_name

CONFIG: JsonObject = {"config": {"session": APP_SESSION}}


async def served(store: Store, *part: Part) -> AppServer:
    """An app with a client function."""
    made = AppDraft(variableDeclarations=declares(name=None))
    made.agent("root", tools=[tool_name("ask"), tool_name("end_session")])
    made.tool("ask", place=ExecutionPlace.CLIENT)
    return await serving(store, made, *part)


def said(text: str, turn: int) -> JsonObject:
    """The output of one answer of words."""
    return {"sessionOutput": {"text": text, "turnIndex": turn, "turnCompleted": True}}


async def test_several_turns_are_taken_on_one_stream_also_with_the_same_words(store: Store) -> None:
    server = await served(store, says("One."), says("Two."), says("Three."))
    yes = realtime(text="yes")
    assert await server.converse(CONFIG, yes, yes, realtime(text="no")) == [
        said("One.", 1),
        said("Two.", 2),
        said("Three.", 3),
    ]


async def test_fragments_are_joined_and_variables_wait_for_words(store: Store) -> None:
    server = await served(store, says("Hello Ann."))
    answers = await server.converse(
        CONFIG,
        realtime(variables={"name": "Ann"}),
        realtime(text="Good mor", willContinue=True),
        realtime(text="ning", willContinue=True),
        realtime(text="."),
    )
    assert answers == [said("Hello Ann.", 1)]
    [turn] = server.model.asked
    assert (getattr(turn.conversation[-1], "text", ""), turn.parameters) == ("Good morning.", {"name": "Ann"})


async def test_what_is_held_when_the_client_half_closes_is_taken(store: Store) -> None:
    server = await served(store, says("Hello."))
    assert await server.converse(CONFIG, realtime(text="hi", willContinue=True)) == [said("Hello.", 1)]
    assert await server.converse(CONFIG, realtime(variables={"name": "Ann"})) == [
        {"sessionOutput": {"turnIndex": 2, "turnCompleted": True}}
    ]


async def test_a_history_stands_before_the_first_turn_alone(store: Store) -> None:
    server = await served(store, says("One."), says("Two."))
    past = [{"role": "user", "chunks": [{"text": "hello"}]}, {"role": "root", "chunks": [{"text": "Hi."}]}]
    config: JsonObject = {"config": {"session": APP_SESSION, "historicalContexts": past}}
    assert await server.converse(config, realtime(text="a"), realtime(text="b")) == [said("One.", 1), said("Two.", 2)]
    heard = [getattr(entry, "text", "") for entry in server.model.asked[1].conversation]
    assert heard == ["hello", "Hi.", "a", "One.", "b"]


async def test_words_are_streamed_where_the_config_says_so(store: Store) -> None:
    server = await served(store, says("Good morning to you."))
    config: JsonObject = {"config": {"session": APP_SESSION, "enableTextStreaming": True}}
    *partial, last = await server.converse(config, realtime(text="hi"))
    texts = [one["sessionOutput"]["text"] for one in partial]
    assert ("".join(texts).strip(), last) == (
        "Good morning to you.",
        {"sessionOutput": {"turnIndex": 1, "turnCompleted": True}},
    )


@pytest.mark.proves("S3")
async def test_a_call_is_answered_on_the_same_stream(store: Store) -> None:
    server = await served(store, calls(("ask", {"q": 1})), says("I see."))
    asked: asyncio.Queue[str] = asyncio.Queue()

    async def client() -> AsyncIterator[ApiMessage]:
        yield client_message(CONFIG)
        yield client_message(realtime(text="hi"))
        response = {"id": await asked.get(), "response": {"a": 1}}
        yield client_message(realtime(toolResponses={"toolResponses": [response]}))

    answers: list[JsonObject] = []
    async for answer in server.bidi.bidi_run_session(client(), RpcContext("", "v1beta", "grpc")):
        answers.append(told_by(answer))
        for call in answers[-1]["sessionOutput"].get("toolCalls", {}).get("toolCalls", ()):
            asked.put_nowait(call["id"])
    assert answers[1:] == [said("I see.", 2)]


async def test_the_end_of_the_session_ends_the_stream(store: Store) -> None:
    server = await served(store, calls(("end_session", {"reason": "done"}), text="Bye."))
    answers = await server.converse(CONFIG, realtime(text="bye"), realtime(text="Still there?"))
    assert answers == [
        {"sessionOutput": {"text": "Bye.", "turnIndex": 1}},
        {"sessionOutput": {"endSession": {"metadata": {"reason": "done"}}, "turnIndex": 1, "turnCompleted": True}},
        {"endSession": {"metadata": {"reason": "done"}}},
    ]


async def test_a_client_is_told_when_the_server_goes_away_and_may_still_finish(store: Store) -> None:
    server = await served(store, says("One."), says("Two."))
    gone: asyncio.Event = asyncio.Event()

    async def client() -> AsyncIterator[ApiMessage]:
        yield client_message(CONFIG)
        yield client_message(realtime(text="hi"))
        server.going.set()
        await gone.wait()
        yield client_message(realtime(text="one more"))
        await asyncio.Event().wait()

    answers: list[JsonObject] = []
    async for answer in server.bidi.bidi_run_session(client(), RpcContext("", "v1beta", "grpc")):
        answers.append(told_by(answer))
        if "goAway" in answers[-1]:
            gone.set()
    assert answers == [said("One.", 1), {"goAway": {}}, said("Two.", 2)]


async def test_a_stream_on_which_nobody_speaks_is_closed(store: Store) -> None:
    server = await served(store)
    server.going.set()

    async def silent() -> AsyncIterator[ApiMessage]:
        yield client_message(CONFIG)
        await asyncio.Event().wait()

    answers = [told_by(each) async for each in server.bidi.bidi_run_session(silent(), RpcContext("", "v1beta", "grpc"))]
    assert answers == [{"goAway": {}}]


@pytest.mark.parametrize(
    ("messages", "code", "sentence"),
    [
        ([], Code.INVALID_ARGUMENT, "config: only the first message can be the config"),
        ([realtime(text="hi")], Code.INVALID_ARGUMENT, "config: only the first message can be the config"),
        ([CONFIG, CONFIG], Code.INVALID_ARGUMENT, "realtime_input: is required"),
        ([{"config": {"session": "x"}}], Code.INVALID_ARGUMENT, "config.session: "),
        ([CONFIG, realtime(audio="AA==")], Code.UNIMPLEMENTED, "inputs[0]: input as audio is not served yet"),
        ([CONFIG, realtime(text=" ")], Code.INVALID_ARGUMENT, "inputs[0].text: is empty"),
        (
            [CONFIG, *[realtime(text="x" * 600_000, willContinue=True)] * 2],
            Code.INVALID_ARGUMENT,
            "The request is larger than",
        ),
    ],
)
async def test_what_cannot_be_taken_ends_the_stream_with_its_place(
    store: Store, messages: list[JsonObject], code: Code, sentence: str
) -> None:
    server = await served(store)
    found, told = await refusal_of(server.converse(*messages))
    assert (found, told[: len(sentence)]) == (code, sentence)
