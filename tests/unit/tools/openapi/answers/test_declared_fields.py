"""Of an answer, what its description declares."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Success
from openplaybook.tools.openapi.answers.declared_fields import only_declared
from tests.kit.openapi import harness, operation, responds

NAME: JsonObject = {"type": "object", "properties": {"name": {"type": "string"}}}


def kept(schema: JsonObject, value: JsonValue, **definitions: JsonObject) -> JsonValue:
    answers: JsonObject = {"type": "object", "properties": {"200": schema}, "$defs": definitions}
    return only_declared(answers, "200", value)


@pytest.mark.parametrize(
    ("schema", "value", "left"),
    [
        (NAME, {"name": "Rex", "age": 3}, {"name": "Rex"}),
        (NAME, {"age": 3}, {}),
        ({"type": "array", "items": NAME}, [{"name": "Rex", "age": 3}, 5], [{"name": "Rex"}, 5]),
        ({"properties": {"pet": NAME}}, {"pet": {"name": "Rex", "age": 3}}, {"pet": {"name": "Rex"}}),
        ({"allOf": [NAME, {"properties": {"age": {}}}]}, {"name": "Rex", "age": 3, "x": 1}, {"name": "Rex", "age": 3}),
        ({"anyOf": [NAME, {"type": "null"}]}, {"name": "Rex", "x": 1}, {"name": "Rex"}),
        ({"$ref": "#/$defs/Node"}, {"next": {"next": {}, "x": 1}, "x": 1}, {"next": {"next": {}}}),
        ({"type": "object"}, {"any": 1}, {"any": 1}),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, {"any": 1}, {"any": 1}),
        ({**NAME, "additionalProperties": True}, {"name": "Rex", "age": 3}, {"name": "Rex", "age": 3}),
        ({**NAME, "additionalProperties": False}, {"name": "Rex", "age": 3}, {"name": "Rex"}),
        (NAME, "text", "text"),
        (NAME, None, None),
    ],
)
def test_members_that_nobody_declares_are_left_out(schema: JsonObject, value: JsonValue, left: JsonValue) -> None:
    node: JsonObject = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}
    assert kept(schema, value, Node=node) == left


@pytest.mark.parametrize(("status", "left"), [("200", {"name": 1}), ("201", {"name": 1}), ("404", {"name": 1, "x": 1})])
def test_the_schema_is_that_of_the_status(status: str, left: JsonValue) -> None:
    answers: JsonObject = {"properties": {"200": NAME, "2XX": NAME}}
    assert only_declared(answers, status, {"name": 1, "x": 1}) == left
    assert only_declared(None, status, {"x": 1}) == {"x": 1}


@given(st.recursive(st.none() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_a_value_without_a_schema_stays_as_it_is(value: JsonValue) -> None:
    assert kept({}, value) == value


async def test_a_tool_may_ignore_what_its_description_does_not_know() -> None:
    document = operation(responses={"200": {"content": {"application/json": {"schema": NAME}}}})
    reply = responds(b'{"name": "Rex", "age": 3}')
    assert await harness(document, reply).call({}) == Success({"200": {"name": "Rex", "age": 3}})
    lenient = harness(document, reply, ignoreUnknownFields=True)
    assert await lenient.call({}) == Success({"200": {"name": "Rex"}})
