from benchmarks.executions import OPERATION, PATH, one_operation
from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.openapi_tool import OpenApiTool
from openplaybook.tools.toolbox import Toolbox
from tests.kit.openapi import Remembering, resource


def reference(group: str, name: str) -> JsonObject:
    return {"$ref": f"#/components/{group}/{name}"}


OWNER: JsonObject = {"in": "path", "name": "owner", "required": True, "schema": {"type": "string"}}
REPO: JsonObject = {**OWNER, "name": "repo"}
CONTENT: JsonObject = {"application/json": {"schema": reference("schemas", "repository")}}
GET: JsonObject = {
    "operationId": OPERATION,
    "parameters": [reference("parameters", "owner"), REPO],
    "responses": {"200": {"description": "It.", "content": CONTENT}},
}
DOCUMENT: JsonObject = {
    "openapi": "3.0.3",
    "info": {"title": "t", "version": "1"},
    "servers": [{"url": "https://api.example"}],
    "tags": [{"name": "repos"}],
    "paths": {PATH: {"get": GET, "delete": {"responses": {}}}, "/others": {"get": {"responses": {}}}},
    "components": {
        "parameters": {"owner": OWNER, "other": REPO},
        "schemas": {
            "repository": {"type": "object", "properties": {"parent": reference("schemas", "parent")}},
            "parent": {"anyOf": [reference("schemas", "repository"), {"type": "null"}]},
            "other": {"type": "string"},
        },
    },
}


def test_the_peer_has_what_the_operation_needs_and_nothing_else() -> None:
    kept = one_operation(DOCUMENT)
    assert kept["paths"] == {PATH: {"get": GET}}
    assert {group: list(members) for group, members in kept["components"].items()} == {
        "parameters": ["owner"],
        "schemas": ["repository", "parent"],
    }
    assert "tags" not in kept


def test_both_documents_offer_the_operation_alike() -> None:
    whole, alone = (Toolbox(Remembering()).build(resource(each)) for each in (DOCUMENT, one_operation(DOCUMENT)))
    assert isinstance(alone, OpenApiTool)
    offered = [[each.input_schema for each in tool.actions() if each.action == OPERATION] for tool in (whole, alone)]
    assert offered[0] == offered[1]
    assert len(alone.actions()) == 1
