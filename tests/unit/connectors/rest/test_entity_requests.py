"""Fields and order are asked for as each system wants it."""

import pytest

from openplaybook.connectors.base import EntityQuery, SortKey
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.rest.entity_form import EntityForm
from openplaybook.connectors.rest.entity_pages import list_plan
from openplaybook.connectors.rest.entity_requests import page_request
from openplaybook.connectors.rest.systems import manifest_of
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, loads

FIELDS: JsonObject = {
    "id": "key",
    "name": "string",
    "owner": {"type": "string", "path": "owner.name"},
    "tags": {"type": "string[]", "path": "tags[*].label"},
    "created": "timestamp ro",
    "repo": "string scope",
    "note": "string wo",
}


def asked(query: EntityQuery, **entity: JsonValue) -> tuple[dict[str, str], JsonValue]:
    """The query and the body of the first page."""
    text = dumps(
        {
            "id": "acme",
            "title": "Acme",
            "evidence_note": "None.",
            "base_url": "https://acme.example",
            "auth": [{"kind": "none"}],
            "entities": {"items": {"fields": FIELDS, "list": "GET /items"} | entity},
        }
    )
    manifest = manifest_of(text.decode(), "acme").entities["items"]
    request = page_request(list_plan(EntityForm(manifest, "items", manifest.fields), query), None, 10, {})
    return dict(request.query), loads(request.body) if request.body else None


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        ({"param": "fields"}, {"fields": "id,name,owner"}),
        ({"param": "fields", "dots": True}, {"fields": "id,name,owner.name"}),
        ({"param": "fields", "dots": True, "implied": ["name"]}, {"fields": "id,owner"}),
        ({"param": "fields", "prefix": "data.", "always": ["total"]}, {"fields": "total,data.id,data.name,data.owner"}),
        ({"param": "fields", "around": "items({names})"}, {"fields": "items(id,name,owner)"}),
        ({"param": "f", "style": "brackets"}, {"f[]": "owner"}),
        ({"style": "odata"}, {"$select": "id,name,owner"}),
        ({}, {}),
    ],
)
def test_the_chosen_fields_and_the_key_are_asked_for(select: JsonObject, expected: dict[str, str]) -> None:
    query, _ = asked(EntityQuery("items", fields=("name", "owner")), select=select)
    assert query == expected


def test_what_is_tried_here_is_asked_for_besides() -> None:
    query = EntityQuery("items", parsed_condition("tags LIKE '%a%'"), ("name",))
    assert asked(query, select={"param": "fields"})[0] == {"fields": "id,name,tags"}


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ({"param": "order"}, {"order": "name desc"}),
        ({"param": "order", "style": "{minus}{name}"}, {"order": "-name"}),
        ({"param": "order", "direction_param": "dir", "descending": "DESC"}, {"order": "name", "dir": "DESC"}),
        ({"param": "order", "columns": {"name": "title"}}, {"order": "title desc"}),
        ({"param": "order", "columns": ["created"]}, {}),
        ({}, {}),
    ],
)
def test_the_order_is_asked_for_where_the_system_has_it(sort: JsonObject, expected: dict[str, str]) -> None:
    assert asked(EntityQuery("items", sort=(SortKey("name", is_descending=True),)), sort=sort)[0] == expected


def test_several_keys_are_asked_for_where_they_can_be_joined() -> None:
    query = EntityQuery("items", sort=(SortKey("name"), SortKey("created", is_descending=True)))
    assert asked(query, sort={"param": "order", "joint": ","})[0] == {"order": "name asc,created desc"}
    assert asked(query, sort={"param": "order"})[0] == {}


def test_a_statement_is_the_whole_text() -> None:
    query = EntityQuery(
        "items", parsed_condition("name = 'it''s'"), ("id", "name"), (SortKey("created", is_descending=True),)
    )
    filtering: JsonObject = {
        "language": "soql",
        "param": "q",
        "statement": "SELECT {names} FROM {entity}{condition}{order} LIMIT {size} OFFSET {offset}",
    }
    assert asked(query, filter=filtering, sort="language")[0] == {
        "q": "SELECT id, name FROM items WHERE name = 'it\\'s' ORDER BY created DESC LIMIT 10 OFFSET 0"
    }


def test_a_value_that_is_put_into_a_text_without_quotes_is_a_plain_word() -> None:
    filtering: JsonObject = {
        "language": "search",
        "param": "q",
        "statement": "repo:{repo}{and}",
        "syntax": {"=": "{name}:{value}"},
    }
    query = EntityQuery("items", parsed_condition("repo = 'a-1' AND name = 'b c'"))
    assert asked(query, filter=filtering)[0] == {"q": 'repo:a-1 name:"b c"'}
    with pytest.raises(InvalidValue, match="repo"):
        asked(EntityQuery("items", parsed_condition("repo = 'a is:secret'")), filter=filtering)
    with pytest.raises(InvalidValue, match="must say repo"):
        asked(EntityQuery("items"), filter=filtering)


def test_parameters_may_go_into_a_body() -> None:
    listing: JsonObject = {"http": "POST /search", "in": "body", "body": {"kind": "item"}, "params": {"lang": "en"}}
    query = EntityQuery("items", parsed_condition("name = 'x'"))
    paging: JsonObject = {"kind": "offset", "param": "page.start", "size": {"param": "page.size"}}
    found = asked(query, list=listing, filter={"params": {"name": "filter.name"}}, paging=paging)
    assert found == ({}, {"kind": "item", "lang": "en", "filter": {"name": "x"}, "page": {"size": 10, "start": 0}})


def test_the_way_to_list_is_taken_that_can_try_more() -> None:
    search: JsonObject = {"http": "GET /search", "filter": {"params": ["name", "created"]}, "params": {"s": "1"}}
    more: JsonObject = {"filter": {"params": ["name"]}, "search": search}
    assert asked(EntityQuery("items", parsed_condition("name = 'x'")), **more)[0] == {"name": "x"}
    both = parsed_condition("name = 'x' AND created = '2026-11-26'")
    assert asked(EntityQuery("items", both), **more)[0] == {"s": "1", "name": "x", "created": "2026-11-26"}
