import re
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.models.base import (
    AgentText,
    ExampleDialogue,
    FunctionCall,
    FunctionResult,
    Model,
    ModelReply,
    ProviderReply,
    TextDelta,
    Usage,
    UserText,
)
from openplaybook.models.errors import ModelError, ModelGarbled, ModelRejected, ModelTimeout, ModelUnavailable
from openplaybook.models.model_registry import create_model
from openplaybook.resources.compiled_forms import LlmSettings
from tests.integration.models.peer import INJECTION, Answer, Peer, answer, injected, sent_events
from tests.unit.models.model_turns import a_turn, called

RESULT_PART = re.compile(r"\$\.contents\[\d+\]\.parts\[\d+\]\.functionResponse\.")


def faults(request: JsonObject) -> list[str]:
    """What Gemini's generateContent would refuse, and tool output outside a function response."""
    roles = [content["role"] for content in request["contents"]]
    found = [f"turn {at} repeats {role}" for at, role in enumerate(roles) if at and role == roles[at - 1]]
    if roles[0] != "user":
        found.append("the first turn is not the user's")
    return found + [f"tool output at {path}" for path in injected(request) if not RESULT_PART.match(path)]


def generated(*parts: JsonObject, finish: str = "STOP") -> JsonObject:
    usage = {"promptTokenCount": 200, "candidatesTokenCount": 12, "totalTokenCount": 212}
    candidate = {"content": {"role": "model", "parts": list(parts)}, "finishReason": finish, "index": 0}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-2.5-flash"}


@pytest.fixture
async def gemini() -> AsyncGenerator[Peer, None]:
    async with Peer(faults).serving() as peer:
        yield peer
    assert peer.faults == []


@pytest.fixture
async def model(gemini: Peer) -> AsyncGenerator[Model, None]:
    environment = {"GOOGLE_API_KEY": "secret", "GOOGLE_GEMINI_BASE_URL": gemini.base_url}
    made = create_model("google:gemini-2.5-flash", environment)
    yield made
    await made.aclose()


@pytest.mark.proves("X3")
async def test_a_call_its_result_and_its_signature_go_round(gemini: Peer, model: Model) -> None:
    call = {"functionCall": {"name": "get_weather", "args": {"city": "Paris"}}, "thoughtSignature": "c2ln"}
    gemini.will(answer(generated(call)), answer(generated({"text": "23.5 degrees."})))
    first = await model.decide(a_turn("weather in Paris?"))
    assert [(asked.name, asked.arguments) for asked in first.calls] == [("get_weather", {"city": "Paris"})]
    assert first.usage == Usage(200, 12)

    id = first.calls[0].id
    turn = a_turn(
        "weather in Paris?",
        ProviderReply(first.model, first.raw),
        FunctionCall(id, "get_weather", {"city": "Paris"}),
        FunctionResult(id, "get_weather", {"t": 23.5, "note": INJECTION}),
    )
    second = await model.decide(turn)
    assert (second.text, second.calls, second.model) == ("23.5 degrees.", (), "google:gemini-2.5-flash")

    request = gemini.requests[1]
    assert request.path == "/v1beta/models/gemini-2.5-flash:generateContent"
    assert request.headers["x-goog-api-key"] == "secret"
    user, said, result = request.body["contents"]
    assert user["parts"] == [{"text": "weather in Paris?"}]
    assert said["parts"][0]["thoughtSignature"] == "c2ln"
    assert said["parts"][0]["functionCall"]["args"] == {"city": "Paris"}
    assert result["parts"][0]["functionResponse"]["response"] == {
        "return_value": f'<tool_result>{{"t":23.5,"note":"{INJECTION}"}}</tool_result>'
    }


async def test_a_reply_that_a_guard_changed_is_not_given_back_as_it_was(gemini: Peer, model: Model) -> None:
    gemini.will(
        answer(generated({"text": "Bad words.", "thoughtSignature": "c2ln"})), answer(generated({"text": "ok"}))
    )
    first = await model.decide(a_turn("hello"))
    await model.decide(a_turn("hello", ProviderReply(first.model, first.raw), AgentText("Good words."), "more"))
    assert gemini.requests[1].body["contents"][1]["parts"] == [{"text": "Good words."}]


async def test_head_examples_and_settings_reach_their_places(gemini: Peer, model: Model) -> None:
    gemini.will(answer(generated({"text": "ok"})))
    example = ExampleDialogue("ex", (UserText("weather?"), *called("get_weather", {"t": 1}), AgentText("One degree.")))
    settings = LlmSettings(temperature=0.5, output_token_limit="SHORT")
    await model.decide(replace(a_turn("hello"), goal="Tell the weather.", examples=(example,), settings=settings))
    body = gemini.requests[0].body
    assert body["systemInstruction"]["parts"][0]["text"].endswith("# Playbook: Start\n\n## Goal\nTell the weather.")
    assert [function["name"] for function in body["tools"][0]["functionDeclarations"]] == [
        "get_weather",
        "pets__getPet",
        "pets__listPets",
        "Booking",
    ]
    assert body["generationConfig"]["temperature"] == 0.5
    assert body["generationConfig"]["maxOutputTokens"] == 512
    assert [content["role"] for content in body["contents"]] == ["user", "model", "user", "model", "user"]


async def test_a_stream_speaks_and_ends_with_the_reply(gemini: Peer, model: Model) -> None:
    first = {"candidates": [{"content": {"role": "model", "parts": [{"text": "It is "}]}, "index": 0}]}
    gemini.will(sent_events(first, generated({"text": "warm."})))
    items = [item async for item in model.stream(a_turn("hello"))]
    assert [item.text for item in items if isinstance(item, TextDelta)] == ["It is ", "warm."]
    assert isinstance(items[-1], ModelReply)
    assert (items[-1].text, items[-1].finish_reason) == ("It is warm.", "stop")


async def test_a_stream_without_an_end_is_broken_off(gemini: Peer, model: Model) -> None:
    gemini.will(sent_events({"candidates": [{"content": {"role": "model", "parts": [{"text": "It"}]}, "index": 0}]}))
    stream = model.stream(a_turn("hello"))
    assert await anext(stream) == TextDelta("It")
    with pytest.raises(ModelUnavailable) as caught:
        await anext(stream)
    assert (str(caught.value), len(gemini.requests)) == (
        "google:gemini-2.5-flash stopped in the middle of its response.",
        1,
    )


@pytest.mark.parametrize(
    ("given", "timeout_s", "error"),
    [
        (answer({"error": {"code": 400, "message": "hello", "status": "INVALID_ARGUMENT"}}, 400), 60, ModelRejected),
        (Answer(b"", is_never=True), 0.05, ModelTimeout),
        (Answer(b"<html>hello</html>"), 60, ModelGarbled),
    ],
)
async def test_a_failure_is_told_without_the_prompt(
    gemini: Peer, model: Model, given: Answer, timeout_s: float, error: type[ModelError]
) -> None:
    gemini.will(given)
    with pytest.raises(error) as caught:
        await model.decide(replace(a_turn("hello"), timeout_s=timeout_s))
    assert caught.value.attempts == 1
    assert "hello" not in str(caught.value)


@pytest.mark.parametrize("variable", ["GOOGLE_API_KEY", "GEMINI_API_KEY"])
async def test_a_wrong_key_is_called_wrong_and_its_variable_is_named(gemini: Peer, variable: str) -> None:
    details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]
    refused = {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT", "details": details}
    gemini.will(answer({"error": refused}, 400))
    model = create_model("google:m", {variable: "secret", "GOOGLE_GEMINI_BASE_URL": gemini.base_url})
    with pytest.raises(ModelRejected) as caught:
        await model.decide(a_turn("hello"))
    await model.aclose()
    said = f"google:m rejects the API key (400): set {variable} to one that it accepts."
    assert (str(caught.value), caught.value.is_key_refused) == (said, True)


async def test_a_rate_limit_is_waited_for_and_counted_once(gemini: Peer, model: Model) -> None:
    limited = answer({"error": {"code": 429, "message": "slow down"}}, 429, Retry_After="0.01")
    gemini.will(limited, answer({}, 500, Retry_After="0"), answer(generated({"text": "ok"})))
    assert (await model.decide(a_turn("hello"))).attempts == 3
    assert len(gemini.requests) == 3


@pytest.mark.proves("O11")
async def test_a_recursive_schema_reaches_gemini_without_references(gemini: Peer, model: Model) -> None:
    node: JsonObject = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}
    schema: JsonObject = {"type": "object", "properties": {"node": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": node}}
    turn = a_turn("hello")
    gemini.will(answer(generated({"text": "Hello."})))
    reply = await model.decide(replace(turn, declarations=(replace(turn.declarations[0], input_schema=schema),)))
    assert reply.text == "Hello."
    (request,) = gemini.requests
    assert "$ref" not in dumps(request).decode()
