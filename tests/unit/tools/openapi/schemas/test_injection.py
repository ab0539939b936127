"""The precedence of values: session or payload, then the model, then the default, then nothing."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue, loads
from openplaybook.tools.base import Failure, Success, ToolContext
from openplaybook.tools.openapi.openapi_tool import OpenApiTool
from tests.kit.openapi import Harness, harness, json_body, operation


def in_query(schema: JsonObject, name: str = "q", **more: object) -> JsonObject:
    return {"in": "query", "name": name, "schema": schema, **more}


def context(payload: JsonObject | None = None, **parameters: JsonValue) -> ToolContext:
    return ToolContext("session-1", parameters=parameters, payload=payload or {})


INJECTED: JsonObject = {"type": "integer", "x-agent-input-parameter": "petId"}
DEFAULTED: JsonObject = {"type": "integer", "default": 7}
BOTH: JsonObject = {**INJECTED, "default": 7}


@pytest.mark.proves("O9", "O10")
@pytest.mark.parametrize(
    ("schema", "session", "model", "query"),
    [
        (INJECTED, 1, 2, "?q=1"),
        (INJECTED, 1, None, "?q=1"),
        (INJECTED, None, 2, "?q=2"),
        (INJECTED, None, None, ""),
        (INJECTED, 1.0, None, "?q=1"),
        (INJECTED, 0, 2, "?q=0"),
        (DEFAULTED, 1, 2, "?q=2"),
        (DEFAULTED, None, None, "?q=7"),
        (BOTH, 1, 2, "?q=1"),
        (BOTH, None, 2, "?q=2"),
        (BOTH, None, None, "?q=7"),
    ],
)
async def test_a_value_comes_from_the_session_then_the_model_then_the_default(
    schema: JsonObject, session: JsonValue, model: JsonValue, query: str
) -> None:
    tool = harness(operation([in_query(schema)]))
    arguments = {} if model is None else {"q": model}
    assert isinstance(await tool.call(arguments, context(petId=session)), Success)
    assert tool.sent.url == f"https://api.example/v1/things{query}"


@pytest.mark.proves("O9")
@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("petId", "plain"),
        ("$session.params.petId", "plain"),
        ("$session.params.owner.name", "nested"),
        ("owner.name", "nested"),
        ("$request.payload.header", "from payload"),
        ("$request.payload.deep.er", "deep payload"),
    ],
)
@pytest.mark.parametrize("place", ["schema", "parameter"])
async def test_every_form_of_a_source_is_read_wherever_it_stands(source: str, value: str, place: str) -> None:
    extension: JsonObject = {"x-agent-input-parameter": source}
    parameter = in_query({"type": "string", **(extension if place == "schema" else {})})
    tool = harness(operation([{**parameter, **(extension if place == "parameter" else {})}]))
    given = context({"header": "from payload", "deep": {"er": "deep payload"}}, petId="plain", owner={"name": "nested"})
    assert isinstance(await tool.call({}, given), Success)
    assert tool.sent.url.endswith("?q=" + value.replace(" ", "%20"))


@pytest.mark.proves("O10")
async def test_a_required_input_without_any_value_is_an_error_and_not_a_call() -> None:
    tool = harness(operation([in_query(INJECTED, required=True)]))
    outcome = await tool.call({})
    assert outcome == Failure("INVALID_ARGUMENTS", "q is required (integer)")
    assert tool.transport.sent == []


@pytest.mark.proves("O10")
@pytest.mark.parametrize("schema", [INJECTED, DEFAULTED, BOTH])
def test_what_may_come_from_elsewhere_is_seen_by_the_model_but_not_required_of_it(schema: JsonObject) -> None:
    shown = (
        harness(operation([in_query(schema, required=True), in_query({}, "r", required=True)])).action().input_schema
    )
    assert list(shown["properties"]) == ["q", "r"]
    assert shown["required"] == ["r"]
    assert "x-agent-input-parameter" not in shown["properties"]["q"]


@pytest.mark.proves("O3")
@pytest.mark.parametrize("argument", [{}, {"X-SESSION": "forged"}])
async def test_the_session_id_is_sent_unseen_and_cannot_be_set(argument: JsonObject) -> None:
    parameter: JsonObject = {"in": "header", "name": "X-SESSION", "schema": {"$ref": "@dialogflow/sessionId"}}
    tool = harness(operation([{**parameter, "required": True}]))
    assert tool.action().input_schema["properties"] == {}
    assert isinstance(await tool.call(argument), Success)
    assert ("X-SESSION", "session-1") in tool.sent.headers


def body_tool(schema: JsonObject, *, required: bool = False, **components: JsonValue) -> Harness:
    document = operation(body=json_body(schema, required=required))
    return harness({**document, "components": {"schemas": components}})


def sent_body(tool: Harness) -> JsonValue:
    return None if tool.sent.body is None else loads(tool.sent.body)


GREETING: JsonObject = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "x-agent-input-parameter": "petName"},
        "breed": {"type": "string"},
        "page_size": {"type": "integer", "default": 10},
    },
}


@pytest.mark.proves("O9", "O10")
@pytest.mark.parametrize(
    ("arguments", "session", "body"),
    [
        ({}, "Rex", {"name": "Rex", "page_size": 10}),
        ({}, None, {"page_size": 10}),
        ({"requestBody": {"breed": "pug"}}, None, {"breed": "pug", "page_size": 10}),
        ({"requestBody": {"name": "Max", "page_size": 5}}, None, {"name": "Max", "page_size": 5}),
        ({"requestBody": {"name": "Max"}}, "Rex", {"name": "Rex", "page_size": 10}),
    ],
)
async def test_body_properties_are_filled_in(arguments: JsonObject, session: JsonValue, body: JsonObject) -> None:
    tool = body_tool(GREETING)
    assert isinstance(await tool.call(arguments, context(petName=session)), Success)
    assert sent_body(tool) == body


@pytest.mark.parametrize("required", [["breed"], ["owner"]])
async def test_an_optional_body_is_not_made_when_its_defaults_do_not_complete_it(required: list[str]) -> None:
    owner: JsonObject = {"type": "object", "required": ["id"], "properties": {"kind": {"default": "human"}}}
    tool = body_tool({**GREETING, "properties": {**GREETING["properties"], "owner": owner}, "required": required})
    assert isinstance(await tool.call({}), Success)
    assert tool.sent.body is None
    assert ("Content-Type", "application/json") not in tool.sent.headers


async def test_a_required_body_is_made_of_defaults_and_not_asked_of_the_model() -> None:
    tool = body_tool(GREETING, required=True)
    assert "required" not in tool.action().input_schema
    assert isinstance(await tool.call({}), Success)
    assert sent_body(tool) == {"page_size": 10}


DEEP: JsonObject = {
    "type": "object",
    "properties": {
        "user": {
            "type": "object",
            "properties": {
                "id": {"type": "string", "x-agent-input-parameter": "$session.params.userId"},
                "locale": {"type": "string", "default": "en"},
                "session": {"$ref": "@dialogflow/sessionId"},
            },
        },
        "options": {"type": "object", "properties": {"depth": {"type": "integer", "default": 1}}},
        "items": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}},
    },
    "allOf": [{"type": "object", "properties": {"tenant": {"type": "string", "x-agent-input-parameter": "tenant"}}}],
}
ITEM: JsonObject = {
    "type": "object",
    "properties": {"unit": {"type": "string", "default": "kg"}, "n": {"type": "number"}},
}


@pytest.mark.proves("O9")
async def test_values_reach_any_depth_of_a_body() -> None:
    tool = body_tool(DEEP, Item=ITEM)
    given = {"requestBody": {"items": [{"n": 1.0}, {"n": 2.5, "unit": "g"}], "options": {}}}
    assert isinstance(await tool.call(given, context(userId="u1", tenant="acme")), Success)
    assert sent_body(tool) == {
        "user": {"id": "u1", "locale": "en", "session": "session-1"},
        "options": {"depth": 1},
        "items": [{"n": 1, "unit": "kg"}, {"n": 2.5, "unit": "g"}],
        "tenant": "acme",
    }


async def test_an_optional_object_is_not_made_of_defaults_alone() -> None:
    tool = body_tool(DEEP, Item=ITEM)
    assert isinstance(await tool.call({"requestBody": {"items": []}}), Success)
    assert "options" not in sent_body(tool)


def test_the_model_does_not_see_the_session_id_within_a_body() -> None:
    shown = body_tool(DEEP, Item=ITEM).action().input_schema["properties"]["requestBody"]["properties"]
    assert list(shown["user"]["properties"]) == ["id", "locale"]


async def test_a_recursive_schema_is_filled_as_deep_as_its_value() -> None:
    node: JsonObject = {
        "type": "object",
        "required": ["next"],
        "properties": {"next": {"$ref": "#/components/schemas/Node"}, "kind": {"type": "string", "default": "n"}},
    }
    tool = body_tool({"$ref": "#/components/schemas/Node"}, Node={**node, "required": []})
    assert isinstance(await tool.call({"requestBody": {"next": {"next": {}}}}), Success)
    assert sent_body(tool) == {"next": {"next": {"kind": "n"}, "kind": "n"}, "kind": "n"}


async def test_a_schema_that_requires_itself_does_not_run_on() -> None:
    node: JsonObject = {
        "type": "object",
        "required": ["next"],
        "properties": {"next": {"$ref": "#/components/schemas/Node"}, "kind": {"type": "string", "default": "n"}},
    }
    outcome = await body_tool({"$ref": "#/components/schemas/Node"}, required=True, Node=node).call({})
    assert isinstance(outcome, Failure)
    assert outcome.code == "INVALID_ARGUMENTS"


async def test_the_context_is_left_as_it_was() -> None:
    owner = {"name": "Kim"}
    tool = body_tool({"type": "object", "properties": {"owner": {"x-agent-input-parameter": "owner"}}})
    given = context(owner=owner)
    await tool.call({}, given)
    assert given.parameters == {"owner": {"name": "Kim"}}
    assert owner == {"name": "Kim"}


@pytest.mark.timeout(20)
async def test_schemas_composed_twice_of_each_other_are_looked_at_once() -> None:
    schemas: JsonObject = {f"A{at}": {"allOf": [{"$ref": f"#/components/schemas/A{at + 1}"}] * 2} for at in range(12)}
    schemas["A12"] = {"type": "object", "properties": {"x": {"type": "integer", "default": 7}}}
    document = operation(body=json_body({"$ref": "#/components/schemas/A0"}, required=True))
    tool = harness({**document, "components": {"schemas": schemas}})
    assert isinstance(await tool.call({}), Success)
    assert loads(tool.sent.body or b"") == {"x": 7}


@pytest.mark.timeout(20)
async def test_objects_that_require_many_of_themselves_are_refused_before_they_fill_the_memory() -> None:
    names = [f"p{at}" for at in range(50)]
    node: JsonObject = {
        "type": "object",
        "required": names,
        "properties": {
            "x": {"type": "integer", "default": 7},
            **{name: {"$ref": "#/components/schemas/Node"} for name in names},
        },
    }
    document = operation(body=json_body({"$ref": "#/components/schemas/Node"}, required=True))
    tool = harness({**document, "components": {"schemas": {"Node": node}}})
    message = "the values that the description fills in by itself are too many"
    assert await tool.call({}) == Failure("INVALID_ARGUMENTS", message)


def test_sources_that_are_not_understood_are_remarked_wherever_they_stand() -> None:
    unknown: JsonObject = {"type": "string", "x-agent-input-parameter": "$flow.x"}
    document = operation(
        [in_query({"type": "string", "x-ces-session-context": "$context.locale"})],
        json_body({"type": "object", "properties": {"a": {"$ref": "#/components/schemas/A"}, "b": unknown}}),
    )
    tool = harness({**document, "components": {"schemas": {"A": {"items": {**unknown, "x": 1}, "type": "array"}}}}).tool
    assert isinstance(tool, OpenApiTool)
    allowed = "allowed are NAME, $session.params.NAME and $request.payload.NAME"
    paths = (
        "allowed are $context.app_id, $context.location, $context.project_id, $context.project_number, "
        "$context.session_id, $context.variables, $context.variables.NAME"
    )
    assert [(problem.message, problem.is_error) for problem in tool.problems()] == [
        (f"q: x-ces-session-context '$context.locale' is not understood; {paths}", False),
        (f"requestBody: x-agent-input-parameter '$flow.x' is not understood; {allowed}", False),
    ]


@pytest.mark.proves("O10")
@pytest.mark.parametrize(
    ("schema", "query"),
    [
        ({"type": "string", "default": ["a"]}, ""),
        ({"type": "string", "pattern": "^a", "default": "b"}, ""),
        ({"type": "string", "format": "date", "default": "today"}, ""),
        ({"type": "string", "default": ""}, ""),
        ({"type": "integer", "default": 7.0}, "?q=7"),
        ({"$ref": "#/components/schemas/Size"}, "?q=L"),
    ],
)
async def test_only_a_default_that_fits_its_schema_is_sent(schema: JsonObject, query: str) -> None:
    sizes: JsonObject = {"Size": {"type": "string", "enum": ["S", "L"], "default": "L"}}
    tool = harness({**operation([in_query(schema)]), "components": {"schemas": sizes}})
    assert isinstance(await tool.call({}), Success)
    assert tool.sent.url == f"https://api.example/v1/things{query}"


@pytest.mark.proves("O10")
@pytest.mark.parametrize("key", ["oneOf", "anyOf"])
@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"iban": "DE1"}, {"iban": "DE1", "type": "iban"}),
        ({"number": 5}, {"number": 5, "type": "local"}),
        ({"number": 5, "type": "local"}, {"number": 5, "type": "local"}),
    ],
)
async def test_the_defaults_of_the_branch_that_fits_are_filled_in(
    key: str, given: JsonObject, sent: JsonObject
) -> None:
    branches: JsonObject = {
        name: {
            "type": "object",
            "required": [member, "type"],
            "properties": {member: {}, "type": {"type": "string", "enum": [name], "default": name}},
        }
        for name, member in (("iban", "iban"), ("local", "number"))
    }
    tool = body_tool({key: [{"$ref": f"#/components/schemas/{name}"} for name in branches]}, **branches)
    assert isinstance(await tool.call({"requestBody": given}), Success)
    assert sent_body(tool) == sent


async def test_no_branch_is_filled_in_where_several_fit() -> None:
    branches: JsonObject = {
        name: {"type": "object", "properties": {"kind": {"type": "string"}, name: {"default": 1}}}
        for name in ("Cat", "Dog")
    }
    choice: JsonObject = {"oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in branches]}
    tool = body_tool({**choice, "discriminator": {"propertyName": "kind"}}, **branches)
    assert isinstance(await tool.call({"requestBody": {"kind": "Dog"}}), Success)
    assert sent_body(tool) == {"kind": "Dog"}


BASE: JsonObject = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
NESTED: JsonObject = {"type": "object", "properties": {"options": {"properties": {"v": {"default": 1}}}}}
HOLDER: JsonObject = {
    "type": "object",
    "properties": {"data": {"required": ["attributes"], "properties": {"attributes": {}, "type": {"default": "x"}}}},
    "allOf": [{"required": ["data"]}],
}
CHOICE: JsonObject = {"oneOf": [{"type": "object", "required": ["a"], "properties": {"b": {"default": 1}}}]}


@pytest.mark.proves("O10")
@pytest.mark.parametrize(
    ("schema", "is_required"),
    [
        ({"allOf": [{"$ref": "#/components/schemas/Base"}, GREETING]}, True),
        ({"type": "object", "properties": {"a": {"type": "string"}}}, True),
        (CHOICE, True),
        (HOLDER, True),
        (GREETING, False),
        (NESTED, False),
    ],
)
def test_a_required_body_is_asked_for_where_it_cannot_come_about_by_itself(
    schema: JsonObject, is_required: bool
) -> None:
    tool = body_tool(schema, required=True, Base=BASE)
    assert tool.action().input_schema.get("required", []) == (["requestBody"] if is_required else [])


async def test_a_required_body_in_which_nothing_is_needed_may_be_empty() -> None:
    tool = body_tool(NESTED, required=True)
    assert isinstance(await tool.call({}), Success)
    assert sent_body(tool) == {}
