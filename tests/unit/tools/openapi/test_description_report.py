import pytest

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.tools.openapi.description_report import inspect, unreadable
from openplaybook.tools.openapi.tool_settings import ToolSettings
from tests.kit.openapi import description

SET_IT = "set settings.serverUrl to where the service is, or settings.documentUri to where the description is"
GOOD: JsonObject = {"get": {"operationId": "good", "responses": {}}}


def report(paths: JsonObject, **more: object) -> JsonObject:
    return inspect(dumps(description(paths, **more)).decode(), "spec.json")


def test_a_report_lists_the_actions_of_a_document() -> None:
    assert report({"/a": GOOD}) == {
        "document": "spec.json",
        "actions": [
            {
                "name": "good",
                "operationId": "good",
                "method": "GET",
                "path": "/a",
                "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
                "outputSchema": None,
                "problems": [],
            }
        ],
        "problems": [],
    }


@pytest.mark.parametrize(
    ("paths", "more", "problem"),
    [
        (
            {"/a": {"get": {"parameters": [{"$ref": "#/nowhere"}]}}},
            {},
            ("$.paths./a.get.parameters", "#/nowhere does not exist in the document", "error"),
        ),
        (
            {"/a": {"get": {"parameters": [{"in": "query"}]}}},
            {},
            ("$.paths./a.get.parameters", "a parameter has no name", "error"),
        ),
        (
            {"/a": {"get": {"parameters": [{"in": "body", "name": "b"}]}}},
            {},
            ("$.paths./a.get.parameters", "b: in must be one of path, query, header, cookie, not 'body'", "error"),
        ),
        (
            {"/a": {"get": {"parameters": [{"in": "header", "name": "two words", "required": True}]}}},
            {},
            ("$.paths./a.get.parameters", "'two words' is not a header name", "error"),
        ),
        (
            {"/a": {"get": {"parameters": [{"in": "header", "name": "two words"}]}}},
            {},
            (
                "$.paths./a.get.parameters",
                "two words: no header can have this name, so the parameter is ignored",
                "warning",
            ),
        ),
        (
            {"/a": {"get": {"parameters": [{"in": "query", "name": "q", "style": "matrix"}]}}},
            {},
            (
                "$.paths./a.get.parameters",
                "q: style matrix is not allowed in query, so form is used; allowed: form, spaceDelimited, "
                "pipeDelimited, tabDelimited, deepObject",
                "warning",
            ),
        ),
        (
            {"/a": {"get": {"parameters": [{"in": "header", "name": "Host"}]}}},
            {},
            (
                "$.paths./a.get.parameters",
                "Host: the header belongs to the HTTP connection, so the parameter is ignored",
                "warning",
            ),
        ),
        (
            {"/a": {"get": {"parameters": [{"in": "query", "name": "q", "x-agent-input-parameter": "$flow.x"}]}}},
            {},
            (
                "$.paths./a.get.parameters",
                "q: x-agent-input-parameter '$flow.x' is not understood; allowed are NAME, $session.params.NAME and "
                "$request.payload.NAME",
                "warning",
            ),
        ),
        (
            {"/a": GOOD},
            {"servers": [{"url": "ftp://api.example"}]},
            ("$.servers", "the server URL 'ftp://api.example' must start with http:// or https://", "error"),
        ),
        (
            {"/a": GOOD},
            {"servers": [{"url": "/v1"}]},
            ("$.servers", f"the server URL '/v1' is relative; {SET_IT}", "warning"),
        ),
        ({"/a": GOOD}, {"servers": []}, ("$.servers", f"the description names no server; {SET_IT}", "warning")),
        (
            {"/a": GOOD},
            {"servers": [{"url": "https://{host}/"}]},
            (
                "$.servers",
                "the server variable host of https://{host}/ has no default; set settings.serverVariables.host or "
                "settings.serverUrl",
                "warning",
            ),
        ),
        ({"/a": {"get": 5}}, {}, ("$.paths./a.get", "an operation is an object", "warning")),
        ({"/a": {"$ref": "#/no"}}, {}, ("$.paths./a", "#/no does not exist in the document", "warning")),
    ],
)
def test_a_problem_has_its_place(paths: JsonObject, more: JsonObject, problem: tuple[str, str, str]) -> None:
    found = report(paths, **more)["problems"]
    assert problem in [(each["path"], each["message"], each["severity"]) for each in found]


@pytest.mark.parametrize(
    ("document", "line", "severity"),
    [
        ("openapi: 3.0.3\npaths: {}", 2, "warning"),
        ("openapi: 3.1.0\ncomponents: {}", None, "warning"),
        ("openapi: 3.0.3", None, "error"),
        ("swagger: '2.0'\npaths: []", 2, "error"),
    ],
)
def test_a_document_may_have_no_operations_and_has_to_have_paths(
    document: str, line: int | None, severity: str
) -> None:
    assert inspect(document, "spec.yaml")["problems"] == [
        {"path": "$.paths", "line": line, "message": "the description has no operations", "severity": severity}
    ]


@pytest.mark.proves("O11")
def test_where_the_service_is_may_be_left_to_the_settings() -> None:
    documents = dumps(description({"/a": GOOD}, servers=[])).decode()
    (action,) = inspect(documents, "spec.json")["actions"]
    assert (action["inputSchema"] is None, len(action["problems"])) == (False, 1)
    assert inspect(documents, "spec.json", ToolSettings(server_url="https://api.example"))["problems"] == []


def test_an_operation_with_an_error_has_no_schema() -> None:
    (action,) = report({"/a": {"get": {"parameters": [{"$ref": "#/nowhere"}]}}})["actions"]
    assert (action["name"], action["inputSchema"], len(action["problems"])) == ("get_a", None, 1)


@pytest.mark.parametrize("schema", [{"items": {"$ref": "#/gone"}}, {"$ref": "#/gone"}])
def test_a_schema_that_leads_nowhere_takes_any_value_and_is_told(schema: JsonValue) -> None:
    body: JsonObject = {"content": {"application/json": {"schema": schema}}}
    (action,) = report({"/a": {"post": {"requestBody": body}}})["actions"]
    message = "#/gone does not exist in the document; any value is taken in its place"
    assert [(each["path"], each["message"], each["severity"]) for each in action["problems"]] == [
        ("$.paths./a.post", message, "warning")
    ]
    assert "requestBody" in action["inputSchema"]["properties"]


def test_a_text_that_is_no_description_is_refused_and_can_be_reported() -> None:
    with pytest.raises(UnreadableDocument) as caught:
        inspect("openapi: 3.0.0\npaths: [", "spec.yaml")
    found = unreadable(caught.value, "spec.yaml")
    assert (found["document"], found["actions"]) == ("spec.yaml", [])
    assert [(each["path"], each["line"], each["severity"]) for each in found["problems"]] == [("$", 3, "error")]


def test_what_concerns_the_whole_document_is_told_once_in_all_and_at_every_operation() -> None:
    found = report({"/a": GOOD, "/b": GOOD}, servers=[{"url": "/v1"}])
    assert [problem["path"] for problem in found["problems"]] == ["$.servers"]
    assert [len(action["problems"]) for action in found["actions"]] == [1, 1]


@pytest.mark.parametrize("count", [500, 501])
def test_an_operation_has_a_bounded_number_of_parameters(count: int) -> None:
    parameters: list[JsonObject] = [{"in": "query", "name": f"p{n}"} for n in range(count)]
    (action,) = report({"/a": {"get": {"parameters": parameters}}})["actions"]
    told = [problem["message"] for problem in action["problems"]]
    assert told == ([] if count == 500 else ["there are more than 500 parameters"])


@pytest.mark.parametrize(
    "schema", [{"default": {"$ref": "#/no"}}, {"anyOf": [{"const": {"$ref": "#"}}, {"type": "null"}]}]
)
def test_values_that_look_like_references_are_values(schema: JsonValue) -> None:
    body: JsonObject = {"required": True, "content": {"application/json": {"schema": schema}}}
    (action,) = report({"/a": {"post": {"requestBody": body}}})["actions"]
    assert (action["inputSchema"]["properties"]["requestBody"], action["problems"]) == (schema, [])


def test_a_parameter_whose_name_is_no_text_is_none_of_the_paths() -> None:
    parameter: JsonObject = {"name": ["id"], "in": "path", "required": True, "schema": {}}
    (action,) = report({"/a/{id}": {"get": {"parameters": [parameter]}}})["actions"]
    assert action["inputSchema"]["properties"] == {"id": {"type": "string"}}


def test_what_only_looks_like_a_reference_is_none() -> None:
    odd: JsonObject = {"$ref": "#/components/schemas/Pet", "title": {"$ref": "#"}, "default": {"$ref": "#"}}
    operation: JsonObject = {
        "operationId": "add",
        "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"pet": odd}}}}},
        "responses": {},
    }
    found = report({"/a": {"post": operation}}, components={"schemas": {"Pet": {"type": "object"}}})

    assert "$ref': '#'}, 'title" not in str(found["actions"])
    assert [action["problems"] for action in found["actions"]] == [[]]
