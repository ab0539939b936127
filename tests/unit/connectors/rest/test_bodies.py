"""Bodies and query strings are written as each kind of API reads them."""

import re

import pytest

from openplaybook.connectors.rest.bodies import encoded_body, query_string
from openplaybook.connectors.rest.entity_requests import json_patch
from openplaybook.connectors.rest.manifest.kinds import BodyKind
from openplaybook.jsonvalues import JsonObject


def test_a_query_keeps_brackets_and_commas_and_encodes_all_else() -> None:
    pairs = [("created[gt]", "1"), ("fields", "a,b"), ("$filter", "a eq 'x&y=z'"), ("q", "ü #1"), ("at", "09:00+01")]
    assert query_string(pairs) == (
        "created[gt]=1&fields=a,b&$filter=a%20eq%20%27x%26y%3Dz%27&q=%C3%BC%20%231&at=09:00%2B01"
    )


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"a": {"b": [{"c": 1}, {"c": 2}]}, "d": True}, "a[b][0][c]=1&a[b][1][c]=2&d=true"),
        ({"a": None, "b": []}, "a=&b="),
        ({"metadata": {"x&y": "1=2"}}, "metadata[x%26y]=1%3D2"),
        ({}, ""),
    ],
)
def test_a_form_with_brackets_has_objects_and_arrays(members: JsonObject, text: str) -> None:
    assert encoded_body(BodyKind.FORM_BRACKETS, members) == ("application/x-www-form-urlencoded", text.encode())


def test_a_form_has_objects_as_json() -> None:
    kind, body = encoded_body(BodyKind.FORM, {"text": "a b", "blocks": [{"x": 1}], "flag": False})
    assert kind == "application/x-www-form-urlencoded"
    assert body == b"text=a+b&blocks=%5B%7B%22x%22%3A1%7D%5D&flag=false"


def test_the_parts_of_a_form_cannot_be_ended_by_a_value() -> None:
    value = 'x\r\n--boundary\r\nContent-Disposition: form-data; name="admin"\r\n\r\n1'
    kind, body = encoded_body(BodyKind.MULTIPART, {'na"me\r\n': value})
    boundary = re.fullmatch(r"multipart/form-data; boundary=([0-9a-f]{32})", kind)
    assert boundary is not None
    parts = body.split(f"--{boundary[1]}".encode())
    assert len(parts) == 3
    assert b'name="na%22me%0D%0A"' in parts[1]
    assert value.encode() in parts[1]


def test_changes_become_replacements_of_their_places() -> None:
    members: JsonObject = {"name": "x", "address": {"city": "y", "zip": None}, "a/b": 1, "tags": ["t"]}
    assert json_patch(members) == [
        {"op": "replace", "path": "/name", "value": "x"},
        {"op": "replace", "path": "/address/city", "value": "y"},
        {"op": "remove", "path": "/address/zip"},
        {"op": "replace", "path": "/a~1b", "value": 1},
        {"op": "replace", "path": "/tags", "value": ["t"]},
    ]
