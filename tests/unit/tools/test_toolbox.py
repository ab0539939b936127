import base64

import pytest
import trustme

from openplaybook.jsonvalues import PIECE, JsonObject, JsonValue, dumps
from openplaybook.resources.ces.toolbox_forms import toolset_resource
from openplaybook.tools.base import (
    NO_AGENT,
    Action,
    AgentScope,
    Call,
    ExecutionPlace,
    Failure,
    InvalidTool,
    Problem,
    ToolContext,
)
from openplaybook.tools.toolbox import Toolbox, fingerprint_of
from tests.kit.openapi import Remembering, description, harness, operation, resource

NAME = "projects/p/locations/global/agents/a/tools/t"


def tool(**spec: object) -> JsonObject:
    return {"name": NAME, "displayName": "my tool", "description": "d", **spec}


def box() -> Toolbox:
    return Toolbox(Remembering())


def errors(document: JsonObject) -> list[tuple[str, str]]:
    return [(problem.path, problem.message) for problem in box().check(document) if problem.is_error]


SCHEMA: JsonObject = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
FUNCTION = tool(functionSpec={"inputSchema": SCHEMA, "outputSchema": SCHEMA})


@pytest.mark.proves("F1")
def test_a_function_is_one_action_of_the_client_named_like_its_tool() -> None:
    (action,) = box().build(FUNCTION).actions()
    assert action == Action("my_tool", "my tool", NAME, "my tool", "d", SCHEMA, place=ExecutionPlace.CLIENT)
    assert action.output_schema == SCHEMA


@pytest.mark.proves("F1")
async def test_a_function_is_never_run_by_the_server() -> None:
    built = box().build(FUNCTION)
    outcome = await built.invoke(Call("c", built.actions()[0], {"city": "Paris"}), ToolContext("s"))
    assert isinstance(outcome, Failure)
    assert outcome.code == "CLIENT_SIDE"


async def test_a_functions_result_is_checked_against_its_output_schema() -> None:
    built = box().build(FUNCTION)
    action = built.actions()[0]
    assert await built.check_result(action, {"city": "Paris"}) == ()
    assert await built.check_result(action, {"city": 5}) == ("city must be string, got 5",)
    assert await box().build(tool(functionSpec={})).check_result(action, {"any": 1}) == ()


def test_a_function_without_schemas_takes_nothing() -> None:
    (action,) = box().build(tool(functionSpec={})).actions()
    assert (action.input_schema, action.output_schema) == ({"type": "object", "properties": {}}, None)


@pytest.mark.parametrize("kind", ["OBJECT", None])
def test_a_function_schema_may_be_spelled_in_googles_ways(kind: str | None) -> None:
    schema: JsonObject = {"properties": {"city": {"type": "STRING", "nullable": True}}}
    if kind is not None:
        schema["type"] = kind
    (action,) = box().build(tool(functionSpec={"inputSchema": schema})).actions()
    assert action.input_schema == {"type": "object", "properties": {"city": {"type": ["string", "null"]}}}


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ({"inputSchema": {"type": "string"}}, "$.functionSpec.inputSchema.type"),
        ({"outputSchema": {"type": "array"}}, "$.functionSpec.outputSchema.type"),
        ({"inputSchema": "text"}, "$.functionSpec.inputSchema"),
        (
            {"inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/definitions/A"}}}},
            "$.functionSpec.inputSchema",
        ),
        ({"inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}}}, "$.functionSpec.inputSchema"),
    ],
)
def test_a_function_schema_that_is_none_is_refused_with_its_path(spec: JsonObject, path: str) -> None:
    assert [where for where, _ in errors(tool(functionSpec=spec))] == [path]
    with pytest.raises(InvalidTool, match=r"\$\.functionSpec"):
        box().build(tool(functionSpec=spec))


CONNECTION: JsonObject = {"dataStoreType": "UNSTRUCTURED", "dataStore": "projects/p/locations/l/dataStores/d"}
DATA_STORE = tool(dataStoreSpec={"dataStoreConnections": [CONNECTION]})
ENTITY: JsonObject = {"entityId": "Account", "operation": "GET"}
CONNECTOR_NAME = "projects/p/locations/l/connections/c"


async def test_a_data_store_tool_declares_its_one_action_and_is_refused_where_nothing_is_searched() -> None:
    built = box().build(DATA_STORE)
    (action,) = built.actions()
    assert (action.name, action.action, action.place) == ("my_tool", "my tool", ExecutionPlace.SERVER)
    body = action.input_schema["properties"]["requestBody"]
    assert (list(body["properties"]), body["required"]) == (["query", "filter", "userMetadata", "fallback"], ["query"])
    outcome = await built.invoke(Call("c", action, {"requestBody": {"query": "q"}}), ToolContext("s"))
    assert isinstance(outcome, Failure)
    assert (outcome.code, built.fault()) == ("DATA_STORES_UNAVAILABLE", "data store tools are not run")
    assert await built.check_result(action, {"200": {"answer": 5}}) == ("200.answer must be string, got 5",)
    assert await built.check_result(action, {"answer": 5}) == ("answer must be string, got 5",)


@pytest.mark.parametrize(
    ("spec", "paths"),
    [
        ({"dataStoreSpec": {}}, ["$.dataStoreSpec.dataStoreConnections"]),
        (
            {"dataStoreSpec": {"dataStoreConnections": [CONNECTION, CONNECTION]}},
            ["$.dataStoreSpec.dataStoreConnections[1].dataStoreType"],
        ),
        (
            {"dataStoreSpec": {"dataStoreConnections": [{"dataStoreType": "TABLE"}]}},
            [
                "$.dataStoreSpec.dataStoreConnections[0].dataStoreType",
                "$.dataStoreSpec.dataStoreConnections[0].dataStore",
            ],
        ),
        ({"connectorSpec": {}}, ["$.connectorSpec.name", "$.connectorSpec.actions"]),
        ({"connectorSpec": {"name": CONNECTOR_NAME, "actions": [{}]}}, ["$.connectorSpec.actions[0]"]),
        (
            {"connectorSpec": {"name": CONNECTOR_NAME, "actions": [{"entityOperation": {"operation": "DROP"}}]}},
            [
                "$.connectorSpec.actions[0].entityOperation.entityId",
                "$.connectorSpec.actions[0].entityOperation.operation",
            ],
        ),
        ({"extensionSpec": {}}, ["$.extensionSpec.name"]),
        ({}, ["$"]),
        ({"functionSpec": {}, "extensionSpec": {}}, ["$"]),
        ({"openApiSpec": {}}, ["$.openApiSpec.textSchema"]),
        ({"openApiSpec": {"textSchema": "openapi: 3.0.0\npaths: {}"}}, ["$.paths"]),
        ({"functionSpec": {}, "displayName": ""}, ["$.displayName"]),
    ],
)
def test_a_tool_that_is_not_well_formed_is_refused_with_its_paths(spec: JsonObject, paths: list[str]) -> None:
    assert [path for path, _ in errors(tool(**spec))] == paths


@pytest.mark.parametrize(
    "spec",
    [
        {"extensionSpec": {"name": "projects/p/locations/l/extensions/e"}},
    ],
)
def test_other_kinds_are_kept_without_actions(spec: JsonObject) -> None:
    assert box().check(tool(**spec)) == ()
    assert box().build(tool(**spec)).actions() == ()


def test_a_syntax_error_is_reported_with_its_line() -> None:
    (problem,) = box().check(resource("openapi: 3.0.0\npaths: ["))
    assert (problem.path, problem.line, problem.is_error) == ("$.openApiSpec.textSchema", 3, True)


def test_a_description_without_operations_is_refused() -> None:
    (problem,) = box().check(resource("swagger: '2.0'"))
    assert problem == Problem("$.paths", "the description has no operations")


def test_a_broken_operation_is_a_remark_while_others_work_and_an_error_when_none_does() -> None:
    broken: JsonObject = {"get": {"operationId": "bad", "parameters": [{"$ref": "#/nowhere"}]}}
    remarks = box().check(resource(description({"/a": broken, "/b": {"get": {"operationId": "good"}}})))
    message = "#/nowhere does not exist in the document"
    assert remarks == [Problem("$.paths./a.get.parameters", message, 1, is_error=False)]
    assert errors(resource(description({"/a": broken}))) == [
        ("$.openApiSpec.textSchema", "none of the description's operations can be called"),
        ("$.paths./a.get.parameters", message),
    ]


def test_a_description_without_a_server_says_which_setting_is_missing() -> None:
    (remark,) = box().check(resource({**operation(), "servers": []}))
    assert (remark.path, remark.message, remark.is_error) == (
        "$.servers",
        "the description names no server; set settings.serverUrl to where the service is, or settings.documentUri to "
        "where the description is",
        False,
    )


def test_of_many_reasons_why_nothing_can_be_called_the_first_are_told() -> None:
    paths: JsonObject = {f"/{number}": {"get": {"parameters": [{"$ref": "#/nowhere"}]}} for number in range(9)}
    first, *reasons = errors(resource(description(paths)))
    assert first[1] == "none of the description's operations can be called (the first 5 of 9 reasons follow)"
    assert [path for path, _ in reasons] == [f"$.paths./{number}.get.parameters" for number in range(5)]


def test_a_setting_that_selects_nothing_is_the_only_thing_told() -> None:
    settings: JsonObject = {"operationSelection": {"operationIds": ["axt"]}}
    assert errors(resource(operation(), settings=settings)) == [
        (
            "$.openApiSpec.settings.operationSelection.operationIds",
            "the description has no operation 'axt'; did you mean act?",
        )
    ]


SECURED: JsonObject = {
    **operation(),
    "components": {
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X"}, "tls": {"type": "mutualTLS"}}
    },
}


@pytest.mark.parametrize(
    ("security", "told"),
    [
        ([{"key": []}], ["key"]),
        ([{"tls": [], "key": []}, {"login": []}], ["key or login"]),
        ([{"key": []}, {}], []),
        ([{"tls": []}], []),
        ([], []),
    ],
)
def test_a_description_that_asks_for_a_credential_the_tool_lacks_is_a_remark(
    security: JsonValue, told: list[str]
) -> None:
    remarks = box().check(resource({**SECURED, "security": security}))
    assert remarks == [
        Problem(
            "$.security",
            f"calls go out without a credential, though the description asks for {wanted}: "
            "set authentication or securitySchemeAuthentications",
            1,
            is_error=False,
        )
        for wanted in told
    ]
    bearer: JsonObject = {"bearerTokenConfig": {"token": "t"}}
    assert box().check(resource({**SECURED, "security": security}, authentication=bearer)) == []


def test_an_authentication_that_is_not_well_formed_is_reported_with_its_path() -> None:
    document = resource(operation(), authentication={"apiKeyConfig": {}})
    assert errors(document) == [
        ("$.openApiSpec.authentication.apiKeyConfig.keyName", "is required (the header or query parameter to send)")
    ]


@pytest.mark.parametrize("cert", ["%%%", base64.b64encode(b"no certificate").decode(), ""])
def test_a_certificate_that_cannot_be_read_is_reported_with_its_path(cert: str) -> None:
    document = resource(operation(), tlsConfig={"caCerts": [{"displayName": "x", "cert": cert}]})
    assert [path for path, _ in errors(document)] == ["$.openApiSpec.tlsConfig.caCerts[0].cert"]


async def test_a_tools_own_certificates_go_with_its_requests() -> None:
    pem = trustme.CA().cert_pem.bytes()
    tool = harness(operation(), tlsConfig={"caCerts": [{"cert": base64.b64encode(pem).decode()}]})
    await tool.call({})
    assert tool.sent.ca_certificates == (pem,)


def test_a_remark_that_holds_in_many_places_is_told_once() -> None:
    ignored: JsonObject = {"in": "header", "name": "Accept", "schema": {"type": "string"}}
    paths: JsonObject = {f"/{number}": {"get": {"parameters": [ignored]}} for number in range(4)}
    (remark,) = box().check(resource(description(paths)))
    assert (remark.path, remark.is_error) == ("$.paths./0.get.parameters", False)
    assert remark.message.startswith("Accept: ")
    assert remark.message.endswith(" (and so in 3 more places)")


def test_more_operations_than_models_take_are_a_remark_until_some_are_selected() -> None:
    document = description({f"/{number}": {"get": {"operationId": f"get{number}"}} for number in range(129)})
    (remark,) = box().check(resource(document))
    assert (remark.path, remark.is_error) == ("$.openApiSpec.settings.operationSelection", False)
    assert remark.message.startswith("offers 129 operations to the model; many models take 128 functions at most")
    settings: JsonObject = {"operationSelection": {"maxOperations": 128}}
    assert box().check(resource(document, settings=settings)) == []


ODD = operation([{"name": "petID", "in": "path", "required": True, "schema": {"type": "intger"}}], path="/pets/{petId}")


def test_what_is_odd_about_a_description_is_told_as_remarks_with_lines_and_the_tool_can_be_used() -> None:
    text = dumps(ODD).decode().replace('"parameters"', '\n"parameters"')
    remarks = box().check(resource(text))
    parameter = "$.paths./pets/{petId}.get.parameters[0]"
    assert [(each.path, each.line, each.is_error) for each in remarks] == [
        (parameter, 2, False),
        (f"{parameter}.schema.type", 2, False),
    ]
    assert [action.name for action in box().build(resource(text)).actions()] == ["act"]


def test_a_toolset_of_cx_agent_studio_is_told_the_same() -> None:
    name = "projects/p/locations/us/apps/a/toolsets/t"
    toolset = toolset_resource({"name": name, "openApiToolset": {"openApiSchema": dumps(ODD).decode()}})
    assert [remark.message for remark in box().check(toolset)] == [
        remark.message for remark in box().check(resource(ODD))
    ]


def test_reasons_why_nothing_can_be_called_are_not_mixed_with_what_is_odd() -> None:
    broken: JsonObject = {**ODD, "paths": {"/a": {"get": {"parameters": [{"in": "query"}]}}}}
    broken["components"] = {"schemas": {"Pet": {"type": "intger"}}}
    assert [message for _, message in errors(resource(broken))] == [
        "none of the description's operations can be called",
        "a parameter has no name",
    ]


LONG = "é" * (PIECE + 1)
ORDERED: JsonObject = {"type": "object", "properties": {"a": {}, "b": {}}}
FINGERPRINTED: JsonObject = {
    "name": "t",
    "displayName": "pets",
    "functionSpec": {"inputSchema": ORDERED, "outputSchema": {}},
}


def openapi(text: str, **more: object) -> JsonObject:
    return {"name": "t", "displayName": "pets", "openApiSpec": {"textSchema": text, **more}}


def is_same(one: JsonObject, other: JsonObject) -> bool:
    return fingerprint_of(one, NO_AGENT) == fingerprint_of(other, NO_AGENT)


def test_fields_may_be_in_any_order() -> None:
    spec = FINGERPRINTED["functionSpec"]
    assert is_same(
        FINGERPRINTED, {**dict(reversed(FINGERPRINTED.items())), "functionSpec": dict(reversed(spec.items()))}
    )


def test_the_order_of_a_schemas_properties_counts() -> None:
    turned = {**ORDERED, "properties": {"b": {}, "a": {}}}
    assert not is_same(
        FINGERPRINTED, {**FINGERPRINTED, "functionSpec": {**FINGERPRINTED["functionSpec"], "inputSchema": turned}}
    )


@pytest.mark.parametrize("field", ["name", "displayName", "description", "toolFakeConfig", "timeout"])
def test_every_field_counts(field: str) -> None:
    assert not is_same(FINGERPRINTED, {**FINGERPRINTED, field: "another"})


@pytest.mark.parametrize("text", ["openapi: 3.0.3", LONG])
def test_the_text_and_what_is_beside_it_count(text: str) -> None:
    tool = openapi(text)
    assert is_same(tool, openapi(text))
    others = (openapi(f"{text} "), openapi(text[:-1]), openapi(text, ignoreUnknownFields=True), openapi(""))
    assert [is_same(tool, other) for other in others] == [False] * 4


def test_the_scope_counts() -> None:
    scope = AgentScope({"sslCertificate": "x"})
    for tool in (FINGERPRINTED, openapi(LONG)):
        assert fingerprint_of(tool, scope) != fingerprint_of(tool, NO_AGENT)


def test_the_size_is_that_of_the_resource() -> None:
    assert fingerprint_of(openapi("x" * 10 * PIECE), NO_AGENT).size in range(10 * PIECE, 11 * PIECE)
