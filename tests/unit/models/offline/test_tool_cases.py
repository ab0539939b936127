"""Cases of tool calling: how they are read, and what the planner does is told."""

from datetime import date

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import AgentText, Effect, FunctionCall, FunctionResult, Model, UserText
from openplaybook.models.offline import OfflineModel
from openplaybook.models.offline.tool_cases import CaseFault, plan_case, read_case

WEATHER: JsonObject = {
    "name": "weather.get",
    "description": "Get the weather of a city",
    "parameters": {
        "type": "dict",
        "properties": {"city": {"type": "string", "description": "The city"}, "days": {"type": "float"}},
        "required": ["city"],
    },
    "result_fields": ["temperature"],
}


def case(*messages: JsonObject, **more: object) -> JsonObject:
    return {"id": "one", "messages": list(messages), "tools": [WEATHER], **more}


def user(text: str) -> JsonObject:
    return {"role": "user", "content": text}


def model_of(today: date) -> Model:
    return OfflineModel(lambda: today)


def test_a_case_becomes_a_conversation_with_declared_functions() -> None:
    read = read_case(
        case(
            user("Weather in Oslo"),
            {"role": "assistant", "tool_call": {"name": "weather.get", "arguments": {"city": "Oslo"}}},
            {"role": "tool", "content": [{"temperature": 3}]},
            {"role": "assistant", "content": "3 degrees."},
            user("And in Bergen?"),
            today="2019-03-01",
        )
    )
    assert read.today == date(2019, 3, 1)
    assert read.names == {"weather_get": "weather.get"}
    assert read.entries == (
        UserText("Weather in Oslo"),
        FunctionCall("1", "weather_get", {"city": "Oslo"}),
        FunctionResult("1", "weather_get", [{"temperature": 3}]),
        AgentText("3 degrees."),
        UserText("And in Bergen?"),
    )
    (declaration,) = read.declarations
    assert declaration.effect is Effect.READS
    assert declaration.input_schema["type"] == "object"
    assert declaration.input_schema["properties"]["days"]["type"] == "number"
    assert declaration.output_schema == {"type": "object", "properties": {"temperature": {}}}


def test_examples_are_lists_of_messages_or_objects_with_them() -> None:
    messages = [user("Hi"), {"role": "assistant", "content": "Hello"}]
    read = read_case(case(user("Hi"), examples=[messages, {"messages": messages}]))
    assert [example.entries for example in read.examples] == [(UserText("Hi"), AgentText("Hello"))] * 2


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ([], "a case is a JSON object"),
        ({"messages": [], "tools": []}, "`id` must be a string"),
        ({"id": "x", "messages": [], "tools": []}, "the last of `messages` must be the user's"),
        ({"id": "x", "messages": {}, "tools": []}, "`messages` must be a list"),
        ({"id": "x", "messages": [user("hi")], "tools": [WEATHER, WEATHER]}, "two tools have the same"),
        (case({"role": "user", "content": 3}), "the `content` of a message must be a string"),
        (case(user("hi"), today="soon"), "`today` must be a date such as 2026-11-20, not 'soon'"),
    ],
)
def test_what_is_no_case_is_told(broken: object, said: str) -> None:
    with pytest.raises(CaseFault, match=said):
        read_case(broken)


async def test_a_call_is_told_by_the_tools_own_name() -> None:
    read = read_case(case(user("Get the weather of the city Oslo")))
    prediction = await plan_case(read, model_of, with_history=False)
    assert prediction["call"] == {"name": "weather.get", "arguments": {"city": "Oslo"}}


async def test_what_is_missing_is_asked_for() -> None:
    read = read_case(case(user("Please get the weather of a city")))
    prediction = await plan_case(read, model_of, with_history=False)
    assert (prediction["call"], prediction["ask"], prediction["tool"]) == (None, ["city"], "weather.get")


async def test_with_history_the_planner_remembers_what_it_asked() -> None:
    asked = case(
        user("Please get the weather of a city"), {"role": "assistant", "content": "Which city?"}, user("Bergen")
    )
    prediction = await plan_case(read_case(asked), model_of, with_history=True)
    assert prediction["call"] == {"name": "weather.get", "arguments": {"city": "Bergen"}}


async def test_what_is_to_be_confirmed_first_is_confirmed_and_then_called() -> None:
    schema: JsonObject = {"type": "object", "properties": {"order": {"type": "string", "description": "Order number"}}}
    tool: JsonObject = {
        "name": "cancel_order",
        "description": "Cancel an order",
        "parameters": {**schema, "required": ["order"]},
        "confirm_first": True,
    }
    said: list[JsonValue] = [
        {"role": "user", "content": "I might want to cancel order AB-12"},
        {"role": "assistant", "content": "Do you want to cancel order AB-12?"},
        {"role": "user", "content": "Yes please"},
    ]
    first = read_case({"id": "a", "messages": said[:1], "tools": [tool]})
    call: JsonObject = {"name": "cancel_order", "arguments": {"order": "AB-12"}}
    expected: JsonObject = {"id": "a", "call": None, "ask": [], "tool": "cancel_order", "confirm": call}
    assert await plan_case(first, lambda today: OfflineModel(lambda: today), with_history=False) == expected
    last = read_case({"id": "a", "messages": said, "tools": [tool]})
    planned = await plan_case(last, lambda today: OfflineModel(lambda: today), with_history=True)
    assert planned["call"] == call
