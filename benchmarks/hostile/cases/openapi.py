"""OpenAPI documents around a schema, as text."""

import json

from openplaybook.jsonvalues import JsonObject, JsonValue


def document(operation: JsonObject | None = None, method: str = "get", **root: JsonValue) -> str:
    """A document whose one operation is `act`."""
    return json.dumps(
        {
            "openapi": "3.0.3",
            "info": {"title": "t", "version": "1"},
            "servers": [{"url": "http://127.0.0.1:9/api"}],
            "paths": {"/things": {method: {"operationId": "act", "responses": {}, **(operation or {})}}},
            **root,
        }
    )


def query(schema: JsonObject, **root: JsonValue) -> str:
    """A document whose operation has a query parameter `q`."""
    return document({"parameters": [{"name": "q", "in": "query", "schema": schema}]}, **root)


def body(schema: JsonValue, media_type: str = "application/json", **root: JsonValue) -> str:
    """A document whose operation is a POST with a body."""
    return document({"requestBody": {"required": True, "content": {media_type: {"schema": schema}}}}, "post", **root)


def components(named: JsonObject) -> JsonObject:
    """Components that are schemas."""
    return {"schemas": named}


def ref(name: str) -> JsonObject:
    """A reference to a schema of the components."""
    return {"$ref": f"#/components/schemas/{name}"}


def yaml(rest: str) -> str:
    """A YAML document with `rest` beside a plain operation."""
    head = (
        "openapi: 3.0.3\ninfo: {title: t, version: '1'}\nservers: [{url: 'http://127.0.0.1:9/api'}]\n"
        "paths: {/things: {get: {operationId: act, responses: {}}}}\n"
    )
    return head + rest
