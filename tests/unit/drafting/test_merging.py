"""Samples into a schema that people have written."""

import pytest

from openplaybook.drafting.errors import NothingToGoOn, UnusableSchema
from openplaybook.drafting.samples import Sample
from openplaybook.drafting.schema_generation import MAX_SCHEMA_BYTES
from openplaybook.jsonvalues import JsonObject
from tests.unit.drafting.written import document, got, made, read, sent

WRITTEN = """\
# Ours
x-team: shop
openapi: 3.0.3
info: {title: Our shop, version: '7', x-owner: kim}
servers: [{url: 'https://{region}.shop.example/v1', variables: {region: {default: api}}}]
paths:
  /pets/{id}:
    parameters: [{$ref: '#/components/parameters/id'}]
    get:
      operationId: fetchPet
      description: Fetches. By hand.
      x-cost: 3
      parameters:
        - {name: view, in: query, required: true, description: How., schema: {type: string, enum: [full]}}
      responses:
        2XX: {description: Fine, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
        default: {description: Else}
components:
  parameters:
    id: {name: id, in: path, required: true, description: Its number., schema: {type: integer}}
  schemas:
    Pet:
      type: object
      description: A pet.
      required: [id, name]
      properties:
        id: {type: integer, description: Its number.}
        name: {type: string, maxLength: 10}
"""
REX = {"id": 3, "name": "Rex"}
REMARK = "The comments of the schema are not kept, because its YAML is rewritten."


def test_a_schema_that_holds_for_the_samples_stays_as_it_is() -> None:
    generated = made([got("/pets/3?view=full", REX)], WRITTEN)
    assert read(generated.schema) == read(WRITTEN)
    assert list(read(generated.schema)) == ["x-team", "openapi", "info", "servers", "paths", "components"]
    assert generated.remarks == [REMARK]


@pytest.mark.proves("O8")
def test_what_is_new_is_added_beside_what_was_written() -> None:
    merged = document(
        [got("/pets/3?view=full&page=2", {**REX, "age": 1}), sent("POST", "/pets", REX, REX, 201)], WRITTEN
    )
    written = read(WRITTEN)
    fetch = merged["paths"]["/pets/{id}"]["get"]
    assert fetch["parameters"].pop() == {"name": "page", "in": "query", "schema": {"type": "integer"}}
    assert merged["components"]["schemas"]["Pet"]["properties"].pop("age") == {"type": "integer"}
    create = merged["paths"].pop("/pets")["post"]
    assert (create["operationId"], list(create["responses"])) == ("createPet", ["201"])
    assert merged == written


def test_what_does_not_hold_is_widened_and_told() -> None:
    long = "Rexamillion the Third"
    generated = made(
        [got("/pets/3", {"id": 1.5, "name": long}), got("/pets/x7-long-identifier?view=lite", REX)], WRITTEN
    )
    merged = read(generated.schema)
    assert merged["components"]["parameters"]["id"] == {
        "name": "id",
        "in": "path",
        "required": True,
        "description": "Its number.",
        "schema": {"type": "string"},
    }
    assert merged["paths"]["/pets/{id}"]["get"]["parameters"] == [
        {
            "name": "view",
            "in": "query",
            "required": False,
            "description": "How.",
            "schema": {"type": "string", "enum": ["full", "lite"]},
        }
    ]
    assert merged["components"]["schemas"]["Pet"]["properties"] == {
        "id": {"type": "number", "description": "Its number."},
        "name": {"type": "string"},
    }
    assert generated.remarks == [
        REMARK,
        "/pets/{id} parameter id: integer became string.",
        "GET /pets/{id} parameter view: the enumeration was extended.",
        "GET /pets/{id} parameter view: no longer required.",
        "#/components/schemas/Pet.id: integer became number.",
        "#/components/schemas/Pet.name: maxLength does not fit the samples and was removed.",
    ]


def test_a_word_where_a_number_is_expected_is_another_path() -> None:
    merged = document([got("/pets/search?q=x", [])], WRITTEN)
    assert list(merged["paths"]) == ["/pets/{id}", "/pets/search"]


def test_a_schema_of_3_1_keeps_its_version_and_its_words() -> None:
    schema = (
        made([got("/pets", [{"name": None}])])
        .schema.replace("3.0.3", "3.1.0")
        .replace("nullable: true", "type: 'null'")
    )
    merged = document([got("/pets", [{"name": "Rex"}]), got("/owners", {"a": None, "b": [1, None]})], schema)
    assert merged["openapi"] == "3.1.0"
    answer = merged["paths"]["/owners"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert answer["properties"] == {
        "a": {"type": "null"},
        "b": {"type": "array", "items": {"type": ["integer", "null"]}},
    }


def test_json_is_read_as_well_and_what_aliases_share_is_widened_where_it_was_seen() -> None:
    shared = """
openapi: 3.0.3
info: {title: t, version: '1'}
servers: [{url: https://api.shop.example/v1}]
paths:
  /a: {get: {responses: {'200': &ok {description: ok, content: {application/json: {schema: {type: integer}}}}}}}
  /b: {get: {responses: {'200': *ok}}}
"""
    merged = document([got("/a", 1.5)], shared)
    types = [
        merged["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        for path in ("/a", "/b")
    ]
    assert types == [{"type": "number"}, {"type": "integer"}]


def test_a_relative_server_is_kept_behind_the_one_the_samples_show() -> None:
    schema = (
        "openapi: 3.0.3\ninfo: {title: t, version: '1'}\nservers: [{url: /v1}]\npaths: {/a: {get: {responses: {}}}}\n"
    )
    generated = made([got("/a")], schema)
    merged = read(generated.schema)
    assert merged["servers"] == [{"url": "https://api.shop.example/v1"}, {"url": "/v1"}]
    assert list(merged["paths"]) == ["/a"]
    assert generated.remarks == [
        "servers: https://api.shop.example/v1, which the samples show, now precedes the relative one."
    ]
    assert document([got("/a")], generated.schema) == merged


def test_a_new_server_stands_at_the_paths_that_were_reached_there() -> None:
    merged = document([Sample("https://other.example/things/1")], WRITTEN)
    assert merged["servers"] == read(WRITTEN)["servers"]
    assert merged["paths"]["/things/{thingId}"]["servers"] == [{"url": "https://other.example"}]


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        (
            "swagger: '2.0'\ninfo: {title: t, version: '1'}\npaths: {}\n",
            "it is OpenAPI 2.0; convert it to OpenAPI 3 first",
        ),
        ("openapi: [", "the YAML is malformed"),
        (
            "openapi: 4.0.0",
            "the member openapi says '4.0.0'; it must be a version 3.x, such as 3.0.3 (or swagger, with 2.0)",
        ),
    ],
)
def test_a_schema_that_cannot_be_merged_into_is_refused(schema: str, reason: str) -> None:
    with pytest.raises(UnusableSchema) as refused:
        made([got("/a")], schema)
    assert str(refused.value).startswith(f"the schema cannot be merged into: {reason}")


def test_a_schema_that_is_too_long_is_refused() -> None:
    with pytest.raises(UnusableSchema, match="the schema is longer than 5,000,000 bytes"):
        made([got("/a")], "#" * (MAX_SCHEMA_BYTES + 1))


def test_without_samples_and_without_a_model_there_is_nothing_to_go_on() -> None:
    with pytest.raises(NothingToGoOn) as refused:
        made([], words="An API of pets.")
    assert str(refused.value) == (
        "there is nothing to start from: give samples, or words and a model other than offline to write from them"
    )


def test_the_callers_words_describe_a_new_schema() -> None:
    one: JsonObject = document([got("/pets")])
    assert "description" not in one["info"]
    assert (
        read(made([got("/pets")], words="Lists  pets.").schema)["paths"]["/pets"]["get"]["description"] == "Lists pets."
    )
    assert read(made([got("/pets"), got("/a")], words="A shop.").schema)["info"]["description"] == "A shop."
