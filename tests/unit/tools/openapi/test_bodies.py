"""Which media type a body is sent in, and how it is written."""

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue, loads
from openplaybook.tools.openapi.bodies import Body, UnsupportedBody, body_of, is_json, json, plain, urlencoded
from openplaybook.tools.openapi.definitions import Definitions
from openplaybook.tools.schema.dialect import Direction

FORM = "application/x-www-form-urlencoded"


def body(source: JsonValue, root: JsonObject | None = None) -> Body | None:
    root = root or {}
    return body_of(root, {"requestBody": source}, Definitions(root, Direction.INPUT))


def with_types(*media_types: str) -> Body:
    made = body({"content": {media_type: {"schema": {"title": media_type}} for media_type in media_types}})
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("media_type", "expected"),
    [
        ("application/json", True),
        ("Application/JSON; charset=utf-8", True),
        ("text/json", True),
        ("application/problem+json", True),
        ("application/vnd.api+JSON", True),
        ("application/jsonl", False),
        ("application/xml", False),
        ("*/*", False),
        ("", False),
    ],
)
def test_json_is_known_by_its_type_or_suffix(media_type: str, expected: bool) -> None:
    assert is_json(media_type) is expected


@pytest.mark.parametrize(
    ("declared", "chosen", "sent"),
    [
        (["application/xml", "application/json"], "application/json", "application/json"),
        (["text/plain", FORM], FORM, FORM),
        ([FORM, "*/*"], "*/*", "application/json"),
        (["*/*", "application/vnd.x+json"], "application/vnd.x+json", "application/vnd.x+json"),
        (["application/*"], "application/*", "application/json"),
        (["application/json; charset=utf-8"], "application/json; charset=utf-8", "application/json; charset=utf-8"),
        (["application/xml", "text/plain"], "text/plain", "text/plain"),
        (["multipart/form-data", "text/csv"], "text/csv", "text/csv"),
        (["text/*"], "text/*", "text/plain"),
        (["application/*+json"], "application/*+json", "application/json"),
        (["application/x-ndjson"], "application/x-ndjson", "application/x-ndjson"),
    ],
)
def test_what_json_can_stand_for_is_preferred(declared: list[str], chosen: str, sent: str) -> None:
    made = with_types(*declared)
    assert (made.schema["title"], made.media_type) == (chosen, sent)


@pytest.mark.parametrize("media_type", ["multipart/form-data", "application/octet-stream", "image/png", ""])
def test_other_media_types_cannot_be_written(media_type: str) -> None:
    with pytest.raises(UnsupportedBody, match="are not supported yet"):
        with_types(media_type)


@pytest.mark.parametrize("source", [None, {}, {"content": {}}, {"content": None}])
def test_an_operation_may_have_no_body(source: JsonValue) -> None:
    assert body(source) is None


def test_a_body_may_be_a_reference_and_its_description_goes_to_the_schema() -> None:
    shared: JsonObject = {"required": "true", "description": "A pet", "content": {"application/json": {"schema": {}}}}
    made = body({"$ref": "#/components/requestBodies/Pet"}, {"components": {"requestBodies": {"Pet": shared}}})
    assert made is not None
    assert (made.required, made.schema) == (True, {"description": "A pet"})
    own = body({"description": "A pet", "content": {"application/json": {"schema": {"description": "own"}}}})
    assert own is not None
    assert (own.required, own.schema) == (False, {"description": "own"})


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"a": "b c"}, b"a=b+c"),
        ({"a": [1, "x y"]}, b"a=1&a=x+y"),
        ({"a": {"b": 1}}, b"a=%7B%22b%22%3A1%7D"),
        ({"a": True, "b": None, "c": 1.5}, b"a=true&b=null&c=1.5"),
        ({"a": "", "b": []}, b"a="),
        ({"a&b": "c=d"}, b"a%26b=c%3Dd"),
        ({"ü": "ß"}, b"%C3%BC=%C3%9F"),
        ({}, b""),
        ("text", b""),
        ([1], b""),
    ],
)
def test_a_form_is_written_member_by_member(value: JsonValue, written: bytes) -> None:
    assert urlencoded(value) == written


@pytest.mark.parametrize(
    ("value", "written"), [("hello\n", b"hello\n"), ({"a": 1}, b'{"a":1}'), (5, b"5"), (True, b"true")]
)
def test_a_text_is_written_as_it_is(value: JsonValue, written: bytes) -> None:
    assert plain(value) == written


@given(st.dictionaries(st.text(min_size=1, max_size=5), st.text(max_size=8), max_size=5))
def test_any_form_comes_back(members: dict[str, str]) -> None:
    assert dict(parse_qsl(urlencoded(members).decode(), keep_blank_values=True)) == members
    assert loads(json(members)) == members
