"""The judge of real documents' requests objects to wrong ones: its acceptance means something."""

import pytest

from openplaybook.jsonvalues import JsonObject
from tests.kit.http_peer import Received
from tests.kit.openapi_judge import Judge, relocated

ORIGIN = "http://127.0.0.1:8000"
WHOLE: JsonObject = {"type": "integer"}
BODY: JsonObject = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
PARAMETERS: list[JsonObject] = [
    {"name": "id", "in": "path", "required": True, "schema": WHOLE},
    {"name": "size", "in": "query", "required": True, "schema": {"oneOf": [WHOLE, {"enum": ["all"]}]}},
    {"name": "labels", "in": "query", "schema": {"type": "array", "items": WHOLE}},
]
THREE: JsonObject = {
    "openapi": "3.0.3",
    "info": {"title": "t", "version": "1"},
    "servers": [{"url": "https://api.example/v1"}],
    "paths": {
        "/things/{id}": {
            "servers": [{"url": "https://things.example"}],
            "post": {
                "parameters": PARAMETERS,
                "requestBody": {"required": True, "content": {"application/json": {"schema": BODY}}},
                "responses": {"200": {"description": ""}},
            },
        }
    },
}
TWO: JsonObject = {
    "swagger": "2.0",
    "info": {"title": "t", "version": "1"},
    "host": "api.example",
    "consumes": ["application/json"],
    "paths": {
        "/things/{id}": {
            "post": {
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "type": "integer"},
                    {"name": "size", "in": "query", "required": True, "type": "integer"},
                    {"name": "labels", "in": "query", "type": "array", "items": WHOLE, "collectionFormat": "multi"},
                    {"name": "body", "in": "body", "required": True, "schema": BODY},
                ],
                "responses": {"200": {"description": ""}},
            }
        }
    },
}
JSON = (("Content-Type", "application/json"),)


def objections(document: JsonObject, target: str, body: bytes = b'{"name": "x"}', method: str = "POST") -> list[str]:
    judge = Judge(relocated(document, ORIGIN), ORIGIN)
    return judge.objections("POST", "/things/{id}", Received(method, target, JSON, body))


@pytest.mark.parametrize(
    ("document", "target"),
    [
        (THREE, "/at-path/things/3?size=7&labels=1&labels=2"),
        (THREE, "/at-path/things/3?size=all"),
        (TWO, "/at-root/things/3?size=7&labels=1&labels=2"),
    ],
)
def test_a_right_request_is_accepted(document: JsonObject, target: str) -> None:
    assert objections(document, target) == []


@pytest.mark.parametrize(
    ("target", "body", "method", "word"),
    [
        ("/at-PLACE/things/3?size=7", b'{"name": 1}', "POST", "is not of type 'string'"),
        ("/at-PLACE/things/3?size=7", b"{}", "POST", "'name' is a required property"),
        ("/at-PLACE/things/3?size=7", b"", "POST", "Missing required request body"),
        ("/at-PLACE/things/x?size=7", b'{"name": "x"}', "POST", "Failed to cast value to integer"),
        ("/at-PLACE/things/3", b'{"name": "x"}', "POST", "Missing required query parameter: size"),
        ("/at-PLACE/things/3?size=none", b'{"name": "x"}', "POST", "size"),
        ("/at-PLACE/things/3?size=7&labels=1,2", b'{"name": "x"}', "POST", "Failed to cast value to integer"),
        ("/at-operation/things/3?size=7", b'{"name": "x"}', "POST", "Server not found"),
        ("/at-PLACE/others/3?size=7", b'{"name": "x"}', "POST", "is not /things/{id}"),
        ("/at-PLACE/things/3?size=7", b'{"name": "x"}', "PUT", "the method is PUT"),
    ],
)
@pytest.mark.parametrize(("document", "place"), [(THREE, "path"), (TWO, "root")])
def test_a_wrong_request_is_not(
    document: JsonObject, place: str, target: str, body: bytes, method: str, word: str
) -> None:
    (objection,) = objections(document, target.replace("PLACE", place), body, method)
    assert word in objection
