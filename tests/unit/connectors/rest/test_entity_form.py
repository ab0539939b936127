"""Entities that are made of objects of a system: many are read as each is."""

from decimal import Decimal

import pytest

from openplaybook.connectors.rest.entity_form import EntityForm
from openplaybook.connectors.rest.systems import manifest_of
from openplaybook.jsonvalues import JsonValue

ITEMS: list[JsonValue] = [
    {"id": "a", "name": "Ann", "price": 1.5, "made": 1_795_651_200, "owner": {"name": "Eve"}, "inner": {"size": 3}},
    {"id": 7, "name": 2**53 + 1, "price": Decimal("1.10"), "made": -1, "tags": [{"id": 2**60}], "size": 4},
    {"id": None, "owner.name": "Dot", "made": 253_402_300_800, "inner": {"size": None, "price": 2}, "size": 5},
    {"id": "b", "made": True, "inner": "text", "price": "12", "*": 1, "area": "x"},
    "no object",
    [],
    None,
]
"""What systems give, also where it is not what the manifest says."""


TEXT = """
id: acme
title: Acme
evidence_note: None.
base_url: https://acme.example
auth: [{kind: none}]
entities:
  things:
    fields: {id: key, name: string, price: decimal, made: epoch, tags: any, size: bigint, area: string scope,
      owner: {type: string, path: owner.name}, star: {type: any, path: "*"}}
    list: {http: "GET /{area}/things"}
"""


def form_of(more: str = "") -> EntityForm:
    manifest = manifest_of(TEXT + more, "acme").entities["things"]
    return EntityForm(manifest, "things", manifest.fields)


@pytest.mark.parametrize("more", ["", "    flatten: inner"], ids=["beside each other", "within a member"])
@pytest.mark.parametrize("scope", [{}, {"area": "north"}], ids=["without scope", "with scope"])
@pytest.mark.parametrize("names", [(), ("name", "made"), ("price", "id"), ("owner",)], ids=str)
def test_many_objects_are_read_as_each_is(more: str, scope: dict[str, str], names: tuple[str, ...]) -> None:
    form = form_of(more)
    fields = form.chosen(names)
    made = form.entities(ITEMS, fields, scope, has_large=True)
    assert made == [form.entity(each, fields, scope) for each in ITEMS]
    assert [list(each.fields) for each in made] == [[each.name for each in fields]] * len(ITEMS)
    small = [each for each in ITEMS if each is not ITEMS[1]]
    assert form.entities(small, fields, scope, has_large=False) == [form.entity(each, fields, scope) for each in small]


def test_large_numbers_become_texts_where_there_may_be_any() -> None:
    form = form_of()
    [entity] = form.entities([ITEMS[1]], form.chosen(()), {}, has_large=True)
    assert entity.key == "7"
    assert entity.fields["name"] == str(2**53 + 1)
    assert entity.fields["price"] == "1.10"
    assert entity.fields["tags"] == [{"id": str(2**60)}]
