"""Long numbers and the order of members, to and from a server of the Chat Completions protocol, and pydantic-ai."""

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.models.base import FunctionCall, FunctionResult, Model, ModelReply
from openplaybook.models.model_keys import ModelKey
from tests.integration.models.chat_peer import asked, call, chunk, said, streamed
from tests.integration.models.peer import Peer
from tests.unit.models.model_turns import a_turn

if TYPE_CHECKING:
    # Each process that collects tests would pay for it: the library takes longer to import than these tests to run.
    from pydantic_ai.messages import ModelMessage

TEXT = (
    '{"zeta":123456789012345678901234567890,"fine":0.12345678901234567890,'
    '"alpha":{"odd":9007199254740993,"b":[1,1E+400]}}'
)
MEANT: JsonObject = {
    "zeta": 123456789012345678901234567890,
    "fine": Decimal("0.12345678901234567890"),
    "alpha": {"odd": 9007199254740993, "b": [1, Decimal("1E+400")]},
}
DONE = (FunctionCall("c1", "get_weather", MEANT), FunctionResult("c1", "get_weather", MEANT))


async def test_a_call_is_read_and_told_with_all_its_digits_and_a_result_too(chat: Peer, model: Model) -> None:
    chat.will(asked(call("c1", "get_weather", TEXT)), said("Done."))
    reply = await model.decide(a_turn("hi"))
    assert reply.calls[0].arguments == MEANT
    assert dumps(reply.calls[0].arguments).decode() == TEXT
    await model.decide(a_turn("hi", *DONE))
    messages = chat.requests[1].body["messages"]
    assert messages[2]["tool_calls"][0]["function"]["arguments"] == TEXT
    assert messages[3]["content"] == f"<tool_result>{TEXT}</tool_result>"


async def test_a_call_that_comes_in_pieces_is_the_same(chat: Peer, model: Model) -> None:
    first: JsonObject = {"index": 0, **call("c1", "get_weather", TEXT[:20])}
    second: JsonObject = {"index": 0, "function": {"arguments": TEXT[20:]}}
    chat.will(streamed(chunk({"tool_calls": [first]}), chunk({"tool_calls": [second]}), chunk({}, "tool_calls")))
    *_, reply = [item async for item in model.stream(a_turn("hi"))]
    assert isinstance(reply, ModelReply)
    assert dumps(reply.calls[0].arguments).decode() == TEXT


@pytest.mark.parametrize("given", [TEXT, MEANT], ids=["text", "object"])
async def test_a_provider_of_pydantic_ai_is_read_exactly(given: str | JsonObject) -> None:
    from pydantic_ai.messages import ModelResponse, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    from openplaybook.models.pydantic_ai.pydantic_ai_model import PydanticAIModel

    seen: list[list[ModelMessage]] = []

    def answer(messages: "list[ModelMessage]", info: AgentInfo) -> ModelResponse:
        seen.append(messages)
        return ModelResponse([ToolCallPart("get_weather", given, "c2")])

    reply = await PydanticAIModel("pydantic-ai:t:m", FunctionModel(answer), 100_000, ModelKey("", "")).decide(
        a_turn("hi", *DONE)
    )
    assert dumps(reply.calls[0].arguments).decode() == TEXT
    _told_exactly(seen[0])


def test_a_history_has_the_digits_of_decimals_that_the_library_would_change() -> None:
    from pydantic_ai.messages import ModelResponse, ToolCallPart

    from openplaybook.models.pydantic_ai.message_history import history

    _told_exactly(history(DONE, ""))
    (response,) = history((FunctionCall("c", "f", {"b": 1, "a": 2}),), "")
    assert isinstance(response, ModelResponse)
    part = response.parts[0]
    assert isinstance(part, ToolCallPart)
    assert dumps(part.args) == b'{"b":1,"a":2}'


def _told_exactly(messages: "list[ModelMessage]") -> None:
    from pydantic_ai.messages import ToolCallPart, ToolReturnPart

    parts = [part for message in messages for part in message.parts]
    (told,) = [part for part in parts if isinstance(part, ToolCallPart)]
    (result,) = [part for part in parts if isinstance(part, ToolReturnPart)]
    with_texts = TEXT.replace("0.12345678901234567890", '"0.12345678901234567890"').replace("1E+400", '"1E+400"')
    assert told.args_as_json_str() == dumps(told.args_as_dict()).decode() == with_texts
    assert result.content == f"<tool_result>{TEXT}</tool_result>"
