import re
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject, loads
from openplaybook.models.base import (
    AgentText,
    FunctionCall,
    FunctionResult,
    Model,
    ModelReply,
    ProviderExchange,
    ProviderReply,
    RequestedCall,
    TextDelta,
    Usage,
)
from openplaybook.models.errors import ModelRejected, ModelUnavailable
from openplaybook.models.model_registry import create_model
from tests.integration.models.peer import INJECTION, Answer, Peer, answer, injected, sent_events
from tests.unit.models.model_turns import a_turn, called


def faults(request: JsonObject) -> list[str]:
    """What Anthropic's messages would refuse, and tool output outside a tool result."""
    roles = [message["role"] for message in request["messages"]]
    found = [f"message {at} repeats {role}" for at, role in enumerate(roles) if at and role == roles[at - 1]]
    results = re.compile(
        "|".join(
            re.escape(f"$.messages[{at}].content[{part_at}].")
            for at, message in enumerate(request["messages"])
            if isinstance(message["content"], list)
            for part_at, part in enumerate(message["content"])
            if part["type"] == "tool_result"
        )
        or "(?!)"
    )
    return found + [f"tool output at {path}" for path in injected(request) if not results.match(path)]


USAGE = {"input_tokens": 200, "output_tokens": 12}
HEAD: JsonObject = {"id": "msg", "type": "message", "role": "assistant", "model": "claude-opus-4-6", "usage": USAGE}


def message(*content: JsonObject, stop_reason: str = "end_turn") -> Answer:
    return answer({**HEAD, "content": list(content), "stop_reason": stop_reason, "stop_sequence": None})


@pytest.fixture
async def anthropic() -> AsyncGenerator[Peer, None]:
    async with Peer(faults).serving() as peer:
        yield peer
    assert peer.faults == []


@pytest.fixture
async def model(anthropic: Peer) -> AsyncGenerator[Model, None]:
    environment = {"ANTHROPIC_API_KEY": "secret", "ANTHROPIC_BASE_URL": anthropic.base_url}
    made = create_model("anthropic:claude-opus-4-6", environment)
    yield made
    await made.aclose()


@pytest.mark.proves("X3")
async def test_thoughts_calls_and_results_go_round(anthropic: Peer, model: Model) -> None:
    thought = {"type": "thinking", "thinking": "hm", "signature": "sig"}
    call = {"type": "tool_use", "id": "tu_1", "name": "get_weather", "input": {"city": "Paris"}}
    words = {"type": "text", "text": "One moment."}
    anthropic.will(message(thought, words, call, stop_reason="tool_use"), message({"type": "text", "text": "Warm."}))
    first = await model.decide(a_turn("weather?"))
    assert first.calls == (RequestedCall("tu_1", "get_weather", {"city": "Paris"}),)
    assert (first.text, first.usage, first.finish_reason) == ("One moment.", Usage(200, 12), "tool_call")

    result = FunctionResult("tu_1", "get_weather", {"note": INJECTION}, is_error=True)
    turn = a_turn(
        "weather?",
        ProviderReply(first.model, first.raw),
        AgentText("One moment."),
        FunctionCall("tu_1", "get_weather", {"city": "Paris"}),
        result,
    )
    assert (await model.decide(turn)).text == "Warm."
    request = anthropic.requests[1]
    assert (request.path, request.headers["authorization"]) == ("/v1/messages", "Bearer secret")
    _, said, told = request.body["messages"]
    assert said["content"][0] == thought
    assert [part["type"] for part in said["content"]] == ["thinking", "text", "tool_use"]
    assert told["content"][0]["type"] == "tool_result"
    assert told["content"][0]["is_error"] is True


async def test_a_reply_without_extras_is_not_kept(anthropic: Peer, model: Model) -> None:
    anthropic.will(message({"type": "text", "text": "Hi."}))
    assert (await model.decide(a_turn("hello", *called("get_weather", {"note": INJECTION}), "x"))).raw == {}


async def test_a_stream_speaks_and_ends_with_the_reply(anthropic: Peer, model: Model) -> None:
    anthropic.will(sent_events(*STREAM, names=True))
    items = [item async for item in model.stream(a_turn("hello"))]
    assert [item.text for item in items if isinstance(item, TextDelta)] == ["It is ", "warm."]
    assert isinstance(items[-1], ModelReply)
    assert (items[-1].text, items[-1].finish_reason) == ("It is warm.", "stop")


async def test_a_stream_cut_behind_words_is_broken_off(anthropic: Peer, model: Model) -> None:
    anthropic.will(sent_events(*STREAM[:3], names=True, is_cut=True))
    stream = model.stream(a_turn("hello"))
    assert await anext(stream) == TextDelta("It is ")
    with pytest.raises(ModelUnavailable) as caught:
        await anext(stream)
    assert (caught.value.attempts, len(anthropic.requests)) == (1, 1)


async def test_an_overloaded_server_is_asked_again(anthropic: Peer, model: Model) -> None:
    overloaded = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    anthropic.will(answer(overloaded, 529, Retry_After="0"), message({"type": "text", "text": "Hi."}))
    reply = await model.decide(a_turn("hello"))
    assert (reply.text, reply.attempts, len(anthropic.requests)) == ("Hi.", 2, 2)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (401, "rejects the API key (401): set ANTHROPIC_API_KEY to one that it accepts."),
        (403, "does not allow this to the API key (403): set ANTHROPIC_API_KEY to one that may."),
    ],
)
async def test_a_wrong_key_is_called_wrong_and_its_variable_is_named(
    anthropic: Peer, model: Model, status: int, said: str
) -> None:
    refused = {"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key secret"}}
    anthropic.will(answer(refused, status))
    with pytest.raises(ModelRejected) as caught:
        await model.decide(a_turn("hello"))
    assert str(caught.value) == f"{model.name} {said}"
    assert (caught.value.status, caught.value.is_key_refused, len(anthropic.requests)) == (status, True, 1)


async def test_the_providers_own_words_are_kept_apart_from_what_everybody_is_shown(
    anthropic: Peer, model: Model
) -> None:
    refused = {"type": "error", "error": {"type": "invalid_request_error", "message": "cannot take hello"}}
    anthropic.will(answer(refused, 400))
    with pytest.raises(ModelRejected) as caught:
        await model.decide(a_turn("hello"))
    assert (caught.value.status, caught.value.provider_message) == (400, "cannot take hello")
    assert "hello" not in str(caught.value)


STREAM: list[JsonObject] = [
    {"type": "message_start", "message": {**HEAD, "content": [], "stop_reason": None, "stop_sequence": None}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "It is "}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "warm."}},
    {"type": "content_block_stop", "index": 0},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn", "stop_sequence": None},
        "usage": {"output_tokens": 12},
    },
    {"type": "message_stop"},
]


async def test_what_was_sent_and_what_came_back_can_be_told(anthropic: Peer, model: Model) -> None:
    anthropic.will(message({"type": "text", "text": "Warm."}))
    exchange = ProviderExchange()
    await model.decide(replace(a_turn("weather?"), exchange=exchange))
    sent, received = loads(exchange.request), loads(exchange.reply)
    assert sent["messages"][-1]["parts"][-1]["content"].endswith("weather?")
    assert sent["tools"][0].keys() == {"name", "description", "parameters"}
    assert received["parts"][0]["content"] == "Warm."
    assert b"secret" not in exchange.request
