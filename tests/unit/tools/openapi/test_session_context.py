"""Values that come from the context of a session: `x-ces-session-context`."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue, loads
from openplaybook.tools.base import Failure, Success, ToolContext
from tests.kit.openapi import Harness, harness, json_body, operation


def in_query(schema: JsonObject, name: str = "q", **more: object) -> JsonObject:
    return {"in": "query", "name": name, "schema": schema, **more}


def body_tool(schema: JsonObject) -> Harness:
    return harness(operation(body=json_body(schema, required=True)))


def sent_body(tool: Harness) -> JsonValue:
    assert tool.sent.body is not None
    return loads(tool.sent.body)


@pytest.mark.proves("O3", "O9")
@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("$context.session_id", "session-1"),
        ("$context.variables.petId", "7"),
        ("$context.variables.owner.name", "Kim"),
    ],
)
@pytest.mark.parametrize("place", ["parameter", "schema"])
async def test_the_context_of_a_session_is_a_source_too(path: str, sent: str, place: str) -> None:
    extension: JsonObject = {"x-ces-session-context": path}
    parameter = in_query({"type": "string", **(extension if place == "schema" else {})}, required=True)
    tool = harness(operation([{**parameter, **(extension if place == "parameter" else {})}]))
    shown = tool.action().input_schema
    assert (list(shown["properties"]), shown.get("required", [])) == ([], [])
    given = ToolContext("session-1", parameters={"petId": "7", "owner": {"name": "Kim"}})
    assert isinstance(await tool.call({"q": "forged"}, given), Success)
    assert tool.sent.url.endswith(f"?q={sent}")


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("$context.project_id", "?q=pets-42"),
        ("$context.location", "?q=eu"),
        ("$context.app_id", "?q=shop"),
        ("$context.variables.unset", "?q=given"),
        ("$context.project_number", "?q=given"),
    ],
)
async def test_the_name_of_a_session_is_a_source_and_what_it_lacks_is_not_made_up(path: str, sent: str) -> None:
    tool = harness(operation([in_query({"type": "string", "x-ces-session-context": path})]))
    session = "projects/pets-42/locations/eu/apps/shop/sessions/s"
    assert tool.action().input_schema["properties"] == {}
    assert isinstance(await tool.call({"q": "given"}, ToolContext("s", session=session)), Success)
    assert tool.sent.url == f"https://api.example/v1/things{sent}"


async def test_a_projects_number_is_known_where_the_project_is_named_by_it() -> None:
    schema: JsonObject = {"type": "integer", "x-ces-session-context": "$context.project_number"}
    tool = harness(operation([in_query(schema)]))
    assert isinstance(
        await tool.call({}, ToolContext("s", session="projects/42/locations/l/apps/a/sessions/s")), Success
    )
    assert tool.sent.url == "https://api.example/v1/things?q=42"


async def test_all_variables_are_a_source_but_those_that_are_secret() -> None:
    schema: JsonObject = {"type": "object", "x-ces-session-context": "$context.variables"}
    tool = body_tool({"type": "object", "required": ["v"], "properties": {"v": schema}})
    given = ToolContext("s", parameters={"plan": "gold", "token": "t0p"}, secret_parameters={"token"})
    assert isinstance(await tool.call({}, given), Success)
    assert sent_body(tool) == {"v": {"plan": "gold"}}


async def test_what_the_context_fills_in_is_not_named_to_a_model_that_gave_too_much() -> None:
    hidden = in_query({"type": "string", "x-ces-session-context": "$context.variables.tenant"}, "tenant")
    tool = harness(operation([in_query({"type": "string"}), hidden]))
    assert await tool.call({"x": 1}) == Failure("INVALID_ARGUMENTS", "x is not known; allowed: q")


@pytest.mark.proves("O3")
async def test_the_context_of_a_session_reaches_into_a_body() -> None:
    schema: JsonObject = {"type": "string", "x-ces-session-context": "$context.session_id"}
    tool = body_tool({"type": "object", "required": ["s"], "properties": {"s": schema}})
    assert tool.action().input_schema["properties"]["requestBody"]["properties"] == {}
    assert isinstance(await tool.call({}), Success)
    assert sent_body(tool) == {"s": "session-1"}
