"""The API behind the tool: `GET /pets/37` answers `{"id": 37, "name": "Pet-37"}`."""

import re

from benchmarks.turns.loopback import serve
from openplaybook.jsonvalues import JsonObject, JsonValue

_PET = re.compile(r"/pets/(\d+)")


def document(url: str) -> JsonObject:
    """The API's OpenAPI document; `url` is where it is served."""
    answer = {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}
    number = {
        "name": "petId",
        "in": "path",
        "required": True,
        "description": "The pet's number.",
        "schema": {"type": "integer"},
    }
    operation = {
        "operationId": "getPet",
        "description": "Finds a pet by its number.",
        "parameters": [number],
        "responses": {"200": {"description": "The pet.", "content": {"application/json": {"schema": answer}}}},
    }
    return {
        "openapi": "3.0.0",
        "info": {"title": "Pets", "version": "1"},
        "servers": [{"url": url}],
        "paths": {"/pets/{petId}": {"get": operation}},
    }


def answer(method: str, path: str, body: bytes) -> tuple[int, JsonValue]:
    """Status and JSON for a request."""
    wanted = _PET.fullmatch(path)
    if method != "GET" or wanted is None:
        return 404, {"error": "only GET /pets/NUMBER is served"}
    return 200, {"id": int(wanted[1]), "name": f"Pet-{wanted[1]}"}


if __name__ == "__main__":
    serve(answer)
