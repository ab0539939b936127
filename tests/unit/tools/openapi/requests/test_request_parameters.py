"""The parameters of an operation."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.openapi.description.json_references import UnresolvableReference
from openplaybook.tools.openapi.requests.parameter_places import ParameterPlace
from openplaybook.tools.openapi.requests.request_parameters import (
    InvalidParameter,
    Known,
    Parameter,
    build,
    ignored_because,
    merged,
    style_remark,
)
from openplaybook.tools.openapi.schemas.definitions import Definitions
from openplaybook.tools.schema.dialect import Direction

ROOT: JsonObject = {"components": {"parameters": {"Id": {"name": "id", "in": "path"}}, "schemas": {"Pet": {}}}}


def built(*sources: JsonObject) -> list[Parameter]:
    return build(sources, Definitions(ROOT, Direction.INPUT), {})


def one(place: str, **more: object) -> Parameter:
    (parameter,) = built({"name": "color", "in": place, **more})
    return parameter


def test_parameters_of_the_operation_override_those_of_its_path() -> None:
    path: JsonObject = {"parameters": [{"name": "a", "in": "query", "x": 1}, {"$ref": "#/components/parameters/Id"}]}
    own: JsonObject = {"parameters": [{"name": "a", "in": "query", "x": 2}, {"name": "a", "in": "header"}]}
    assert [(each["name"], each["in"], each.get("x")) for each in merged(ROOT, path, own)] == [
        ("a", "query", 2),
        ("id", "path", None),
        ("a", "header", None),
    ]
    assert merged(ROOT, {}, {}) == merged(ROOT, {"parameters": None}, {"parameters": {}}) == []


def test_a_parameter_that_leads_nowhere_is_refused() -> None:
    with pytest.raises(UnresolvableReference):
        merged(ROOT, {}, {"parameters": [{"$ref": "#/nowhere"}]})


INJECTED: JsonObject = {"x-agent-input-parameter": "token"}


@pytest.mark.parametrize(
    ("source", "is_ignored"),
    [
        ({"in": "header", "name": "Accept"}, True),
        ({"in": "header", "name": "CONTENT-TYPE"}, True),
        ({"in": "header", "name": "Authorization"}, True),
        ({"in": "header", "name": "Authorization", **INJECTED}, False),
        ({"in": "header", "name": "authorization", "schema": INJECTED}, False),
        ({"in": "header", "name": "Host", **INJECTED}, True),
        ({"in": "header", "name": "Content-Length"}, True),
        ({"in": "header", "name": "transfer-encoding"}, True),
        ({"in": "header", "name": "Proxy-Authorization"}, True),
        ({"in": "header", "name": "X-Owner"}, False),
        ({"in": "header", "name": "Content-Type:application/json"}, True),
        ({"in": "header", "name": "Account Id", "required": True}, False),
        ({"in": "query", "name": "Account Id"}, False),
        ({"in": "query", "name": "Authorization"}, False),
        ({"in": "query", "name": "host"}, False),
        ({}, False),
    ],
)
def test_headers_that_others_set_play_no_part(source: JsonObject, is_ignored: bool) -> None:
    assert bool(ignored_because(source)) is is_ignored


@pytest.mark.parametrize(
    ("place", "more", "value", "written"),
    [
        ("path", {}, ["a", "b"], "a,b"),
        ("query", {}, ["a", "b"], "color=a&color=b"),
        ("query", {"explode": False}, ["a", "b"], "color=a,b"),
        ("query", {"explode": "false"}, ["a", "b"], "color=a,b"),
        ("query", {"style": "deepObject"}, {"a": 1}, "color%5Ba%5D=1"),
        ("query", {"style": "pipeDelimited"}, ["a", "b"], "color=a%7Cb"),
        ("header", {}, ["a b", "c"], "a b,c"),
        ("header", {"explode": True}, {"a": 1}, "a=1"),
        ("cookie", {}, "a;b", "color=a%3Bb"),
        ("cookie", {}, "a=b&c", "color=a=b&c"),
        ("cookie", {"explode": False}, ["a", "b"], "color=a,b"),
    ],
)
def test_every_place_has_its_default_style(place: str, more: JsonObject, value: JsonValue, written: str) -> None:
    assert one(place, **more).write(value) == written


@pytest.mark.parametrize(
    ("place", "written"),
    [("query", "color=a/b?c"), ("path", "a%2Fb%3Fc"), ("cookie", "color=a/b%3Fc"), ("header", "a/b?c")],
)
def test_reserved_characters_are_let_through_only_in_a_query(place: str, written: str) -> None:
    expected = "color=a/b?c" if place == "cookie" else written
    assert one(place, allowReserved=True).write("a/b?c") == expected


def test_a_parameter_with_a_media_type_is_json_in_its_place() -> None:
    contents: JsonObject = {"application/json": {"schema": {"type": "object"}}}
    assert one("query", content=contents).write({"a": [1]}) == "color=%7B%22a%22%3A%5B1%5D%7D"
    assert one("query", content=contents).schema == {"type": "object"}


@pytest.mark.parametrize(
    ("more", "schema"),
    [
        ({}, {"type": "string"}),
        ({"schema": {"type": "integer"}}, {"type": "integer"}),
        ({"schema": {}, "description": "d"}, {"description": "d"}),
        ({"schema": {"description": "own"}, "description": "d"}, {"description": "own"}),
        ({"schema": {}, **INJECTED}, INJECTED),
        ({"schema": {"x-agent-input-parameter": "inner"}, **INJECTED}, INJECTED),
        ({"schema": {"$ref": "#/components/schemas/Pet"}}, {"$ref": "#/$defs/Pet"}),
        ({"schema": {}, "description": 5}, {}),
    ],
)
def test_the_schema_takes_what_stands_beside_it(more: JsonObject, schema: JsonObject) -> None:
    assert one("query", **more).schema == schema


@pytest.mark.parametrize(
    ("place", "required", "expected"),
    [
        ("path", None, True),
        ("path", False, True),
        ("query", None, False),
        ("query", True, True),
        ("query", "true", True),
    ],
)
def test_a_parameter_of_the_path_is_always_required(place: str, required: JsonValue, expected: bool) -> None:
    assert one(place, **({} if required is None else {"required": required})).required is expected


def test_equal_names_in_several_places_are_told_apart() -> None:
    sources = [{"name": "id", "in": place} for place in ("path", "query", "header", "cookie")]
    assert [each.argument for each in built(*sources)] == ["id", "id_query", "id_header", "id_cookie"]
    assert [each.name for each in built(*sources)] == ["id"] * 4
    assert [each.argument for each in built({"name": "requestBody", "in": "query"})] == ["requestBody_query"]
    taken = [{"name": "id", "in": "path"}, {"name": "id_query", "in": "query"}, {"name": "id", "in": "query"}]
    assert [each.argument for each in built(*taken)] == ["id", "id_query", "id_query_query"]


def test_a_parameter_that_operations_share_is_compiled_once() -> None:
    definitions, known = Definitions(ROOT, Direction.INPUT), Known()
    shared: JsonObject = {"name": "id", "in": "path"}
    (first,), (second,) = (build([shared], definitions, known) for _ in range(2))
    assert first is second
    assert build([dict(shared)], definitions, known)[0] is not first


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"in": "query"}, "a parameter has no name"),
        ({"in": "query", "name": ""}, "a parameter has no name"),
        ({"in": "query", "name": 5}, "a parameter has no name"),
        ({"name": "a"}, "a: in must be one of path, query, header, cookie, not None"),
        ({"name": "a", "in": "body"}, "a: in must be one of path, query, header, cookie, not 'body'"),
        ({"name": "a\r\nb", "in": "header"}, "'a\\r\\nb' is not a header name"),
    ],
)
def test_what_cannot_be_written_is_refused(source: JsonObject, message: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        built(source)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("place", "style", "used", "allowed"),
    [
        ("path", "form", "simple", "simple, label, matrix"),
        ("query", "matrix", "form", "form, spaceDelimited, pipeDelimited, tabDelimited, deepObject"),
        ("header", "form", "simple", "simple"),
        ("cookie", "simple", "form", "form"),
        ("query", ["form"], "form", "form, spaceDelimited, pipeDelimited, tabDelimited, deepObject"),
    ],
)
def test_a_style_that_its_place_does_not_have_gives_way_to_the_usual_one(
    place: str, style: JsonValue, used: str, allowed: str
) -> None:
    source: JsonObject = {"name": "a", "in": place, "style": style}
    assert style_remark(source) == f"style {style} is not allowed in {place}, so {used} is used; allowed: {allowed}"
    odd, usual = built(source)[0], built({"name": "a", "in": place})[0]
    assert (odd.style, odd.explode) == (usual.style, usual.explode)
    assert style_remark({"name": "a", "in": place}) == ""


def test_a_parameter_knows_its_place() -> None:
    assert [one(place.value).place for place in ParameterPlace] == list(ParameterPlace)
