"""What the session fills in is not offered to the model."""

import pytest

from openplaybook.jsonvalues import JsonObject
from tests.kit.openapi import Harness, harness, json_body, operation

OWNER = "#/components/schemas/Owner"
INJECTED: JsonObject = {"type": "integer", "x-agent-input-parameter": "petId"}


def offered(tool: Harness, parameters: JsonObject, payload: JsonObject | None = None) -> JsonObject:
    for_session = tool.action().for_session
    assert for_session is not None
    return for_session(parameters, payload or {})["properties"]


@pytest.mark.proves("O9")
def test_what_the_session_fills_in_is_hidden_from_the_model_and_offered_while_the_session_has_nothing() -> None:
    tool = harness(
        operation(
            [
                {"in": "query", "name": "q", "schema": {"type": "string"}},
                {"in": "query", "name": "petId", "schema": INJECTED},
                {"in": "query", "name": "tenant", "schema": {"x-agent-input-parameter": "$request.payload.tenant"}},
            ]
        )
    )
    assert list(offered(tool, {})) == ["q", "petId", "tenant"]
    assert list(offered(tool, {"petId": None})) == ["q", "petId", "tenant"]
    assert list(offered(tool, {"petId": 3})) == ["q", "tenant"]
    assert list(offered(tool, {"petId": 3}, {"tenant": "a"})) == ["q"]


@pytest.mark.proves("O9")
def test_what_the_session_fills_into_a_body_is_hidden_behind_references_too() -> None:
    pet: JsonObject = {"type": "object", "required": ["owner"], "properties": {"name": {}, "owner": {"$ref": OWNER}}}
    owner: JsonObject = {"type": "object", "properties": {"id": {"x-agent-input-parameter": "user"}, "since": {}}}
    document = {**operation(body=json_body({"$ref": "#/components/schemas/Pet"}))}
    tool = harness({**document, "components": {"schemas": {"Pet": pet, "Owner": owner}}})
    for_session = tool.action().for_session
    assert for_session is not None
    hidden, shown = for_session({"user": 7}, {})["$defs"], for_session({}, {})["$defs"]
    assert (list(hidden["Owner"]["properties"]), list(shown["Owner"]["properties"])) == (["since"], ["id", "since"])
    assert list(hidden["Pet"]["properties"]) == ["name", "owner"]


def test_a_session_that_fills_nothing_in_leaves_the_declaration_as_it_is() -> None:
    tool = harness(operation([{"in": "query", "name": "q", "schema": {"type": "string"}}]))
    for_session = tool.action().for_session
    assert for_session is not None
    assert for_session({"q": 1}, {}) is tool.action().input_schema
