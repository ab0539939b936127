"""Server streaming: words and tool calls as they come, and at last what detectIntent would have said."""

import grpc
import pytest
from google.api_core import exceptions
from google.cloud import dialogflowcx_v3 as cx

from openplaybook.wire.messages import ApiMessage
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
    actions = [
        to_json(action) for each in partial for block in each.query_result.trace_blocks for action in block.actions
    ]
    started, ended = (action["toolUse"] for action in actions)
    assert started == {
        "tool": shop.pets,
        "displayName": "Pets",
        "action": "getPet",
        "inputActionParameters": {"petId": 3},
    }
    assert ended.keys() - started.keys() == {"outputActionParameters"}


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


def test_speech_over_a_stream_is_unimplemented(server: Server) -> None:
    with grpc.insecure_channel(server.grpc) as channel:
        sessions = cx.SessionsClient(transport=cx.SessionsClient.get_transport_class("grpc")(channel=channel))
        requests = iter([cx.StreamingDetectIntentRequest(session="s")])
        with pytest.raises(exceptions.MethodNotImplemented, match="StreamingDetectIntent is not implemented"):
            list(sessions.streaming_detect_intent(requests=requests))
