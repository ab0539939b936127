"""Descriptions with random faults are inspected without a failure."""

import random

import pytest

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.tools.openapi.description_report import inspect
from tests.kit.odd_documents import mutated

_PET: JsonObject = {"$ref": "#/components/schemas/Pet"}
_MEDIA: JsonObject = {"application/json": {"schema": _PET}}
THREE: JsonObject = {
    "openapi": "3.0.3",
    "servers": [{"url": "https://{host}/", "variables": {"host": {"default": "a.example"}}}],
    "paths": {
        "/pets/{petId}": {
            "parameters": [{"name": "petId", "in": "path", "required": True, "schema": {"type": "integer"}}],
            "get": {"operationId": "getPet", "responses": {"200": {"description": "", "content": _MEDIA}}},
            "put": {
                "parameters": [{"$ref": "#/components/parameters/limit"}],
                "requestBody": {
                    "content": {
                        "multipart/form-data": {
                            "schema": {"type": "object", "properties": {"file": {"type": "string"}, "pet": _PET}},
                            "encoding": {"pet": {"style": "form", "headers": {"X-A": {"schema": {"type": "string"}}}}},
                        }
                    }
                },
                "responses": {"default": {"description": ""}},
            },
        }
    },
    "components": {
        "parameters": {"limit": {"name": "limit", "in": "query", "style": "form", "schema": {"type": "array"}}},
        "schemas": {
            "Pet": {
                "type": "object",
                "required": ["kind"],
                "properties": {"kind": {"type": "string", "enum": ["a"], "default": "a"}, "mother": _PET},
                "discriminator": {"propertyName": "kind", "mapping": {"Dog": "#/components/schemas/Dog"}},
            },
            "Dog": {"allOf": [_PET, {"properties": {"size": {"oneOf": [{"type": "integer", "minimum": 1}, _PET]}}}]},
        },
    },
}
TWO: JsonObject = {
    "swagger": "2.0",
    "host": "a.example",
    "basePath": "/v1",
    "schemes": ["https"],
    "paths": {
        "/pets/{id}": {
            "post": {
                "consumes": ["application/x-www-form-urlencoded"],
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "type": "integer"},
                    {"name": "f", "in": "formData", "type": "array", "items": {"type": "string"}},
                ],
                "responses": {"200": {"description": "", "schema": {"$ref": "#/definitions/Pet"}}},
            }
        }
    },
    "definitions": {"Pet": {"type": "object", "properties": {"id": {"type": "integer", "readOnly": True}}}},
}


@pytest.mark.parametrize("root", [THREE, TWO])
@pytest.mark.parametrize("seed", range(10))
def test_a_description_with_random_faults_is_inspected_without_a_failure(root: JsonObject, seed: int) -> None:
    random_ = random.Random(seed)
    for _ in range(15):
        odd = mutated(root, random_, random_.randrange(1, 8))
        try:
            report = inspect(dumps(odd).decode(), "spec")
        except UnreadableDocument:
            continue
        assert list(report)[:3] == ["document", "actions", "problems"]
