import json

import pytest

from openplaybook.documents.yaml_text import parse_yaml
from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.conversion.tool_converter import convert_tools
from openplaybook.packages.report import NoteKind, Notes
from openplaybook.tools.openapi.app_authentication import ces_authentication
from openplaybook.tools.openapi.session_context import with_session_context
from tests.unit.packages.conversion.building import APP, tool

ONE = "openapi: 3.0.0\npaths:\n  /pets:\n    get: {operationId: listPets}\n"
TWO = ONE + "    post: {operationId: addPet}\n"


def test_a_description_of_one_operation_is_a_tool_and_of_several_a_toolset() -> None:
    notes = Notes()
    one, two = tool("One", openApiSpec={"textSchema": ONE}), tool("My Pets", openApiSpec={"textSchema": TWO})
    done = convert_tools([one, two], notes)
    assert done.tools == [
        {
            "name": f"{APP}/tools/One",
            "displayName": "One",
            "openApiTool": {"name": "One", "description": "The One.", "openApiSchema": ONE},
        }
    ]
    assert done.toolsets == [
        {
            "name": f"{APP}/toolsets/My_Pets",
            "displayName": "My_Pets",
            "description": "The My Pets.",
            "openApiToolset": {"openApiSchema": TWO},
        }
    ]
    target = done.targets[two["name"]]
    assert (target.names, target.called, target.toolset) == (
        (f"{APP}/toolsets/My_Pets",),
        ("My_Pets_listPets", "My_Pets_addPet"),
        True,
    )
    assert [note.message for note in notes.report().notes] == [
        "is called My_Pets now, as tools of CX Agent Studio have names of functions"
    ]


def test_settings_of_a_description_go_where_an_app_has_them_and_others_are_told() -> None:
    notes = Notes()
    spec = {
        "textSchema": ONE,
        "authentication": {"serviceAgentAuthConfig": {"serviceAgentAuth": "ID_TOKEN"}},
        "tlsConfig": {"caCerts": [{"displayName": "c", "cert": "YQ=="}]},
        "ignoreUnknownFields": True,
        "securitySchemeAuthentications": [{"scheme": "s"}],
        "settings": {"serverUrl": "https://a", "totalTimeout": "20s", "readTimeout": "5s"},
    }
    [made] = convert_tools([tool("One", openApiSpec=spec)], notes).tools
    assert made["timeout"] == "20s"
    assert made["openApiTool"] == {
        "name": "One",
        "description": "The One.",
        "openApiSchema": ONE,
        "apiAuthentication": {"serviceAgentIdTokenAuthConfig": {}},
        "tlsConfig": spec["tlsConfig"],
        "ignoreUnknownFields": True,
        "url": "https://a",
    }
    assert [note.message for note in notes.report().notes] == [
        "what CX Agent Studio does not have: securitySchemeAuthentications, settings.readTimeout"
    ]


def test_names_of_tools_stay_apart() -> None:
    spec: JsonObject = {"inputSchema": {}}
    done = convert_tools([tool(name, functionSpec=spec) for name in ("a b", "a-b", "1")], Notes())
    assert [each["displayName"] for each in done.tools] == ["a_b", "a_b_2", "_1"]


def test_what_a_schema_cannot_say_is_told() -> None:
    notes = Notes()
    schema = {"type": "object", "properties": {"id": {"type": "string", "pattern": "x", "minLength": 2}}}
    done = convert_tools([tool("f", functionSpec={"inputSchema": schema})], notes)
    assert done.tools[0]["clientFunction"]["parameters"] == {
        "type": "OBJECT",
        "properties": {"id": {"type": "STRING"}},
    }
    assert [(note.kind, note.place, note.message) for note in notes.report().notes] == [
        (
            NoteKind.CHANGED,
            "tools/f inputSchema",
            "CX Agent Studio has no minLength, pattern in schemas: any value is allowed there",
        )
    ]


def test_each_data_store_and_each_action_of_a_connector_is_a_tool() -> None:
    stores = [{"dataStore": "projects/p/dataStores/a", "dataStoreType": "UNSTRUCTURED"}, {"dataStore": "b"}]
    connector = {"name": "c", "actions": [{"connectionActionId": "x"}, {"entityOperation": {"entityId": "e"}}]}
    done = convert_tools(
        [tool("docs", dataStoreSpec={"dataStoreConnections": stores}), tool("crm", connectorSpec=connector)], Notes()
    )
    assert [(each["displayName"], *each.keys() & {"dataStoreTool", "connectorTool"}) for each in done.tools] == [
        ("docs", "dataStoreTool"),
        ("docs_2", "dataStoreTool"),
        ("crm", "connectorTool"),
        ("crm_2", "connectorTool"),
    ]
    assert done.tools[0]["dataStoreTool"]["dataStoreSource"] == {"dataStore": {"name": "projects/p/dataStores/a"}}
    assert done.tools[3]["connectorTool"] == {
        "name": "crm_2",
        "connection": "c",
        "action": {"entityOperation": {"entityId": "e"}},
    }


def test_an_end_users_credential_comes_from_variables_and_never_becomes_the_connections_own() -> None:
    notes = Notes()
    users = {"userPasswordConfig": {"username": "$session.params.user", "password": "hush"}}
    connector = {"name": "c", "actions": [{"connectionActionId": "x"}], "endUserAuthConfig": users}
    done = convert_tools([tool("crm", connectorSpec=connector)], notes)
    assert done.tools[0]["connectorTool"]["authConfig"] == {
        "userPasswordConfig": {
            "username": "$context.variables.user",
            "password": "$context.variables.crm_password",
        }
    }
    assert done.variables == ["user", "crm_password"]
    [note] = notes.report().notes
    assert (note.kind, note.place) == (NoteKind.MISSING_SECRET, "tools/crm")
    assert "crm_password" in note.remedy
    assert "hush" not in str(notes.report())


def test_a_tool_of_another_kind_is_left_out() -> None:
    notes = Notes()
    done = convert_tools([tool("e", extensionSpec={"name": "x"})], notes)
    assert (done.tools, done.targets) == ([], {})
    assert [note.kind for note in notes.report().notes] == [NoteKind.LEFT_OUT]


def test_values_from_the_session_are_named_at_parameters_and_properties() -> None:
    text = """\
openapi: 3.0.0  # a comment
paths:
  /a/{id}:
    post:
      operationId: act
      parameters:
      - {name: id, in: path, schema: {$ref: "@dialogflow/sessionId"}}
      - {name: who, in: query, schema: {type: string, x-agent-input-parameter: user}}
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                token: {type: string, x-agent-input-parameter: token}
                session: {type: string, format: "@dialogflow/sessionId"}
"""
    description = with_session_context(text)
    assert (description.operations, description.variables) == (("act",), ("user", "token"))
    assert description.is_rewritten
    assert "@dialogflow" not in description.text
    assert "x-agent-input-parameter" not in description.text
    as_json = with_session_context(json.dumps(_parsed(text)))
    operation = json.loads(as_json.text)["paths"]["/a/{id}"]["post"]
    assert operation["parameters"] == [
        {"name": "id", "in": "path", "schema": {"type": "string"}, "x-ces-session-context": "$context.session_id"},
        {
            "name": "who",
            "in": "query",
            "schema": {"type": "string"},
            "x-ces-session-context": "$context.variables.user",
        },
    ]
    assert operation["requestBody"]["content"]["application/json"]["schema"]["properties"] == {
        "token": {"type": "string", "x-ces-session-context": "$context.variables.token"},
        "session": {"type": "string", "x-ces-session-context": "$context.session_id"},
    }
    assert _parsed(description.text) == json.loads(as_json.text)


def _parsed(text: str) -> JsonObject:
    return parse_yaml(text)


def test_a_description_without_such_values_stays_byte_for_byte_and_a_broken_one_too() -> None:
    assert with_session_context(ONE + "# end\n").text == ONE + "# end\n"
    broken = with_session_context("a: [")
    assert (broken.text, broken.operations) == ("a: [", ())
    assert broken.error


@pytest.mark.parametrize(
    ("authentication", "expected", "kinds"),
    [
        ({}, {}, []),
        (
            {"apiKeyConfig": {"keyName": "k", "requestLocation": "HEADER", "secretVersionForApiKey": "v"}},
            {"apiKeyConfig": {"keyName": "k", "requestLocation": "HEADER", "apiKeySecretVersion": "v"}},
            [],
        ),
        (
            {"apiKeyConfig": {"keyName": "k", "apiKey": "raw"}},
            {"apiKeyConfig": {"keyName": "k"}},
            [NoteKind.MISSING_SECRET],
        ),
        (
            {"oauthConfig": {"clientId": "c", "tokenEndpoint": "t", "secretVersionForClientSecret": "v"}},
            {"oauthConfig": {"clientId": "c", "tokenEndpoint": "t", "clientSecretVersion": "v"}},
            [],
        ),
        ({"oauthConfig": {"clientId": "c"}}, {"oauthConfig": {"clientId": "c"}}, [NoteKind.MISSING_SECRET]),
        ({"serviceAgentAuthConfig": {"serviceAgentAuth": "ID_TOKEN"}}, {"serviceAgentIdTokenAuthConfig": {}}, []),
        (
            {"serviceAgentAuthConfig": {"serviceAgentAuth": "ACCESS_TOKEN"}},
            {"serviceAgentIdTokenAuthConfig": {}},
            [NoteKind.CHANGED],
        ),
        (
            {"bearerTokenConfig": {"token": "$session.params.t"}},
            {"bearerTokenConfig": {"token": "$context.variables.t"}},
            [],
        ),
        (
            {"bearerTokenConfig": {"token": "raw"}},
            {"bearerTokenConfig": {"token": "$context.variables.x_token"}},
            [NoteKind.MISSING_SECRET],
        ),
        (
            {"serviceAccountAuthConfig": {"serviceAccount": "a", "scopes": ["s"]}},
            {"serviceAccountAuthConfig": {"serviceAccount": "a", "scopes": ["s"]}},
            [],
        ),
        ({"basicAuthConfig": {"username": "u"}}, {}, [NoteKind.LEFT_OUT]),
    ],
)
def test_authentications_keep_what_an_app_can_say(
    authentication: JsonObject, expected: JsonObject, kinds: list[NoteKind]
) -> None:
    notes = Notes()
    converted = ces_authentication(authentication, "x", "tools/x", notes)
    assert converted.authentication == expected
    assert [note.kind for note in notes.report().notes] == kinds
    assert "raw" not in str(notes.report())
