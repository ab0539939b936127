"""What a list asks the system for, and what is left to be done here."""

import pytest

from openplaybook.connectors.base import EntityQuery, SortKey
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import UnknownName, UnsuitedColumn
from openplaybook.connectors.rest.entity_form import EntityForm
from openplaybook.connectors.rest.entity_pages import list_plan
from openplaybook.connectors.rest.entity_requests import ListPlan, page_request
from openplaybook.connectors.rest.systems import manifest_of

TEXT = """
id: acme
title: Acme
evidence_note: None.
base_url: https://acme.example
auth: [{kind: none}]
entities:
  files:
    fields: {shelf: string key scope, id: key, name: string, owner: {type: string, path: owners.name}, made: timestamp,
      labels: object nofilter}
    list: {http: GET /files, params: {fields: "*", space: all}, body: {}}
    items: data.files
    paging: {kind: cursor, param: pageToken, next: nextPageToken, size: {param: pageSize, max: 100}}
    select: {param: fields, style: partial, dots: true}
    filter: {language: search, param: q, statement: "trashed = false{and}", only: [name, made],
      syntax: {"=": "{name} = {value}", joint: " and ", any_joint: " or ", group: "({})", quote: "'"},
      params: {made >=: {param: since, loose: true}}}
    sort: {param: orderBy, style: "{name}", columns: [name]}
"""
FILES = manifest_of(TEXT, "acme").entities["files"]
FORM = EntityForm(FILES, "files", FILES.fields)


def planned(condition: str = "", fields: tuple[str, ...] = (), sort: tuple[SortKey, ...] = ()) -> ListPlan:
    return list_plan(FORM, EntityQuery("files", parsed_condition(condition) if condition else None, fields, sort))


def asked(plan: ListPlan) -> dict[str, str]:
    return dict(page_request(plan, None, 10, {}).query)


def test_fields_are_asked_for_in_the_whole_reply_and_in_place_of_the_constant_parameter() -> None:
    query = asked(planned(fields=("name", "owner")))
    assert query["fields"] == "nextPageToken,data/files(id,name,owners/name)"
    assert query["space"] == "all"


def test_a_member_of_a_column_is_a_name_and_nothing_else() -> None:
    for column in ("name.x) or (1 = 1", "name.'", "name.a b", "name.", "name..a", "name.a^b"):
        with pytest.raises(UnknownName):
            planned(f'"{column}" = 1')


def test_a_field_that_cannot_be_filtered_by_is_told_from_one_that_is_not_there() -> None:
    with pytest.raises(
        UnsuitedColumn, match="the column 'labels' cannot be filtered by; these can be: shelf, id, name"
    ):
        planned("labels = 'x'")
    with pytest.raises(UnknownName, match=r"there is no column 'label'; there are: shelf, id, name, owner, made$"):
        planned("label = 'x'")


def test_alternatives_behind_an_and_are_held_together() -> None:
    assert asked(planned("name = 'a' OR name = 'b'"))["q"] == "trashed = false and (name = 'a' or name = 'b')"
    assert asked(planned())["q"] == "trashed = false"


def test_a_test_that_the_system_tries_loosely_is_tried_here_too() -> None:
    plan = planned("made >= '2026-11-26T00:00:00Z'")
    assert asked(plan)["since"] == "2026-11-26T00:00:00Z"
    assert plan.pushed.left == parsed_condition("made >= '2026-11-26T00:00:00Z'")


def test_the_system_orders_only_in_the_direction_that_it_knows() -> None:
    assert planned(sort=(SortKey("name"),)).local_sort == ()
    assert planned(sort=(SortKey("name", is_descending=True),)).local_sort != ()


def test_a_part_of_the_address_that_no_condition_said_is_taken_from_the_reply() -> None:
    found = {"shelf": "s1", "id": "f1"}
    assert FORM.key_of(found, {}) == '["s1","f1"]'
    assert FORM.key_of(found, {"shelf": "s2"}) == '["s2","f1"]'
