"""Descriptions of several documents, and schemas with names of their own."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.tools.base import Success
from openplaybook.tools.openapi.description.document_bundle import DocumentBundle
from openplaybook.tools.openapi.description.json_references import UnresolvableReference, resolve, target
from openplaybook.tools.openapi.description.missing_documents import missing_documents
from openplaybook.tools.openapi.description_report import inspect
from openplaybook.tools.openapi.tool_settings import ToolSettings
from tests.kit.openapi import description, harness

pytestmark = pytest.mark.proves("O11")

PETS = """
Pet:
  type: object
  properties:
    name: {type: string}
    owner: {$ref: 'people/owner.json'}
    mother: {$ref: '#/Pet'}
    size: {$ref: '../main.yaml#/components/schemas/Size'}
"""
OWNER = '{"type": "object", "properties": {"home": {"$ref": "../pets.yaml#/Pet"}}}'
TEXTS = {"schemas/pets.yaml": PETS, "./schemas/people/owner.json": OWNER}
SIZE: JsonObject = {"enum": ["small", "large"]}
ROOT: JsonObject = {"components": {"schemas": {"Size": SIZE}}}


def bundle(uri: str = "", texts: dict[str, str] | None = None, root: JsonObject = ROOT) -> DocumentBundle:
    return DocumentBundle(root, TEXTS if texts is None else texts, uri)


@pytest.mark.parametrize("uri", ["", "https://docs.example/v1/main.yaml", "file:///home/me/main.yaml"])
def test_a_reference_is_followed_into_another_document_and_from_there_on(uri: str) -> None:
    root = bundle(uri)
    pet = resolve(root, {"$ref": "schemas/pets.yaml#/Pet"})
    assert pet["properties"]["name"] == {"type": "string"}
    owner = resolve(root, pet["properties"]["owner"])
    assert resolve(root, owner["properties"]["home"]) is pet
    assert resolve(root, pet["properties"]["mother"]) is pet


def test_a_document_may_refer_back_into_the_description() -> None:
    root = bundle("https://docs.example/v1/main.yaml")
    pet = resolve(root, {"$ref": "./schemas/pets.yaml#/Pet"})
    assert pet["properties"]["size"] == {"$ref": "#/components/schemas/Size"}
    assert resolve(root, pet["properties"]["size"]) is SIZE


def test_a_document_is_known_by_any_spelling_of_its_place() -> None:
    texts = {"https://docs.example/v1/schemas/pets.yaml": PETS}
    root = bundle("https://docs.example/v1/main.yaml", texts)
    for reference in ("schemas/pets.yaml#/Pet", "/v1/schemas/pets.yaml#/Pet", "../v1/./schemas/pets.yaml#/Pet"):
        assert resolve(root, {"$ref": reference})["type"] == "object"


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        (
            "gone.yaml#/A",
            "gone.yaml#/A leaves the document; give the text of https://document.invalid/gone.yaml in "
            "settings.documents",
        ),
        ("schemas/pets.yaml#/Gone", "schemas/pets.yaml#/Gone leaves the document; give the text of "),
        ("broken.yaml#/A", "broken.yaml cannot be read: the YAML is malformed at line 2 column 1: "),
        ("file:///etc/passwd", "file:///etc/passwd leaves the document; give the text of file:///etc/passwd in "),
        (
            "http://169.254.169.254/latest",
            "http://169.254.169.254/latest leaves the document; give the text of http://169.254.169.254/latest in ",
        ),
    ],
)
def test_a_document_that_is_not_given_is_told_and_never_fetched(reference: str, message: str) -> None:
    with pytest.raises(UnresolvableReference) as caught:
        target(bundle(texts={**TEXTS, "broken.yaml": "a: ["}), reference)
    assert str(caught.value).startswith(message)


MARKED: JsonObject = {
    "components": {
        "schemas": {
            "Tree": {"$id": "https://schemas.example/tree", "$dynamicAnchor": "node", "type": "object"},
            "Leaf": {"$anchor": "leaf", "type": "string"},
            "Made": {"$ref": "#/$defs/Inner", "$defs": {"Inner": {"type": "integer"}}},
        }
    }
}


@pytest.mark.parametrize(
    ("reference", "kind"),
    [
        ("#leaf", "string"),
        ("#node", "object"),
        ("https://schemas.example/tree", "object"),
        ("#/$defs/Inner", "integer"),
    ],
)
def test_a_schema_may_have_a_name_of_its_own(reference: str, kind: str) -> None:
    assert resolve(bundle(root=MARKED), {"$ref": reference})["type"] == kind


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(UnresolvableReference, match="#gone does not exist in the document"):
        target(bundle(root=MARKED), "#gone")


def paths_with(body: JsonValue) -> JsonObject:
    content: JsonObject = {"application/json": {"schema": body}}
    return {"/a": {"post": {"operationId": "act", "requestBody": {"content": content}, "responses": {}}}}


async def test_an_operation_may_take_its_schema_from_another_document() -> None:
    document = description(paths_with({"$ref": "pets.yaml#/Pet"}))
    pet = "Pet: {type: object, properties: {name: {type: string}}, additionalProperties: false}"
    tool = harness(document, settings={"documents": [{"uri": "pets.yaml", "text": pet}]})
    assert isinstance(await tool.call({"requestBody": {"name": "Rex"}}), Success)
    assert tool.sent.body == b'{"name":"Rex"}'
    (definition,) = tool.action().input_schema["$defs"].values()
    assert definition["properties"] == {"name": {"type": "string"}}


async def test_a_whole_path_may_stand_in_another_document() -> None:
    document = description({"/a": {"$ref": "paths.json"}})
    item = dumps(
        {
            "get": {"operationId": "act", "parameters": [{"$ref": "#/x-shared"}]},
            "x-shared": {"name": "q", "in": "query"},
        }
    )
    tool = harness(document, settings={"documents": [{"uri": "paths.json", "text": item.decode()}]})
    await tool.call({"q": "x"})
    assert tool.sent.url == "https://api.example/v1/a?q=x"


def test_a_schema_of_a_document_that_is_missing_takes_any_value_and_is_told() -> None:
    report = inspect(dumps(description(paths_with({"$ref": "pets.yaml#/Pet"}))).decode(), "spec.json")
    (problem,) = report["problems"]
    assert (problem["path"], problem["severity"]) == ("$.paths./a.post", "warning")
    assert problem["message"].startswith("pets.yaml#/Pet leaves the document; give the text of ")


def test_what_is_missing_is_found_through_all_documents() -> None:
    document = description(
        paths_with({"$ref": "schemas/pets.yaml#/Pet"}),
        components={"examples": {"a": {"example": {"$ref": "data.json"}}}, "x-more": {"$ref": "more.json"}},
    )
    text = dumps(document).decode()
    uri = "https://docs.example/main.yaml"
    at = "https://docs.example/schemas/"
    assert missing_documents(text, {}, uri) == [f"{at}pets.yaml"]
    assert missing_documents(text, {f"{at}pets.yaml": PETS}, uri) == [f"{at}people/owner.json"]
    assert missing_documents(text, TEXTS, uri) == []


@pytest.mark.parametrize("text", ["a: [", "- $ref: other.yaml", "paths: {$ref: '@dialogflow/sessionId'}"])
def test_what_is_no_description_or_no_reference_misses_nothing(text: str) -> None:
    assert missing_documents(text, {}, "") == []


def test_servers_are_not_looked_for_in_a_folder() -> None:
    report = inspect(
        dumps(description({"/a": {"get": {}}}, servers=[{"url": "/v1"}])).decode(),
        "spec.json",
        ToolSettings(document_uri="file:///home/me/spec.json"),
    )
    assert [problem["severity"] for problem in report["problems"]] == ["warning"]
