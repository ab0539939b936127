"""Who wins when a value may come from several places: the whole table, at every depth."""

import itertools

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import ToolContext
from openplaybook.tools.openapi.schemas.definitions import Definitions
from openplaybook.tools.openapi.schemas.filler import Filler
from openplaybook.tools.openapi.schemas.injection import MISSING, Sources, is_known_source
from openplaybook.tools.schema.dialect import Direction

SESSION, MODEL, DEFAULT = "from session", "from model", "from default"
ROOT: JsonObject = {
    "components": {
        "schemas": {"Name": {"type": "string", "x-agent-input-parameter": "name"}, "Plain": {"type": "string"}}
    }
}


def sources(payload: JsonObject | None = None, **parameters: JsonValue) -> Sources:
    return Sources(ToolContext("session-1", parameters=parameters, payload=payload or {}))


def filled(schema: JsonObject, value: JsonValue, given: Sources, *, required: bool = False) -> JsonValue:
    return Filler(Definitions(ROOT, Direction.INPUT)).fill(schema, value, given, required=required)


def in_body(schema: JsonObject) -> JsonObject:
    return {"type": "object", "properties": {"deep": {"type": "object", "properties": {"x": schema}}}}


TABLE = list(itertools.product([True, False], repeat=4))
"""Whether the schema names a source, the session has it, the model gives a value, the schema has a default."""


def winner(named: bool, held: bool, given: bool, default: bool) -> JsonValue:
    """The rule in words: session, else model, else default, else nothing."""
    if named and held:
        return SESSION
    if given:
        return MODEL
    return DEFAULT if default else MISSING


@pytest.mark.proves("O9", "O10")
@pytest.mark.parametrize(("named", "held", "given", "default"), TABLE)
def test_the_session_wins_over_the_model_and_the_model_over_the_default(
    named: bool, held: bool, given: bool, default: bool
) -> None:
    schema: JsonObject = {"type": "string"}
    schema |= {"x-agent-input-parameter": "name"} if named else {}
    schema |= {"default": DEFAULT} if default else {}
    values = sources(name=SESSION) if held else sources()
    expected = winner(named, held, given, default)
    assert filled(schema, MODEL if given else MISSING, values) == expected
    body: JsonValue = {"deep": {"x": MODEL}} if given else {"deep": {}}
    assert filled(in_body(schema), body, values) == {"deep": {} if expected is MISSING else {"x": expected}}


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("name", "Kim"),
        ("$session.params.name", "Kim"),
        ("a.b", "dotted key"),
        ("owner.city", "Bonn"),
        ("$session.params.owner.city", "Bonn"),
        ("$request.payload.name", "Lee"),
        ("$request.payload.deep.er", 5),
        ("zero", 0),
        ("no", False),
        ("empty", ""),
        ("@dialogflow/sessionId", "session-1"),
        ("nothing", MISSING),
        ("gone", MISSING),
        ("owner.gone", MISSING),
        ("name.deeper", MISSING),
        ("$request.payload.gone", MISSING),
    ],
)
def test_a_source_is_followed_and_null_is_no_value(source: str, value: JsonValue) -> None:
    given = sources(
        {"name": "Lee", "deep": {"er": 5}},
        **{"name": "Kim", "a.b": "dotted key", "owner": {"city": "Bonn"}},
        zero=0,
        no=False,
        empty="",
        nothing=None,
    )
    assert given.value(source) == value


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("name", True),
        ("a.b", True),
        ("$session.params.name", True),
        ("$request.payload.name", True),
        ("@dialogflow/sessionId", True),
        ("$flow.name", False),
        ("$page.params.x", False),
        ("$session.name", False),
    ],
)
def test_only_known_forms_of_a_source_are_read(source: str, expected: bool) -> None:
    assert is_known_source(source) is expected
    if not expected:
        assert filled({"x-agent-input-parameter": source}, MODEL, sources(None, **{source: SESSION})) == MODEL


@pytest.mark.parametrize(
    ("schema", "concerns"),
    [
        ({"type": "string"}, False),
        ({"default": 1}, True),
        ({"x-agent-input-parameter": "a"}, True),
        ({"properties": {"a": {"items": {"default": 1}}}}, True),
        ({"$ref": "#/components/schemas/Name"}, True),
        ({"$ref": "#/components/schemas/Plain"}, False),
        ({"anyOf": [{"$ref": "#/components/schemas/Name"}]}, True),
    ],
)
def test_a_schema_concerns_the_filler_when_anything_in_it_does(schema: JsonObject, concerns: bool) -> None:
    definitions = Definitions(ROOT, Direction.INPUT)
    converted, _ = definitions.convert(schema)
    assert Filler(definitions).concerns(converted) is concerns


OBJECT = in_body({"type": "string", "default": DEFAULT})
INJECTED = in_body({"type": "string", "x-agent-input-parameter": "name"})


@pytest.mark.parametrize(
    ("schema", "value", "held", "required", "expected"),
    [
        (INJECTED, MISSING, True, False, {"deep": {"x": SESSION}}),
        (INJECTED, MISSING, False, False, MISSING),
        (INJECTED, MISSING, False, True, MISSING),
        (INJECTED, {}, False, False, {}),
        (OBJECT, MISSING, True, False, MISSING),
        (OBJECT, {}, True, False, {}),
        (OBJECT, {"deep": {}}, True, False, {"deep": {"x": DEFAULT}}),
        (OBJECT, {"deep": None}, True, False, {"deep": None}),
        (OBJECT, {"deep": "text"}, True, False, {"deep": "text"}),
        (OBJECT, None, True, True, None),
        ({"type": "array", "items": OBJECT}, [{"deep": {}}, 5], True, True, [{"deep": {"x": DEFAULT}}, 5]),
        ({"type": "array", "items": OBJECT}, MISSING, True, True, MISSING),
        ({"type": "array", "default": []}, MISSING, True, True, []),
    ],
)
def test_objects_are_made_for_injected_values_and_not_for_defaults_alone(
    schema: JsonObject, value: JsonValue, held: bool, required: bool, expected: JsonValue
) -> None:
    assert filled(schema, value, sources(name=SESSION) if held else sources(), required=required) == expected


def test_what_the_model_gave_is_not_changed_in_place() -> None:
    given: JsonObject = {"deep": {}}
    assert filled(OBJECT, given, sources()) == {"deep": {"x": DEFAULT}}
    assert given == {"deep": {}}


@pytest.mark.parametrize(
    ("required_names", "required", "expected"),
    [
        ([], False, {"x": DEFAULT}),
        (["x"], False, {"x": DEFAULT}),
        (["x", "y"], False, MISSING),
        (["x", "y"], True, {"x": DEFAULT}),
    ],
)
def test_an_optional_body_is_made_of_defaults_only_when_they_complete_it(
    required_names: list[str], required: bool, expected: JsonValue
) -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {"x": {"default": DEFAULT}, "y": {"type": "string"}},
        "required": required_names,
    }
    filler = Filler(Definitions(ROOT, Direction.INPUT))
    assert filler.fill_body(schema, MISSING, sources(), required=required) == expected
