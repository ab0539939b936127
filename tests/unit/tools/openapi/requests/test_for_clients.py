"""What a client is given to make a call itself: all that the server would send, but no secret."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Call, Failure, ToolContext
from tests.kit.openapi import Harness, description, harness, json_body, operation

pytestmark = pytest.mark.proves("C1")

PARAMETERS: list[JsonObject] = [
    {"in": "path", "name": "id", "required": True, "schema": {"type": "integer"}},
    {"in": "query", "name": "session", "schema": {"type": "string", "x-agent-input-parameter": "$session.id"}},
    {"in": "query", "name": "shop", "schema": {"type": "string"}, "x-agent-input-parameter": "shop"},
    {"in": "query", "name": "limit", "schema": {"type": "integer", "default": 10}},
    {"in": "header", "name": "X-Token", "required": True, "schema": {"type": "string"}},
]
PARAMETERS[-1]["x-agent-input-parameter"] = "token"


async def asked(tool: Harness, arguments: JsonObject, **context: JsonValue) -> JsonObject | Failure:
    secret = frozenset({"token"})
    told = ToolContext("s1", secret_parameters=secret, **context)
    return await tool.tool.client_arguments(Call("c1", tool.action(), arguments), told)


def orders() -> Harness:
    return harness(operation(PARAMETERS, path="/orders/{id}"))


async def test_a_client_gets_what_session_and_defaults_give_and_no_secret() -> None:
    given = await asked(orders(), {"id": 3}, parameters={"shop": "Berlin", "token": "hidden"})
    assert given == {"id": 3, "shop": "Berlin", "limit": 10}


async def test_what_the_model_invents_in_place_of_a_secret_is_not_passed_on() -> None:
    given = await asked(orders(), {"id": 3, "X-Token": "invented"}, parameters={"token": "hidden"})
    assert given == {"id": 3, "limit": 10}


@pytest.mark.parametrize(
    ("arguments", "parameters", "message"),
    [
        ({}, {"token": "hidden"}, "id is required (integer)"),
        ({"id": "three"}, {"token": "hidden"}, 'id must be integer, got "three"'),
        ({"id": 3}, {}, "X-Token is required (string)"),
    ],
)
async def test_arguments_are_refused_as_the_server_would(
    arguments: JsonObject, parameters: JsonObject, message: str
) -> None:
    tool = orders()
    refused = await asked(tool, arguments, parameters=parameters)
    assert refused == Failure("INVALID_ARGUMENTS", message)
    assert await tool.call(arguments, ToolContext("s1", parameters=parameters)) == refused
    assert tool.transport.sent == []


async def test_a_secret_deep_in_a_body_is_left_out_alone() -> None:
    token: JsonObject = {"type": "string", "x-agent-input-parameter": "token"}
    item: JsonObject = {"type": "object", "properties": {"sku": {"type": "string"}, "token": token}}
    body: JsonObject = {
        "type": "object",
        "properties": {
            "items": {"type": "array", "items": item},
            "auth": {"type": "object", "properties": {"t": token}},
        },
    }
    given = await asked(
        harness(operation(body=json_body(body))),
        {"requestBody": {"items": [{"sku": "a"}, {"sku": "b"}]}},
        parameters={"token": "hidden"},
    )
    assert given == {"requestBody": {"items": [{"sku": "a"}, {"sku": "b"}]}}


@given(st.recursive(st.sampled_from(["hidden", "open", 1, None]), lambda inner: st.lists(inner, max_size=3)))
async def test_no_shape_of_a_secret_reaches_a_client(secret: JsonValue) -> None:
    parameters: list[JsonObject] = [
        {"in": "query", "name": "a", "schema": {}, "x-agent-input-parameter": "token"},
        {"in": "query", "name": "b", "schema": {"default": [7]}, "x-agent-input-parameter": "token"},
    ]
    given = await asked(harness(operation(parameters)), {}, parameters={"token": secret})
    assert given in ({}, {"b": [7]})
    if secret is not None:
        assert given == {}


async def test_the_payload_of_the_request_is_the_clients_own() -> None:
    parameters: list[JsonObject] = [
        {"in": "query", "name": "a", "schema": {"type": "string"}, "x-agent-input-parameter": "$request.payload.x"}
    ]
    assert await asked(harness(operation(parameters)), {}, payload={"x": "y"}) == {"a": "y"}


async def test_a_call_whose_server_only_the_client_knows_can_be_handed_over() -> None:
    document = description({"/things": {"get": {"operationId": "act", "responses": {}}}})
    document["servers"] = []
    assert await asked(harness(document), {}) == {}


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "integer"}, 'token must be integer, got "[redacted]"'),
        ({"enum": ["x"]}, 'token must be one of "x", got "[redacted]"'),
        ({"type": "string", "maxLength": 50}, "a session parameter that holds a credential does not fit where it goes"),
        ({"type": "number", "maximum": 1}, "token: [redacted] is greater than the maximum of 1"),
    ],
)
async def test_no_message_holds_a_secret_whoever_makes_the_call(schema: JsonObject, message: str) -> None:
    parameter: JsonObject = {"in": "query", "name": "token", "schema": schema, "x-agent-input-parameter": "token"}
    tool = harness(operation([parameter]))
    secret = "123456789" if schema.get("type") == "number" else f"planted-{'x' * 100}"
    context = ToolContext("s1", parameters={"token": secret}, secrets=(secret,), secret_parameters={"token"})
    refused = Failure("INVALID_ARGUMENTS", message)
    assert await tool.tool.client_arguments(Call("c1", tool.action(), {}), context) == refused
    assert await tool.call({}, context) == refused
