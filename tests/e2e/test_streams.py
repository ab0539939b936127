"""Server streaming: words and tool calls as they come, and at last what detectIntent would have said."""

import threading
from collections.abc import AsyncIterator, Iterator

import grpc
import pytest
from google.api_core import exceptions
from google.cloud import dialogflowcx_v3 as cx

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.google import TRANSPORTS, VERSIONS
from tests.e2e.kit.server import Server
from tests.e2e.kit.shop import Shop, said, to_json, tool_calls

pytestmark = pytest.mark.proves("X1")


def stream(shop: Shop, text: str) -> tuple[list[ApiMessage], ApiMessage]:
    """The partial responses and the final one."""
    request = shop.text_request(text)
    *partial, final = list(shop.google("Sessions").server_streaming_detect_intent(request=request))
    assert [each.response_type.name for each in partial] == ["PARTIAL"] * len(partial)
    assert final.response_type.name == "FINAL"
    return partial, final


def test_words_come_one_by_one_and_then_all_together(shop: Shop) -> None:
    partial, final = stream(shop, "hello")
    assert "".join(text for each in partial for text in said(each)) == "You said: hello"
    assert said(final) == ["You said: hello"]


@pytest.mark.proves("G6")
def test_a_tool_call_is_seen_to_start_and_to_end(shop: Shop) -> None:
    partial, _ = stream(shop, "pet 3")
    started, ended = (action["toolUse"] for action in actions_of(partial) if "toolUse" in action)
    assert started == {
        "tool": shop.pets,
        "displayName": "Pets",
        "action": "getPet",
        "inputActionParameters": {"petId": 3},
    }
    assert ended.keys() - started.keys() == {"outputActionParameters"}


def actions_of(responses: list[ApiMessage]) -> list[JsonObject]:
    return [
        to_json(action) for each in responses for block in each.query_result.trace_blocks for action in block.actions
    ]


def test_a_reply_ends_where_the_stream_says_so_with_all_its_words_and_who_spoke(shop: Shop) -> None:
    partial, _ = stream(shop, "hello")
    *words, complete = partial
    assert "".join(text for each in words for text in said(each)) == "You said: hello"
    [action] = actions_of([complete])
    assert action["agentUtterance"] == {"text": "You said: hello"}
    speaker = complete.query_result.trace_blocks[0].playbook_trace_metadata
    assert speaker.playbook == shop.playbook
    assert said(complete) == []


def test_the_last_response_is_the_one_detect_intent_gives(shop: Shop) -> None:
    _, streamed = stream(shop, "pet 3")
    answered = to_json(shop.say("pet 3", shop.session("other")))
    final = to_json(streamed)
    assert final.keys() == answered.keys()
    assert final["queryResult"].keys() == answered["queryResult"].keys()
    assert final["queryResult"]["responseMessages"] == answered["queryResult"]["responseMessages"]


@pytest.mark.proves("F2")
def test_a_stream_ends_where_the_session_pauses(shop: Shop) -> None:
    _, final = stream(shop, "weather in Oslo?")
    assert [call["inputParameters"] for call in tool_calls(final)] == [{"location": "Oslo"}]
    assert said(shop.give(output_parameters={"temperature": 1})) == ["It is 1 degrees."]


def test_words_that_are_streamed_again_with_the_same_key_are_answered_from_the_record(shop: Shop) -> None:
    request = shop.text_request("pet 3")
    metadata = [("x-goog-request-id", "stream-again")]
    sessions = shop.google("Sessions")
    *partial, first = list(sessions.server_streaming_detect_intent(request=request, metadata=metadata))
    assert partial
    assert list(sessions.server_streaming_detect_intent(request=request, metadata=metadata)) == [first]
    assert sessions.detect_intent(request=request, metadata=metadata) == first


ONLY_GRPC = [(version, transport) for version in VERSIONS for transport in TRANSPORTS if transport != "rest"]
"""Google's API serves streams both ways over gRPC alone."""


@pytest.mark.parametrize("google", ONLY_GRPC, ids="-".join, indirect=True)
class TestBothWays:
    """StreamingDetectIntent, which only gRPC has."""

    def test_the_first_message_is_the_turn_and_the_last_response_its_answer(self, shop: Shop) -> None:
        *partial, final = both_ways(shop, "hello")
        assert partial == []
        assert final.detect_intent_response.response_type.name == "FINAL"
        assert said(final.detect_intent_response) == ["You said: hello"]
        assert not final.debugging_info

    def test_partial_responses_come_when_asked_for(self, shop: Shop) -> None:
        *partial, final = both_ways(shop, "pet 3", enable_partial_response=True, enable_debugging_info=True)
        responses = [each.detect_intent_response for each in partial]
        assert {each.response_type.name for each in responses} == {"PARTIAL"}
        assert "".join(text for each in responses for text in said(each)) == "Luna belongs to Aisha."
        assert said(final.detect_intent_response) == ["Luna belongs to Aisha."]
        assert final.debugging_info.partial_responses == len(partial)
        assert final.debugging_info.is_input_text

    def test_the_view_decides_what_is_shown(self, shop: Shop) -> None:
        view = "DETECT_INTENT_RESPONSE_VIEW_BASIC"
        *partial, final = both_ways(shop, "pet 3", enable_partial_response=True, response_view=view)
        shown = [to_json(each.detect_intent_response)["queryResult"] for each in [*partial, final]]
        assert [
            name for each in shown for name in ("traceBlocks", "generativeInfo", "diagnosticInfo") if name in each
        ] == []

    @pytest.mark.proves("F2")
    def test_a_tool_result_can_come_by_it(self, shop: Shop) -> None:
        (paused,) = both_ways(shop, "weather in Oslo?")
        assert [call["action"] for call in tool_calls(paused.detect_intent_response)] == ["get-weather-tool"]
        result = {"tool": shop.weather, "action": "get-weather-tool", "output_parameters": {"temperature": 3}}
        (final,) = both_ways(shop, {"tool_call_result": result, "language_code": "en"})
        assert said(final.detect_intent_response) == ["It is 3 degrees."]

    @pytest.mark.parametrize(
        ("query", "sentence"),
        [
            ({"audio": {"config": {"audio_encoding": "AUDIO_ENCODING_LINEAR_16"}}}, "audio is not served"),
            ({"dtmf": {"digits": "1"}}, "DTMF is not served"),
        ],
    )
    def test_speech_and_keys_are_unimplemented(self, shop: Shop, query: dict[str, object], sentence: str) -> None:
        with pytest.raises(exceptions.MethodNotImplemented, match=sentence):
            both_ways(shop, {**query, "language_code": "en"})

    def test_an_empty_stream_is_told_what_belongs_in_it(self, shop: Shop) -> None:
        with pytest.raises(exceptions.InvalidArgument, match="its first message must contain session and query_input"):
            streamed(shop, [])


def both_ways(shop: Shop, query: str | dict[str, object], **more: object) -> list[ApiMessage]:
    """The responses of a stream with one request."""
    given = {"text": {"text": query}, "language_code": "en"} if isinstance(query, str) else query
    request = shop.google.StreamingDetectIntentRequest(session=shop.session(), query_input=given, **more)
    return streamed(shop, [request])


def streamed(shop: Shop, requests: list[ApiMessage]) -> list[ApiMessage]:
    given = each_of(requests) if shop.google.transport == "grpc_asyncio" else iter(requests)
    return list(shop.google("Sessions").streaming_detect_intent(requests=given))


async def each_of(requests: list[ApiMessage]) -> AsyncIterator[ApiMessage]:
    for request in requests:
        yield request


def test_a_stream_need_not_be_half_closed(server: Server, shop: Shop) -> None:
    first = cx.StreamingDetectIntentRequest(
        session=shop.session(), query_input={"text": {"text": "hello"}, "language_code": "en"}
    )
    waiting = threading.Event()

    def requests() -> Iterator[cx.StreamingDetectIntentRequest]:
        yield first
        waiting.wait(60)

    with grpc.insecure_channel(server.grpc) as channel:
        sessions = cx.SessionsClient(transport=cx.SessionsClient.get_transport_class("grpc")(channel=channel))
        responses = list(sessions.streaming_detect_intent(requests=requests()))
        waiting.set()
    assert [said(each.detect_intent_response) for each in responses] == [["You said: hello"]]
