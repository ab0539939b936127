import pytest

from openplaybook.services.dialogflow.detect_intent_responses import ResponseOptions, ResponseRenderer
from openplaybook.turns.base import Message, TextMessage, ToolCallMessage, TurnResult
from openplaybook.wire.api import load_api

RENDERER = ResponseRenderer(load_api())


def call(id: str, tool: str, action: str) -> ToolCallMessage:
    return ToolCallMessage(id, tool, action, {})


@pytest.mark.proves("C1")
def test_of_two_open_calls_of_one_tool_and_action_the_older_is_asked_for_first() -> None:
    said: tuple[Message, ...] = (
        TextMessage("One moment."),
        call("c1", "t", "a"),
        call("c2", "t", "b"),
        call("c3", "t", "a"),
        call("c4", "u", "a"),
    )
    result = TurnResult("r", said, {}, "p", "P", "hi", "en", (), paused=True)
    response = RENDERER.final(result, ResponseOptions("s", 0, "v3"))
    messages = response.query_result.response_messages
    assert [each.tool_call.id for each in messages if each.WhichOneof("message") == "tool_call"] == ["c1", "c2", "c4"]
    assert [list(each.text.text) for each in messages if each.WhichOneof("message") == "text"] == [["One moment."]]
