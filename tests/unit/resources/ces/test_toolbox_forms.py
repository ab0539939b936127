import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.ces.toolbox_forms import (
    ces_path,
    display_name_of,
    toolbox_documents,
    toolbox_resource,
    toolset_resource,
)

NAME = "projects/p/locations/l/apps/a/tools/t"
TOOLSET = "projects/p/locations/l/apps/a/toolsets/pets"
API = 'openapi: 3.0.0\npaths:\n  /a:\n    get:\n      operationId: getA\n    post: {"operationId": "make-B"}\n'


def of(**document: object) -> JsonObject | None:
    return toolbox_resource({"name": NAME, **document})


def test_a_clients_function_has_json_schemas_and_its_inner_name() -> None:
    message = {
        "name": "get_weather",
        "description": "Tells the weather.",
        "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city"]},
        "response": {"properties": {"degrees": {"type": "NUMBER"}}},
    }
    assert of(clientFunction=message, displayName="old", timeout="5s") == {
        "name": NAME,
        "displayName": "get_weather",
        "description": "Tells the weather.",
        "timeout": "5s",
        "functionSpec": {
            "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
            "outputSchema": {"type": "object", "properties": {"degrees": {"type": "number"}}},
        },
    }


@pytest.mark.parametrize(
    ("name", "selection"),
    [
        ("getA", {"operationIds": ["getA"], "maxOperations": 1}),
        ("make_B", {"operationIds": [], "maxOperations": 1}),
        ("make-B", {"operationIds": ["make-B"], "maxOperations": 1}),
        ("my_tool", {"maxOperations": 1}),
        ("", {"maxOperations": 1}),
    ],
)
def test_an_openapi_tool_is_one_operation(name: str, selection: JsonObject) -> None:
    resource = of(openApiTool={"openApiSchema": API, **({"name": name} if name else {})})
    assert resource is not None
    wanted = selection if selection.get("operationIds") != [] else {"maxOperations": 1}
    assert resource["openApiSpec"] == {"textSchema": API, "settings": {"operationSelection": wanted}}


def test_an_openapi_toolset_keeps_connection_and_settings() -> None:
    certificates = {"caCerts": [{"displayName": "own", "cert": "AAAA"}]}
    service = {"service": "projects/p/locations/l/namespaces/n/services/s"}
    message = {
        "openApiSchema": API,
        "url": "https://api.example.com",
        "ignoreUnknownFields": True,
        "tlsConfig": certificates,
        "serviceDirectoryConfig": service,
        "apiAuthentication": {"bearerTokenConfig": {"token": "$context.variables.token"}},
    }
    document = {"name": TOOLSET, "displayName": "pets", "description": "Pets.", "openApiToolset": message}
    fakes = {"enableFakeMode": True, "codeBlock": {"pythonCode": "x"}}
    assert toolset_resource({**document, "timeout": "9s", "toolFakeConfig": fakes}) == {
        "name": TOOLSET,
        "displayName": "pets",
        "description": "Pets.",
        "toolFakeConfig": fakes,
        "timeout": "9s",
        "openApiSpec": {
            "textSchema": API,
            "authentication": {"bearerTokenConfig": {"token": "$session.params.token"}},
            "tlsConfig": certificates,
            "serviceDirectoryConfig": service,
            "ignoreUnknownFields": True,
            "settings": {"serverUrl": "https://api.example.com", "totalTimeout": "9s"},
        },
    }


def test_the_url_takes_the_place_of_its_placeholder() -> None:
    document = {"name": TOOLSET, "openApiToolset": {"openApiSchema": "servers: [{url: $env_var}]", "url": "https://x"}}
    assert toolset_resource(document)["openApiSpec"] == {"textSchema": "servers: [{url: https://x}]"}


@pytest.mark.parametrize("kind", ["pythonFunction", "dataStoreTool", "connectorTool", "widgetTool", "remoteAgentTool"])
def test_what_only_apps_have_keeps_its_own_message(kind: str) -> None:
    message = {"name": "t", "description": "Does t.", "other": 1}
    assert of(**{kind: message}) == {"name": NAME, "displayName": "t", "description": "Does t.", kind: message}


@pytest.mark.parametrize("kind", ["mcpToolset", "connectorToolset"])
def test_toolsets_that_only_apps_have_keep_their_own_message(kind: str) -> None:
    resource = toolset_resource({"name": TOOLSET, kind: {"a": 1}})
    assert resource == {"name": TOOLSET, "displayName": "pets", "description": "", kind: {"a": 1}}


@pytest.mark.parametrize("kind", ["systemTool", "agentTool"])
def test_what_the_engine_does_is_not_the_toolboxs(kind: str) -> None:
    assert of(**{kind: {"name": "t"}}) is None


def test_tools_and_toolsets_are_translated_together_by_name() -> None:
    system = f"{NAME}-system"
    resources: dict[str, JsonObject] = {
        TOOLSET: {"name": TOOLSET, "mcpToolset": {"a": 1}},
        system: {"name": system, "systemTool": {"name": "end_session"}},
        NAME: {"name": NAME, "pythonFunction": {"name": "f"}},
    }
    found = toolbox_documents(resources)
    assert found == {TOOLSET: toolset_resource(resources[TOOLSET]), NAME: of(pythonFunction={"name": "f"})}


@pytest.mark.parametrize(
    ("document", "called"),
    [
        ({"clientFunction": {"name": "f"}, "displayName": "old"}, "f"),
        ({"openApiTool": {"openApiSchema": API}}, "getA"),
        ({"pythonFunction": {"pythonCode": "import x\n\nasync def act(a):\n  pass\ndef b(): pass"}}, "act"),
        ({"pythonFunction": {}, "displayName": "shown"}, "shown"),
        ({"pythonFunction": {}}, "t"),
    ],
)
def test_a_tools_display_name_is_that_of_what_is_within(document: JsonObject, called: str) -> None:
    assert display_name_of({"name": NAME, **document}) == called


def test_places_of_problems_are_named_as_the_app_has_them() -> None:
    tool: JsonObject = {"openApiTool": {}}
    assert ces_path(tool, "$.openApiSpec.authentication.apiKeyConfig") == "$.openApiTool.apiAuthentication.apiKeyConfig"
    assert ces_path(tool, "$.openApiSpec.tlsConfig.caCerts[0]") == "$.openApiTool.tlsConfig.caCerts[0]"
    assert ces_path({"clientFunction": {}}, "$.functionSpec.inputSchema.type") == "$.clientFunction.parameters.type"
    assert ces_path(tool, "$.paths./pets") == "$.paths./pets"
