from dataclasses import replace

import pytest

from openplaybook.jsonvalues import loads
from openplaybook.models.base import AgentText, FunctionCall, UserText
from openplaybook.models.openai_chat.chat_request import Dialect, body, chat_head, messages
from openplaybook.resources.compiled_forms import LlmSettings
from tests.unit.models.model_turns import a_turn, called


@pytest.mark.parametrize(
    ("model", "is_openai", "members"),
    [
        ("gpt-4o", True, {"max_completion_tokens", "parallel_tool_calls"}),
        ("o3-mini", True, {"max_completion_tokens"}),
        ("o3-mini", False, {"max_tokens", "parallel_tool_calls"}),
    ],
)
def test_servers_are_spoken_to_in_their_dialect(model: str, is_openai: bool, members: set[str]) -> None:
    turn = replace(a_turn("hi"), settings=LlmSettings(output_token_limit="SHORT"))
    dialect = Dialect.of(model, is_openai=is_openai)
    request = loads(body(chat_head(turn), turn, dialect, 32_000, "openai:m", is_stream=False))
    assert request.keys() == {"model", "messages", "tools"} | members
    assert request["model"] == model


def test_neighbouring_words_of_one_speaker_are_joined() -> None:
    entries = (UserText("a"), UserText("b"), AgentText("c"), AgentText("d"), FunctionCall("1", "f", {}))
    said = messages(entries, "openai:m")
    assert [(message["role"], message["content"]) for message in said] == [("user", "a\n\nb"), ("assistant", "c\n\nd")]
    assert [call["id"] for call in said[1]["tool_calls"]] == ["1"]


def test_words_behind_calls_are_a_message_of_their_own() -> None:
    said = messages((*called("f", {}), AgentText("ok")), "openai:m")
    assert [message["role"] for message in said] == ["assistant", "tool", "assistant"]
