import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.tools.openapi.document import UnreadableDocument
from openplaybook.tools.openapi.inspect import inspect, unreadable
from tests.kit.openapi import description

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
            {"/a": {"get": {"parameters": [{"in": "header", "name": "two words"}]}}},
            {},
            ("$.paths./a.get.parameters", "'two words' is not a header name", "error"),
        ),
        (
            {"/a": {"get": {"parameters": [{"in": "query", "name": "q", "style": "matrix"}]}}},
            {},
            (
                "$.paths./a.get.parameters",
                "q: style matrix is not allowed in query; allowed: form, spaceDelimited, pipeDelimited, deepObject",
                "error",
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
            {"/a": {"post": {"requestBody": {"content": {"multipart/form-data": {}}}}}},
            {},
            (
                "$.paths./a.post.requestBody",
                "request bodies of type multipart/form-data are not supported yet",
                "error",
            ),
        ),
        (
            {"/a": GOOD},
            {"servers": [{"url": "/v1"}]},
            (
                "$.servers",
                "the server URL '/v1' is relative; it must be absolute, such as https://api.example.com",
                "error",
            ),
        ),
        (
            {"/a": GOOD},
            {"servers": []},
            ("$.servers", "the description names no server; add servers with an absolute URL", "error"),
        ),
        (
            {"/a": GOOD},
            {"servers": [{"url": "https://{host}/"}]},
            ("$.servers", "the server variable host of https://{host}/ has no default", "error"),
        ),
        ({"/a": {"get": 5}}, {}, ("$.paths./a.get", "an operation is an object", "warning")),
        ({"/a": {"$ref": "#/no"}}, {}, ("$.paths./a", "#/no does not exist in the document", "warning")),
    ],
)
def test_a_problem_has_its_place(paths: JsonObject, more: JsonObject, problem: tuple[str, str, str]) -> None:
    found = report(paths, **more)["problems"]
    assert problem in [(each["path"], each["message"], each["severity"]) for each in found]


def test_a_document_without_operations_is_an_error() -> None:
    assert report({})["problems"] == [
        {"path": "$.paths", "line": None, "message": "the description has no operations", "severity": "error"}
    ]


def test_an_operation_with_an_error_has_no_schema() -> None:
    (action,) = report({"/a": {"get": {"parameters": [{"$ref": "#/nowhere"}]}}})["actions"]
    assert (action["name"], action["inputSchema"], len(action["problems"])) == ("get_a", None, 1)


@pytest.mark.parametrize(
    "schema",
    [{"items": {"$ref": "#/components/schemas/Gone"}}, {"$ref": "other.yaml#/Pet"}],
)
def test_a_schema_that_leads_nowhere_breaks_only_its_operation(schema: JsonValue) -> None:
    body: JsonObject = {"content": {"application/json": {"schema": schema}}}
    actions = report({"/a": {"post": {"requestBody": body}}, "/b": GOOD})["actions"]
    assert [action["inputSchema"] is None for action in actions] == [True, False]


def test_a_text_that_is_no_description_is_refused_and_can_be_reported() -> None:
    with pytest.raises(UnreadableDocument) as caught:
        inspect("openapi: 3.0.0\npaths: [", "spec.yaml")
    found = unreadable(caught.value, "spec.yaml")
    assert (found["document"], found["actions"]) == ("spec.yaml", [])
    assert [(each["path"], each["line"], each["severity"]) for each in found["problems"]] == [("$", 3, "error")]
