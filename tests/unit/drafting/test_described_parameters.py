"""Parameters as samples show them."""

from collections.abc import Mapping

import pytest

from openplaybook.drafting.samples import Sample
from openplaybook.jsonvalues import JsonObject
from tests.unit.drafting.written import API, document

LIST: JsonObject = {"type": "array", "items": {"type": "integer"}}
TEXTS: JsonObject = {"type": "array", "items": {"type": "string"}}


def parameters(*queries: str, headers: Mapping[str, str] | None = None) -> dict[str, JsonObject]:
    root = document([Sample(f"{API}/pets?{query}", headers=headers or {}) for query in queries])
    return {each.pop("name"): each for each in root["paths"]["/pets"]["get"].get("parameters", [])}


@pytest.mark.parametrize(
    ("queries", "expected"),
    [
        (["a=1", "a=20"], {"in": "query", "required": True, "schema": {"type": "integer"}}),
        (["a=1", "a=2.5"], {"in": "query", "required": True, "schema": {"type": "number"}}),
        (["a=true", "b=1"], {"in": "query", "schema": {"type": "boolean"}}),
        (["a=1", "a=x%20y"], {"in": "query", "required": True, "schema": {"type": "string"}}),
        (["a=007"], {"in": "query", "required": True, "schema": {"type": "string"}}),
        (["a=2024-02-29"], {"in": "query", "required": True, "schema": {"type": "string", "format": "date"}}),
        (["a="], {"in": "query", "required": True, "allowEmptyValue": True, "schema": {"type": "string"}}),
        (["a=1&a=2", "a=3"], {"in": "query", "required": True, "style": "form", "explode": True, "schema": LIST}),
        (["a=1,2", "a=3"], {"in": "query", "required": True, "style": "form", "explode": False, "schema": LIST}),
        (["a=x,y-z"], {"in": "query", "required": True, "style": "form", "explode": False, "schema": TEXTS}),
        (["a=x%2Cy"], {"in": "query", "required": True, "schema": {"type": "string"}}),
        (["a=Hello,%20you"], {"in": "query", "required": True, "schema": {"type": "string"}}),
    ],
)
def test_a_query_parameter_has_the_type_that_all_its_values_have(queries: list[str], expected: JsonObject) -> None:
    assert parameters(*queries)["a"] == expected


def test_free_text_with_commas_is_no_list() -> None:
    assert parameters("q=cats,dogs")["q"] == {"in": "query", "required": True, "schema": {"type": "string"}}


def test_names_in_brackets_are_one_object_or_one_list() -> None:
    found = parameters("filter[age]=3&filter[kind]=dog&ids[]=1&x[a]=1&x[a]=2", "filter[age]=4")
    assert found == {
        "filter": {
            "in": "query",
            "required": True,
            "style": "deepObject",
            "explode": True,
            "schema": {
                "type": "object",
                "properties": {"age": {"type": "integer"}, "kind": {"type": "string"}},
                "required": ["age"],
            },
        },
        "ids[]": {"in": "query", "style": "form", "explode": True, "schema": LIST},
        "x[a]": {"in": "query", "style": "form", "explode": True, "schema": LIST},
    }


def test_words_that_come_again_are_an_enumeration() -> None:
    found = parameters(*["sort=up", "sort=down"] * 4)
    assert found["sort"]["schema"] == {"type": "string", "enum": ["down", "up"]}


def test_headers_that_callers_set_on_purpose_are_parameters() -> None:
    ordinary = {"User-Agent": "curl/8", "accept": "*/*", "Sec-Fetch-Mode": "cors", "Content-Length": "3"}
    found = parameters("", headers={"X-Tenant": "acme", ":authority": "x", **ordinary})
    assert found == {"X-Tenant": {"in": "header", "required": True, "schema": {"type": "string"}}}
