"""Tool calls that examples show: what could not be done like that is found, and nothing else."""

from collections.abc import Sequence

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.builtin_tools import builtin_tools
from openplaybook.resources.example_compiler import compile_example
from openplaybook.resources.findings import Finding
from openplaybook.tools.example_calls import ExampleCalls
from openplaybook.tools.toolbox import Toolbox
from tests.kit.openapi import TOOL, Remembering, description, json_body, operation, resource

Told = list[tuple[str, str, str]]

_KEY: JsonObject = {"keyName": "X-Key", "requestLocation": "HEADER", "apiKey": "k"}
_PET: JsonObject = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "age": {"type": "integer"},
        "owner": {"type": "string", "x-agent-input-parameter": "owner"},
        "kind": {"type": "string", "default": "cat"},
    },
    "required": ["name", "owner", "kind"],
    "additionalProperties": False,
}
_PARAMETERS: Sequence[JsonObject] = (
    {"name": "shop", "in": "query", "required": True, "schema": {"type": "integer"}},
    {"name": "tag", "in": "query", "schema": {"enum": ["new", "old"]}},
    {"name": "session", "in": "query", "required": True, "schema": {"$ref": "@dialogflow/sessionId"}},
    {"name": "token", "in": "query", "required": True, "schema": {"type": "string", "x-agent-input-parameter": "t"}},
    {"name": "page", "in": "query", "required": True, "schema": {"type": "integer", "default": 1}},
    {"name": "Idempotency-Key", "in": "header", "required": True, "schema": {"type": "string"}},
    {"name": "X-Key", "in": "header", "required": True, "schema": {"type": "string"}},
)
PETS = resource(operation(_PARAMETERS, json_body(_PET, required=True)), authentication={"apiKeyConfig": _KEY})
_SCHEMA: JsonObject = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def function(schema: JsonObject | None = None, **spec: object) -> JsonObject:
    inputs = {"functionSpec": {"inputSchema": _SCHEMA if schema is None else schema}}
    return {"name": TOOL, "displayName": "weather", "description": "d", **(spec or inputs)}


def told(tool: JsonObject, action: str, inputs: JsonValue = None, key: str = "inputActionParameters") -> Told:
    """Path in the tool use, severity and message of all that is said of one call."""
    tools = {TOOL: Toolbox(Remembering()).build(tool)}
    calls = ExampleCalls({TOOL: tool}, tools, {"shop tool": TOOL})
    use: JsonObject = {"tool": "shop tool", "action": action, **({} if inputs is None else {key: inputs})}
    found: list[Finding] = []
    compile_example({"actions": [{"toolUse": use}]}, "p", calls.facts, found.append, calls.check)
    at = "$.actions[0].toolUse."
    assert all(each.path.startswith(at) for each in found)
    return [(each.path.removeprefix(at), each.severity.value, each.message) for each in found]


def misfits(tool: JsonObject, inputs: JsonValue, action: str = "act") -> list[str]:
    """What of the arguments does not fit."""
    found = told(tool, action, inputs)
    before = f"does not fit the action {action!r}: "
    assert all((path, severity) == ("inputActionParameters", "WARNING") for path, severity, _ in found)
    return [message.removeprefix(before) for _, _, message in found]


def test_an_action_that_the_tool_lacks_is_an_error_that_names_one_like_it() -> None:
    message = "the tool 'things' has no action 'atc'; did you mean 'act'?"
    assert told(PETS, "atc", {"shop": 1}) == [("action", "ERROR", message)]


def test_an_action_like_no_other_is_told_with_those_that_there_are() -> None:
    paths: JsonObject = {
        f"/{letter}": {"get": {"operationId": f"get{letter}", "responses": {}}} for letter in "ABCDEFG"
    }
    message = "the tool 'things' has no action 'x'; it has 'getA', 'getB', 'getC', 'getD', 'getE' and 2 more"
    assert told(resource(description(paths)), "x") == [("action", "ERROR", message)]


def test_names_like_theirs_are_looked_for_only_for_the_first_unknown_actions() -> None:
    tool = resource(operation())
    calls = ExampleCalls({TOOL: tool}, {TOOL: Toolbox(Remembering()).build(tool)})
    found = [fault.message for n in (*range(12), 0) for fault in calls.check(TOOL, f"act{n}", {})]
    assert [message.endswith("; did you mean 'act'?") for message in found] == [True] * 10 + [False] * 2 + [True]
    assert found[10] == "the tool 'things' has no action 'act10'; it has 'act'"


@pytest.mark.parametrize("action", ["weather", "Weather"])
def test_the_action_of_a_function_is_its_display_name(action: str) -> None:
    expected = [] if action == "weather" else ["the tool 'weather' has no action 'Weather'; did you mean 'weather'?"]
    assert [message for _, _, message in told(function(), action, {"city": "Paris"})] == expected


FITTING: JsonObject = {"shop": 7, "requestBody": {"name": "Rex"}}


@pytest.mark.parametrize(
    "inputs",
    [
        FITTING,
        {"shop": 7, "name": "Rex"},
        {"act input": FITTING},
        {"input": {"shop": 7, "name": "Rex", "age": 3}},
        {"request": {"shop": 7, "requestBody": {"name": "Rex"}}},
        [{"name": "shop", "value": 7}, {"name": "requestBody", "value": {"name": "Rex"}}],
    ],
)
@pytest.mark.parametrize("key", ["inputActionParameters", "inputParameters"])
def test_arguments_that_fit_are_in_order_in_every_spelling(inputs: JsonValue, key: str) -> None:
    assert told(PETS, "act", inputs, key) == []


@pytest.mark.parametrize(
    "more",
    [
        {"session": "s1", "token": "secret", "page": 2},
        {"token": "secret"},
        {"Idempotency-Key": "k1", "X-Key": "k"},
        {"requestBody": {"name": "Rex", "owner": "Ann"}},
        {"requestBody": {"name": "Rex", "kind": "dog"}},
        {"shop": "7"},
        {"shop": 7.0},
        {"shop": "$session.params.shop"},
        {"shop": ""},
        {"shop": None},
        {"tag": " "},
        {"requestBody": {"name": "Rex", "age": ""}},
        {"requestBody": {"name": None}},
    ],
)
def test_what_is_filled_in_left_blank_or_stands_for_another_value_is_in_order(more: JsonObject) -> None:
    assert misfits(PETS, {**FITTING, **more}) == []


@pytest.mark.parametrize(
    ("inputs", "faults"),
    [
        ({"shop": "seven", "requestBody": {"name": "Rex"}}, ['shop must be integer, got "seven"']),
        ({"shop": 7, "tag": "odd", "requestBody": {"name": "Rex"}}, ['tag must be one of "new", "old", got "odd"']),
        ({"requestBody": {"name": "Rex"}}, ["shop is required (integer)"]),
        ({"shop": 7, "requestBody": {"age": 3}}, ["requestBody.name is required (string)"]),
        ({"shop": 7, "requestBody": {"name": 3, "owner": "Ann"}}, ["requestBody.name must be string, got 3"]),
        (
            {"shop": 7, "requestBody": {"name": "Rex", "nme": "x", "owner": "Ann"}},
            ["requestBody.nme is not known; allowed: name, age, owner, kind"],
        ),
        ({}, ["shop is required (integer)", "requestBody is required (object)"]),
    ],
)
def test_arguments_that_do_not_fit_are_told_one_by_one(inputs: JsonObject, faults: list[str]) -> None:
    assert sorted(misfits(PETS, inputs)) == sorted(faults)


def test_arguments_that_the_operation_does_not_have_are_told() -> None:
    tool = resource(operation([{"name": "shop", "in": "query", "schema": {"type": "integer"}}]))
    assert misfits(tool, {"shop": 7, "shpo": 7}) == ["shpo is not known; allowed: shop"]


def test_arguments_that_a_function_does_not_declare_are_told_unless_it_is_open_to_others() -> None:
    assert misfits(function(), {"city": "Paris", "cty": 1}, "weather") == ["cty is not known; allowed: city"]
    assert misfits(function({**_SCHEMA, "additionalProperties": True}), {"city": "Paris", "x": 1}, "weather") == []
    assert misfits(function({}), {"anything": 1}, "weather") == []
    assert misfits(function(), {}, "weather") == ["city is required (string)"]


def test_the_place_is_the_member_that_holds_the_arguments() -> None:
    listed: list[JsonValue] = [{"name": "city", "value": 5}]
    [(path, _, _)] = told(function(), "weather", listed, "inputParameters")
    assert path == "inputParameters"


@pytest.mark.parametrize("inputs", [{"generate_and_execute input": "Add 1 and 2"}, {"query": "Add"}, {}])
def test_the_code_interpreter_has_one_action(inputs: JsonObject) -> None:
    [tool] = builtin_tools(TOOL.rpartition("/tools/")[0])
    assert told(tool, "generate_and_execute", inputs) == []
    message = "the tool 'code-interpreter' has no action 'run'; it has 'generate_and_execute'"
    assert told(tool, "run", inputs) == [("action", "ERROR", message)]


@pytest.mark.parametrize(
    "spec",
    [
        {"connectorSpec": {"name": "projects/p/locations/l/connections/c", "actions": [{"connectionActionId": "a"}]}},
        {
            "dataStoreSpec": {
                "dataStoreConnections": [
                    {
                        "dataStoreType": "UNSTRUCTURED",
                        "dataStore": "projects/p/locations/l/collections/c/dataStores/d",
                        "documentProcessingMode": "DOCUMENTS",
                    }
                ],
                "fallbackPrompt": {},
            }
        },
    ],
)
def test_tools_whose_actions_are_known_elsewhere_are_not_checked(spec: JsonObject) -> None:
    assert told(function(**spec), "anything", {"any": 1}) == []


def test_calls_of_a_tool_that_cannot_be_used_are_not_checked() -> None:
    calls = ExampleCalls({TOOL: resource("broken")}, {})
    assert list(calls.check(TOOL, "act", {"any": 1})) == []
    assert list(calls.check("another", "act", {"any": 1})) == []
