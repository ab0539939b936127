from collections.abc import AsyncGenerator
from contextlib import nullcontext
from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject, loads
from openplaybook.models.base import Model, ModelReply, ProviderExchange, ReplyOrigin, RequestedCall, TextDelta, Usage
from openplaybook.models.errors import ModelRejected, ModelUnavailable
from tests.integration.models.chat_peer import call, chunk, said, streamed
from tests.integration.models.peer import Answer, Peer, answer, sent_events
from tests.unit.models.model_turns import a_turn


def piece(index: int, name: str = "", arguments: str = "", id: str | None = None) -> JsonObject:
    return {"index": index, "id": id, "function": {"name": name or None, "arguments": arguments}}


async def streaming(model: Model) -> tuple[list[str], ModelReply]:
    items = [item async for item in model.stream(a_turn("hello"))]
    last = items.pop()
    assert isinstance(last, ModelReply)
    return [item.text for item in items if isinstance(item, TextDelta)], last


async def test_words_come_as_they_are_spoken(chat: Peer, model: Model) -> None:
    chat.will(
        streamed(
            chunk({"role": "assistant", "content": ""}),
            chunk({"content": "It is "}),
            chunk({"content": "wärm."}),
            chunk({}, "stop"),
        )
    )
    words, reply = await streaming(model)
    assert words == ["It is ", "wärm."]
    assert (reply.text, reply.finish_reason, reply.usage) == ("It is wärm.", "stop", Usage(200, 12))
    assert chat.requests[0].body["stream"] is True
    assert chat.requests[0].body["stream_options"] == {"include_usage": True}


async def test_calls_are_put_together_from_their_pieces(chat: Peer, model: Model) -> None:
    chat.will(
        streamed(
            chunk({"tool_calls": [piece(0, "get_weather", "", "a")]}),
            chunk({"tool_calls": [piece(0, arguments='{"city":')]}),
            chunk({"tool_calls": [piece(1, "pets__listPets", "{", "b")]}),
            chunk({"tool_calls": [piece(0, arguments='"Rome"}'), piece(1, arguments="}")]}),
            chunk({}, "tool_calls"),
        )
    )
    words, reply = await streaming(model)
    assert words == []
    assert reply.calls == (
        RequestedCall("a", "get_weather", {"city": "Rome"}),
        RequestedCall("b", "pets__listPets", {}),
    )


async def test_calls_that_all_have_index_0_are_told_apart_by_id(chat: Peer, model: Model) -> None:
    whole = [call("a", "get_weather", '{"city":"Rome"}'), call("b", "get_weather", '{"city":"Oslo"}')]
    chat.will(streamed(*(chunk({"tool_calls": [{**one, "index": 0}]}) for one in whole), chunk({}, "tool_calls")))
    _, reply = await streaming(model)
    assert [(one.id, one.arguments["city"]) for one in reply.calls] == [("a", "Rome"), ("b", "Oslo")]


async def test_thought_signatures_of_streamed_calls_are_kept(chat: Peer, model: Model) -> None:
    signed = {**piece(0, "get_weather", "{}", "a"), "extra_content": {"google": {"thought_signature": "s"}}}
    chat.will(streamed(chunk({"tool_calls": [signed]}), chunk({"reasoning_details": [{"text": "hm"}]}, "tool_calls")))
    _, reply = await streaming(model)
    assert reply.raw == {
        "message": {"reasoning_details": [{"text": "hm"}]},
        "calls": {"a": {"extra_content": {"google": {"thought_signature": "s"}}}},
    }


async def test_a_stream_cut_before_any_words_is_asked_for_again(chat: Peer, model: Model) -> None:
    chat.will(streamed(chunk({"role": "assistant"}), is_cut=True), streamed(chunk({"content": "Hi."}, "stop")))
    words, reply = await streaming(model)
    assert (words, reply.attempts) == (["Hi."], 2)


async def test_a_stream_cut_behind_words_is_not_asked_for_again(chat: Peer, model: Model) -> None:
    chat.will(streamed(chunk({"content": "It is"}), is_cut=True))
    stream = model.stream(a_turn("hello"))
    assert await anext(stream) == TextDelta("It is")
    with pytest.raises(ModelUnavailable) as caught:
        await anext(stream)
    assert (caught.value.attempts, len(chat.requests)) == (1, 1)


async def test_a_stream_that_ends_without_a_reason_is_broken_off(chat: Peer, model: Model) -> None:
    chat.will(sent_events(chunk({"content": "It is"})))
    with pytest.raises(ModelUnavailable) as caught:
        await streaming(model)
    assert str(caught.value) == "openai:m stopped in the middle of its response."


async def test_an_error_event_ends_the_stream(chat: Peer, model: Model) -> None:
    chat.will(sent_events(chunk({"content": "It"}), {"error": {"code": 400, "type": "bad"}}))
    with pytest.raises(ModelRejected) as caught:
        await streaming(model)
    assert str(caught.value).endswith("answered 400 (type 'bad').")


async def test_a_rate_limit_before_the_stream_is_waited_for(chat: Peer, model: Model) -> None:
    chat.will(answer({}, 429, Retry_After="0.01"), streamed(chunk({"content": "Hi."}, "stop")))
    _, reply = await streaming(model)
    assert (reply.text, reply.attempts) == ("Hi.", 2)


async def test_a_server_that_cannot_stream_is_understood(chat: Peer, model: Model) -> None:
    chat.will(said("Whole."))
    reply = ModelReply("Whole.", (), "openai:m", Usage(200, 12), "stop", origin=ReplyOrigin("c", url=chat.base_url))
    assert await streaming(model) == (["Whole."], reply)


async def test_lines_may_end_and_be_cut_anywhere(chat: Peer, model: Model) -> None:
    data = b'data:{"choices":[{"delta":{"content":"A"},\r\ndata: "finish_reason":"stop"}]}\r\n\r\n'
    body = b": comment\r\nevent: x\r\n" + data
    chat.will(Answer(body, headers={"Content-Type": "text/event-stream"}))
    words, _ = await streaming(model)
    assert words == ["A"]


async def test_a_listener_who_leaves_early_leaves_nothing_open(chat: Peer, model: Model) -> None:
    chat.will(streamed(chunk({"content": "one"}), chunk({"content": "two"}, "stop")), said("next"))
    stream = model.stream(a_turn("hello"))
    assert await anext(stream) == TextDelta("one")
    assert isinstance(stream, AsyncGenerator)
    await stream.aclose()
    assert (await model.decide(a_turn("hello"))).text == "next"


@pytest.mark.parametrize("is_cut", [False, True])
async def test_what_came_back_can_be_told_as_far_as_it_came(chat: Peer, model: Model, is_cut: bool) -> None:
    end = [] if is_cut else [chunk({}, "stop")]
    chat.will(*[streamed(chunk({"content": "It is "}), chunk({"content": "warm."}), *end, is_cut=is_cut)])
    exchange = ProviderExchange()
    with nullcontext() if not is_cut else pytest.raises(ModelUnavailable):
        async for _ in model.stream(replace(a_turn("hello"), exchange=exchange)):
            pass
    assert loads(exchange.request) == chat.requests[0].body
    assert loads(exchange.reply)["choices"][0]["message"]["content"] == "It is warm."
