"""Which values are sent, which are refused with a sentence, and which become others on the way."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Failure, Success, ToolContext
from tests.kit.openapi import Harness, harness, json_body, operation


def body_tool(schema: JsonObject, **components: JsonValue) -> Harness:
    return harness({**operation(body=json_body(schema)), "components": {"schemas": components}})


def having(schema: JsonObject, *required: str, **more: JsonValue) -> JsonObject:
    return {"type": "object", "properties": {"a": schema}, "required": list(required), **more}


CAT: JsonObject = {
    "type": "object",
    "required": ["kind", "lives"],
    "properties": {"kind": {"type": "string", "enum": ["cat"]}, "lives": {"type": "integer"}},
}
DOG: JsonObject = {
    "type": "object",
    "required": ["kind"],
    "properties": {"kind": {"type": "string", "enum": ["dog"]}, "barks": {"type": "boolean"}},
}
PETS: JsonObject = {
    "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
    "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat", "dog": "Dog"}},
}
BOTH: JsonObject = {"allOf": [{"$ref": "#/components/schemas/Dog"}, having({"type": "string"}, "a")]}


@pytest.mark.proves("O11")
@pytest.mark.parametrize(
    ("schema", "given", "sent"),
    [
        (having({"type": "integer"}), {"a": 1.0}, b'{"a":1}'),
        (having({"type": "integer", "format": "int64"}), {"a": 2**53 + 1}, b'{"a":9007199254740993}'),
        (having({"type": "integer"}), {"a": 2**64 + 1}, b'{"a":18446744073709551617}'),
        (having({"type": "number"}), {"a": 1.5}, b'{"a":1.5}'),
        (having({"type": "integer", "enum": [1, 2]}), {"a": 2.0}, b'{"a":2}'),
        (having({"type": "string", "nullable": True}), {"a": None}, b'{"a":null}'),
        (having({"type": "string", "writeOnly": True}, "a"), {"a": "x"}, b'{"a":"x"}'),
        (having({"type": "string", "readOnly": True}, "a"), {}, b"{}"),
        (having({"type": "string", "format": "date"}), {"a": "2026-01-31"}, b'{"a":"2026-01-31"}'),
        (having({}, additionalProperties={"type": "integer"}), {"a": "x", "b": 2.0}, b'{"a":"x","b":2}'),
        (PETS, {"kind": "cat", "lives": 7.0}, b'{"kind":"cat","lives":7}'),
        (PETS, {"kind": "dog"}, b'{"kind":"dog"}'),
        (BOTH, {"kind": "dog", "a": "x"}, b'{"kind":"dog","a":"x"}'),
        ({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]}, [1.0], b"[1]"),
        ({}, {"deep": [{"a": 1e300}, 0.1, -0.0]}, b'{"deep":[{"a":1e+300},0.1,0]}'),
    ],
)
async def test_values_that_fit_are_sent_in_the_type_of_their_schema(
    schema: JsonObject, given: JsonValue, sent: bytes
) -> None:
    tool = body_tool(schema, Cat=CAT, Dog=DOG)
    assert isinstance(await tool.call({"requestBody": given}), Success)
    assert tool.sent.body == sent


@pytest.mark.proves("O11")
@pytest.mark.parametrize(
    ("schema", "given", "message"),
    [
        (having({"type": "integer"}), {"a": 1.5}, "requestBody.a must be integer, got 1.5"),
        (having({"type": "integer", "enum": [1, 2]}), {"a": 3}, "requestBody.a must be one of 1, 2, got 3"),
        (having({"type": "string"}), {"a": None}, "requestBody.a must be string, got null"),
        (having({"type": "string"}, "a"), {}, "requestBody.a is required (string)"),
        (
            having({}, additionalProperties=False),
            {"b": 1},
            "requestBody.b is not known; allowed: a",
        ),
        (
            having({"type": "string", "format": "date"}),
            {"a": "tomorrow"},
            'requestBody.a must be a date such as 2026-01-31, got "tomorrow"',
        ),
        (
            having({"type": "string", "format": "uuid"}),
            {"a": "42"},
            'requestBody.a must be a UUID such as f81d4fae-7dec-11d0-a765-00a0c91e6bf6, got "42"',
        ),
    ],
)
async def test_values_that_do_not_fit_are_told_by_place_and_nothing_is_sent(
    schema: JsonObject, given: JsonValue, message: str
) -> None:
    tool = body_tool(schema)
    assert await tool.call({"requestBody": given}) == Failure("INVALID_ARGUMENTS", message)
    assert tool.transport.sent == []


async def test_arguments_that_do_not_exist_are_told_with_those_that_do() -> None:
    tool = harness(operation([{"in": "query", "name": "limit", "schema": {}}], json_body({})))
    message = "page is not known; allowed: limit, requestBody"
    assert await tool.call({"page": 1}) == Failure("INVALID_ARGUMENTS", message)


async def test_arguments_nested_without_end_are_refused() -> None:
    value: JsonValue = 1
    for _ in range(5000):
        value = [value]
    outcome = await body_tool({}).call({"requestBody": value})
    assert outcome == Failure("INVALID_ARGUMENTS", "the arguments are nested too deeply")


async def test_half_of_a_surrogate_pair_is_refused() -> None:
    tool = harness(operation([{"in": "query", "name": "q", "schema": {}}]))
    message = "the arguments contain half of a surrogate pair, which is not a character"
    assert await tool.call({"q": "\ud800"}) == Failure("INVALID_ARGUMENTS", message)


@pytest.mark.proves("O9")
@pytest.mark.parametrize(
    ("kind", "value", "sent"),
    [
        ("string", 7.0, "7"),
        ("string", True, "true"),
        (["string", "null"], 5, "5"),
        ("integer", "7", "7"),
        ("number", "7.5", "7.5"),
        ("boolean", "false", "false"),
    ],
)
async def test_a_value_of_the_session_takes_the_type_of_its_schema(
    kind: JsonValue, value: JsonValue, sent: str
) -> None:
    schema: JsonObject = {"type": kind, "x-agent-input-parameter": "v"}
    tool = harness(operation([{"in": "query", "name": "q", "schema": schema}]))
    assert isinstance(await tool.call({}, ToolContext("s", parameters={"v": value})), Success)
    assert tool.sent.url.endswith(f"?q={sent}")


@pytest.mark.parametrize(
    ("kind", "value"),
    [("integer", "7 apples"), ("integer", "7.5"), ("boolean", "yes"), ("integer", "00"), ("array", "a")],
)
async def test_a_value_of_the_session_that_has_no_such_form_is_refused(kind: str, value: str) -> None:
    schema: JsonObject = {"type": kind, "x-agent-input-parameter": "v"}
    tool = harness(operation([{"in": "query", "name": "q", "schema": schema}]))
    outcome = await tool.call({}, ToolContext("s", parameters={"v": value}))
    assert isinstance(outcome, Failure)
    assert outcome.code == "INVALID_ARGUMENTS"
    assert outcome.message.startswith(f"q must be {kind}, got ")
