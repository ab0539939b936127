"""The API that is called: a GET with a path and a query parameter, and a POST with a JSON body."""

from openplaybook.jsonvalues import JsonObject

PET: JsonObject = {"id": 3, "name": "Rex", "owner": "Kim", "label": ["dog", "brown"]}
"""The body of the POST."""
TARGET = "/v1/pets/3?label=dog&label=brown"
"""The request target of the GET."""
ANSWER: JsonObject = {**PET, "note": "a good dog, likes long walks"}
"""What the service answers to either."""


def document(url: str) -> JsonObject:
    """The API's OpenAPI document; `url` is where it is served."""
    labels = {"type": "array", "items": {"type": "string"}}
    number = {"in": "path", "name": "petId", "required": True, "schema": {"type": "integer"}}
    label = {"in": "query", "name": "label", "schema": labels}
    properties = {"id": {"type": "integer"}, "name": {"type": "string"}, "owner": {"type": "string"}, "label": labels}
    pet = {"type": "object", "required": ["id", "name"], "properties": properties}
    content = {"application/json": {"schema": pet}}
    return {
        "openapi": "3.0.0",
        "info": {"title": "Pets", "version": "1"},
        "servers": [{"url": f"{url}/v1"}],
        "paths": {
            "/pets/{petId}": {
                "get": {
                    "operationId": "getPet",
                    "parameters": [number, label],
                    "responses": {"200": {"description": "The pet.", "content": content}},
                }
            },
            "/pets": {
                "post": {
                    "operationId": "createPet",
                    "requestBody": {"required": True, "content": content},
                    "responses": {"200": {"description": "The new pet.", "content": content}},
                }
            },
        },
    }
