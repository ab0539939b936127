"""Calls of GraphQL in manifests become documents in which no value stands."""

import json

import pytest

from openplaybook.connectors.rest.graphql_documents import graphql_body
from openplaybook.connectors.rest.manifest.graphql_calls import read_call
from openplaybook.connectors.rest.manifest.list_model import GraphqlCall
from openplaybook.connectors.rest.manifest.manifest_node import InvalidManifest, ManifestNode
from openplaybook.connectors.rest.systems import manifest_of
from openplaybook.jsonvalues import JsonObject

HOSTILE = '"} } mutation { productDelete(input: {id: 1}) { userErrors { message } } } #'


def call(text: str) -> GraphqlCall:
    line = read_call(ManifestNode({}, "acme"), "list", text)
    assert line is not None
    assert line.call is not None
    return line.call


@pytest.mark.parametrize(
    ("text", "paths", "expected"),
    [
        (
            "query products(first: Int!, after: String)",
            ["data.products.nodes.id", "data.products.nodes.price.amount", "data.products.pageInfo.endCursor"],
            "query($first: Int!, $after: String) { products(first: $first, after: $after) "
            "{ nodes { id price { amount } } pageInfo { endCursor } } }",
        ),
        (
            "query boards(ids: [ID!])[0].items_page(limit: Int!)",
            ["data.boards[0].items_page.items.column_values[id=status].text"],
            "query($ids: [ID!], $limit: Int!) { boards(ids: $ids) { items_page(limit: $limit) "
            "{ items { column_values { id text } } } } }",
        ),
        (
            "query order(id: ID!)",
            ["data.order.lineItems(first: 50).nodes[*].title", "data.order.lineItems(first: 50).nodes[*].sku"],
            "query($id: ID!) { order(id: $id) { lineItems(first: 50) { nodes { title sku } } } }",
        ),
        (
            "mutation tagsAdd(id: ID!)",
            ["data.tagsAdd"],
            "mutation($id: ID!) { tagsAdd(id: $id) { userErrors { message } } }",
        ),
        ("mutation update_board(id: ID!): JSON", [], "mutation($id: ID!) { update_board(id: $id) }"),
        ("query shop", ["data.shop"], "query { shop { __typename } }"),
    ],
)
def test_a_document_asks_for_the_paths_that_are_read(text: str, paths: list[str], expected: str) -> None:
    payload = ["userErrors.message"] if "tagsAdd" in text else []
    assert graphql_body(call(text), paths, {}, {}, payload)["query"] == expected


def test_values_are_variables_of_their_types_and_never_a_part_of_the_document() -> None:
    asked = call("query a(n: Int!, on: Boolean, ids: [ID!], text: String, missing: String)")
    given: JsonObject = {"n": "7", "on": "true", "ids": HOSTILE, "text": HOSTILE}
    body = graphql_body(asked, ["data.a.id"], given, {"missing": ""})
    assert body["variables"] == {"n": 7, "on": True, "ids": [HOSTILE], "text": HOSTILE}
    assert HOSTILE not in json.dumps(body["query"])


def test_what_is_not_given_is_taken_from_the_key() -> None:
    assert graphql_body(call("query a(id: ID!)"), [], {}, {"id": "7"})["variables"] == {"id": "7"}


@pytest.mark.parametrize("text", ["query a(b: Int!).c(b: Int!)", "query a(b: Int!", "query a-b"])
def test_a_call_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(InvalidManifest):
        call(text)


def test_a_parameter_that_is_no_argument_is_refused() -> None:
    manifest = {
        "id": "acme",
        "title": "Acme",
        "evidence_note": "None.",
        "transport": "graphql",
        "base_url": "https://acme.example/graphql",
        "auth": [{"kind": "none"}],
        "entities": {
            "a": {
                "fields": {"id": "key"},
                "list": "query a(first: Int!)",
                "paging": {"kind": "cursor", "param": "after", "next": "end", "size": {"param": "first"}},
            }
        },
    }
    with pytest.raises(InvalidManifest, match="has no argument 'after'; there are: first"):
        manifest_of(json.dumps(manifest), "acme")
