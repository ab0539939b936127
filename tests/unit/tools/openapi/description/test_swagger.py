"""OpenAPI 2.0, one operation at a time as OpenAPI 3 says it."""

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.tools.base import Success
from openplaybook.tools.openapi.description.json_references import UnresolvableReference
from openplaybook.tools.openapi.description.operation_index import index
from openplaybook.tools.openapi.description.swagger import is_swagger, upgraded
from tests.kit.openapi import harness

pytestmark = pytest.mark.proves("O11")


def described(operation: JsonObject, path: str = "/a", **root: object) -> JsonObject:
    return {"swagger": "2.0", "paths": {path: {"post": operation}}, **root}


def upgrade(operation: JsonObject, **root: object) -> JsonObject:
    document: JsonObject = {**described(operation), **root}
    (entry,), _ = index(document)
    return upgraded(document, entry, {}).operation


def sent(*parameters: JsonObject, **root: object) -> JsonObject:
    return upgrade({"parameters": list(parameters)}, **root)


@pytest.mark.parametrize(
    ("root", "url"),
    [
        ({"host": "api.example", "basePath": "/v1", "schemes": ["http", "https"]}, "https://api.example/v1"),
        ({"host": "api.example:8080", "schemes": ["http"]}, "http://api.example:8080"),
        ({"host": "api.example", "basePath": "v1/", "schemes": ["WSS", "HTTP"]}, "http://api.example/v1"),
        ({"host": "api.example", "basePath": "/"}, "//api.example"),
        ({"host": "https://api.example/", "basePath": "/v1"}, "https://api.example/v1"),
        ({"basePath": "/v1", "schemes": ["https"]}, "/v1"),
        ({}, "/"),
    ],
)
def test_host_base_path_and_schemes_are_a_server(root: JsonObject, url: str) -> None:
    assert upgrade({}, **root)["servers"] == [{"url": url}]


def test_an_operations_own_schemes_win() -> None:
    assert upgrade({"schemes": ["http"]}, host="api.example", schemes=["https"])["servers"] == [
        {"url": "http://api.example"}
    ]


def test_what_describes_a_parameters_value_becomes_its_schema() -> None:
    parameter: JsonObject = {
        "name": "limit",
        "in": "query",
        "description": "How many",
        "required": True,
        "allowEmptyValue": True,
        "type": "integer",
        "maximum": 10,
        "x-agent-input-parameter": "limit",
    }
    assert sent(parameter)["parameters"] == [
        {
            "name": "limit",
            "in": "query",
            "description": "How many",
            "required": True,
            "allowEmptyValue": True,
            "x-agent-input-parameter": "limit",
            "schema": {"type": "integer", "maximum": 10, "x-agent-input-parameter": "limit"},
        }
    ]


@pytest.mark.parametrize(
    ("place", "collection", "style", "explode"),
    [
        ("query", None, "form", False),
        ("query", "csv", "form", False),
        ("query", "ssv", "spaceDelimited", False),
        ("query", "tsv", "tabDelimited", False),
        ("query", "pipes", "pipeDelimited", False),
        ("query", "multi", "form", True),
        ("query", "odd", "form", False),
        ("path", "csv", "simple", False),
        ("header", None, "simple", False),
    ],
)
def test_a_collection_format_is_a_style(place: str, collection: str | None, style: str, explode: bool) -> None:
    parameter: JsonObject = {"name": "ids", "in": place, "type": "array", "items": {"type": "string"}}
    if collection is not None:
        parameter["collectionFormat"] = collection
    (written,) = sent(parameter)["parameters"]
    assert (written["style"], written["explode"]) == (style, explode)
    assert written["schema"] == {"type": "array", "items": {"type": "string"}}


def test_a_schema_beside_a_parameter_is_taken_though_it_has_no_place_there() -> None:
    (written,) = sent({"name": "q", "in": "query", "schema": {"type": "integer"}})["parameters"]
    assert written == {"name": "q", "in": "query", "schema": {"type": "integer"}}


PET: JsonObject = {"$ref": "#/definitions/Pet"}
BODY: JsonObject = {"name": "pet", "in": "body", "description": "A pet", "required": True, "schema": PET}


@pytest.mark.parametrize(
    ("operation", "root", "types"),
    [
        ({}, {}, ["application/json"]),
        ({}, {"consumes": ["application/xml", "application/json"]}, ["application/xml", "application/json"]),
        ({"consumes": ["text/plain"]}, {"consumes": ["application/json"]}, ["text/plain"]),
        ({"consumes": []}, {"consumes": ["text/plain"]}, ["application/json"]),
    ],
)
def test_a_body_is_of_what_the_operation_consumes(operation: JsonObject, root: JsonObject, types: list[str]) -> None:
    assert upgrade({"parameters": [BODY], **operation}, **root)["requestBody"] == {
        "description": "A pet",
        "required": True,
        "content": {kind: {"schema": PET} for kind in types},
    }


NAME: JsonObject = {"name": "name", "in": "formData", "type": "string", "required": True, "description": "Its name"}
TAGS: JsonObject = {"name": "tags", "in": "formData", "type": "array", "items": {}, "collectionFormat": "multi"}
PHOTO: JsonObject = {"name": "photo", "in": "formData", "type": "file"}
FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"


def test_form_fields_are_the_properties_of_a_body() -> None:
    assert sent(NAME, TAGS)["requestBody"] == {
        "required": True,
        "content": {
            FORM: {
                "schema": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string", "description": "Its name"},
                        "tags": {"type": "array", "items": {}},
                    },
                    "required": ["name"],
                },
                "encoding": {"tags": {"style": "form", "explode": True}},
            }
        },
    }


@pytest.mark.parametrize(
    ("fields", "consumes", "types"),
    [
        ([NAME], [], [FORM]),
        ([NAME], ["application/json"], [FORM]),
        ([NAME], [MULTIPART], [MULTIPART]),
        ([NAME], [FORM, MULTIPART], [FORM, MULTIPART]),
        ([NAME, PHOTO], [FORM], [MULTIPART]),
        ([PHOTO], [], [MULTIPART]),
    ],
)
def test_a_form_is_sent_as_what_can_carry_it(fields: list[JsonObject], consumes: list[str], types: list[str]) -> None:
    assert list(sent(*fields, consumes=consumes)["requestBody"]["content"]) == types


def test_shared_parameters_and_those_of_the_path_are_put_in_place() -> None:
    document = described({"parameters": [{"$ref": "#/parameters/Limit"}, BODY]}, path="/a/{id}")
    document["parameters"] = {"Limit": {"name": "limit", "in": "query", "type": "integer"}}
    document["paths"]["/a/{id}"]["parameters"] = [{"name": "id", "in": "path", "required": True, "type": "string"}]
    (entry,), _ = index(document)
    new = upgraded(document, entry, {})
    assert [each["name"] for each in new.operation["parameters"]] == ["id", "limit"]
    assert (new.path_item, new.operation["requestBody"]["required"]) == ({}, True)


def test_a_shared_parameter_that_leads_nowhere_is_told() -> None:
    with pytest.raises(UnresolvableReference, match="#/parameters/Gone does not exist"):
        sent({"$ref": "#/parameters/Gone"})


def test_an_answers_schema_is_its_content() -> None:
    responses: JsonObject = {
        "200": {"description": "ok", "schema": PET},
        "204": {"description": "nothing"},
        "404": {"$ref": "#/responses/Gone"},
        "500": {"$ref": "#/responses/Broken"},
    }
    shared: JsonObject = {"Broken": {"description": "broken", "schema": {"type": "string"}}}
    found = upgrade({"responses": responses, "produces": ["text/csv", "application/json"]}, responses=shared)
    content: JsonObject = {"text/csv": {"schema": PET}, "application/json": {"schema": PET}}
    text: JsonObject = {"schema": {"type": "string"}}
    assert found["responses"] == {
        "200": {"description": "ok", "schema": PET, "content": content},
        "204": {"description": "nothing", "content": {"text/csv": {}, "application/json": {}}},
        "404": {"$ref": "#/responses/Gone"},
        "500": {**shared["Broken"], "content": {"text/csv": text, "application/json": text}},
    }


@pytest.mark.parametrize(
    ("root", "answer"),
    [({"swagger": "2.0"}, True), ({"openapi": "3.0.0"}, False), ({"swagger": 2, "openapi": 3}, False)],
)
def test_the_version_decides(root: JsonObject, answer: bool) -> None:
    assert is_swagger(root) == answer


PETS: JsonObject = {
    "swagger": "2.0",
    "info": {"title": "Pets", "version": "1"},
    "host": "pets.example",
    "basePath": "/v2",
    "schemes": ["https"],
    "definitions": {
        "Pet": {
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"type": "string"},
                "id": {"type": "integer", "readOnly": True},
                "mother": {"$ref": "#/definitions/Pet"},
                "nick": {"type": "string", "x-nullable": True},
            },
        }
    },
    "paths": {
        "/pets/{kind}": {
            "parameters": [{"name": "kind", "in": "path", "required": True, "type": "string"}],
            "post": {
                "operationId": "addPet",
                "parameters": [
                    {"name": "tags", "in": "query", "type": "array", "items": {"type": "string"}},
                    {"name": "pet", "in": "body", "required": True, "schema": {"$ref": "#/definitions/Pet"}},
                ],
                "responses": {"200": {"description": "ok", "schema": {"$ref": "#/definitions/Pet"}}},
            },
        }
    },
}


async def test_an_operation_of_openapi_2_is_called_as_its_description_says() -> None:
    pets = harness(PETS)
    arguments: JsonObject = {"kind": "dog", "tags": ["a", "b"], "requestBody": {"name": "Rex", "nick": None}}
    assert isinstance(await pets.call(arguments, name="addPet"), Success)
    assert (pets.sent.method, pets.sent.url) == ("POST", "https://pets.example/v2/pets/dog?tags=a,b")
    assert pets.sent.body == dumps({"name": "Rex", "nick": None})


def test_the_model_sees_the_definitions_of_openapi_2() -> None:
    action = harness(PETS).action("addPet")
    pet: JsonObject = {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string"},
            "mother": {"$ref": "#/$defs/Pet"},
            "nick": {"type": ["string", "null"]},
        },
    }
    assert action.input_schema == {
        "type": "object",
        "properties": {
            "kind": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "requestBody": {"$ref": "#/$defs/Pet"},
        },
        "required": ["kind", "requestBody"],
        "additionalProperties": False,
        "$defs": {"Pet": pet},
    }
    assert action.output_schema is not None
    assert list(action.output_schema["$defs"]["Pet"]["properties"]) == ["name", "id", "mother", "nick"]
