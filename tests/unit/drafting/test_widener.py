"""Known schemas, widened for what was seen."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.drafting.acceptance import acceptance
from openplaybook.drafting.draft_remarks import Remarks
from openplaybook.drafting.schema_inference import schema_of
from openplaybook.drafting.widener import Widener
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.schema.dialect import Direction
from tests.kit.thoroughness import examples

GONE = "does not fit the samples and was removed."
BOTH = "$: another type was added, as the samples hold both."
MORE = "$: an alternative was added for what the samples hold."
TEXT: JsonObject = {"type": "string"}
INTEGER: JsonObject = {"type": "integer"}
DATE: JsonObject = {"type": "string", "format": "date"}
NULL: JsonObject = {"enum": [None], "nullable": True}


def widened(
    schema: JsonObject,
    *values: JsonValue,
    version: str = "3.0.3",
    direction: Direction = Direction.OUTPUT,
    **schemas: JsonObject,
) -> tuple[JsonObject, list[str]]:
    """The schema for these values too, and what was said; `schemas` are components, changed in their place."""
    remarks = Remarks()
    root: JsonObject = {"openapi": version, "components": {"schemas": schemas}}
    seen = list(enumerate(values))
    result = Widener(root, direction, remarks).widen(schema, seen, "$")
    again = Widener(root, direction, Remarks()).widen(result, seen, "$")
    assert again == result, "widening is not idempotent"
    return result, remarks.sentences


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        ({"type": "string", "description": "A name.", "maxLength": 9}, ["Rex"]),
        ({"type": "number"}, [3]),
        ({"type": "string", "format": "password"}, ["x"]),
        ({"type": "integer", "minimum": 1, "exclusiveMaximum": True, "maximum": 9}, [1, 8]),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, ["a", 1]),
        ({"anyOf": [INTEGER, DATE]}, ["2024-02-29", 1]),
        ({"type": "object", "additionalProperties": True}, [{"a": 1}]),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, [{"a": 1}]),
        ({"type": "object", "properties": {"a": {"nullable": True}}, "required": ["a"]}, [{"a": None}]),
        ({"description": "Anything."}, [{"a": 1}]),
        ({"allOf": [{"type": "object", "required": ["a"]}]}, [{"a": 1, "b": 2}]),
        ({"type": "array", "items": {"type": "string", "enum": ["x"]}}, [["x"], []]),
    ],
)
def test_a_schema_that_holds_stays(schema: JsonObject, values: list[JsonValue]) -> None:
    assert widened(schema, *values) == (schema, [])


@pytest.mark.parametrize(
    ("schema", "values", "expected", "remark"),
    [
        ({"type": "integer", "format": "int32"}, [1.5], {"type": "number"}, "$: integer became number."),
        ({"type": "integer"}, [2.0], {"type": "number"}, "$: integer became number."),
        (TEXT, [None], {**TEXT, "nullable": True}, "$: null is allowed now."),
        ({**TEXT, "enum": ["a"]}, ["b", "b"], {**TEXT, "enum": ["a", "b"]}, "$: the enumeration was extended."),
        ({**TEXT, "maxLength": 2}, ["abc"], TEXT, f"$: maxLength {GONE}"),
        ({**TEXT, "pattern": "^a"}, ["b"], TEXT, f"$: pattern {GONE}"),
        ({**TEXT, "format": "uuid"}, ["b"], TEXT, f"$: format uuid {GONE}"),
        (
            {**INTEGER, "maximum": 3, "exclusiveMaximum": True},
            [3],
            {**INTEGER, "maximum": 3},
            f"$: exclusiveMaximum {GONE}",
        ),
        ({**TEXT, "x-mine": 1}, [1], {"anyOf": [{**TEXT, "x-mine": 1}, INTEGER]}, BOTH),
        ({"oneOf": [TEXT]}, [1], {"anyOf": [{"oneOf": [TEXT]}, INTEGER]}, MORE),
        ({"anyOf": [TEXT]}, [None], {"anyOf": [TEXT, NULL]}, MORE),
        ({"anyOf": [INTEGER, DATE]}, ["2024-02-30"], {"anyOf": [INTEGER, DATE, TEXT]}, MORE),
        (
            {"type": "object", "properties": {"a": TEXT}, "required": ["a", "b"]},
            [{"b": 1}],
            {"type": "object", "properties": {"a": TEXT, "b": INTEGER}, "required": ["b"]},
            "$: no longer required: a.",
        ),
    ],
    ids=[
        *("number", "number with a point", "null", "enum", "maxLength", "pattern", "format", "exclusive"),
        *("type", "oneOf", "anyOf", "format of an alternative", "required"),
    ],
)
def test_what_does_not_hold_is_widened_and_remarked_on(
    schema: JsonObject, values: list[JsonValue], expected: JsonObject, remark: str
) -> None:
    assert widened(schema, *values) == (expected, [remark])


def test_a_new_member_is_added_without_being_required() -> None:
    mine: JsonObject = {"type": "string", "description": "Mine."}
    schema, remarks = widened({"type": "object", "properties": {"a": mine}}, {"a": "x", "born": "2024-01-01"})
    assert schema == {"type": "object", "properties": {"a": mine, "born": {"type": "string", "format": "date"}}}
    assert remarks == []


def test_what_says_nothing_yet_is_filled_in() -> None:
    assert widened({"type": "array", "items": {}}, [1]) == ({"type": "array", "items": {"type": "integer"}}, [])
    assert widened({"nullable": True}, "a") == ({"nullable": True, "type": "string"}, [])


def test_a_reference_is_widened_where_it_leads() -> None:
    pet: JsonObject = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    schema, remarks = widened({"$ref": "#/components/schemas/Pet"}, {"id": "x1"}, Pet=pet)
    assert schema == {"$ref": "#/components/schemas/Pet"}
    assert pet["properties"]["id"] == {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    assert remarks == ["#/components/schemas/Pet.id: another type was added, as the samples hold both."]


def test_a_recursive_schema_is_followed_as_deep_as_the_values_go() -> None:
    node: JsonObject = {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}}
    _, remarks = widened({"$ref": "#/components/schemas/Node"}, {"next": {"next": {"size": 1}}}, Node=node)
    assert node["properties"]["size"] == {"type": "integer"}
    assert remarks == []


def test_what_travels_the_other_way_only_cannot_be_missed() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {"id": {"type": "integer", "readOnly": True}},
        "required": ["id"],
    }
    assert widened(schema, {}, direction=Direction.INPUT) == (schema, [])
    assert widened(schema, {})[1] == ["$: no longer required: id."]


def test_a_document_of_3_1_is_widened_in_its_own_words() -> None:
    assert widened({"type": "string"}, None, version="3.1.0")[0] == {"type": ["string", "null"]}
    assert widened({"type": ["integer", "null"]}, 1.5, version="3.1.0")[0] == {"type": ["number", "null"]}
    assert widened({"type": "object"}, {"a": None, "b": [None, 1]}, version="3.1.0")[0] == {
        "type": "object",
        "properties": {"a": {"type": "null"}, "b": {"type": "array", "items": {"type": ["integer", "null"]}}},
    }


def test_a_reference_that_leads_nowhere_stays_with_a_remark() -> None:
    schema, remarks = widened({"$ref": "#/components/schemas/Gone"}, 1)
    assert schema == {"$ref": "#/components/schemas/Gone"}
    assert remarks == ["$: #/components/schemas/Gone does not exist in the document; it was left unchanged."]


SCALARS = st.none() | st.booleans() | st.integers(-9, 2**40) | st.floats(-5, 5)
JSON: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS | st.sampled_from(["", "a", "2024-01-01", "x@y.de"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc17"), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(JSON, min_size=1, max_size=4), st.lists(JSON, max_size=4), st.sampled_from(["3.0.3", "3.1.0"]))
def test_any_schema_holds_after_it_was_widened_and_widening_again_changes_nothing(
    first: list[JsonValue], more: list[JsonValue], version: str
) -> None:
    root: JsonObject = {"openapi": version}
    widener = Widener(root, Direction.OUTPUT, Remarks())
    narrow = widener.new(list(enumerate(first)))
    assert widener.widen(narrow, list(enumerate(first)), "$") == narrow
    wide = widener.widen(narrow, list(enumerate(more)), "$")
    accepts = acceptance(root, wide, Direction.OUTPUT)
    assert [value for value in [*first, *more] if not accepts(value)] == []
    assert widener.widen(wide, list(enumerate([*more, *first])), "$") == wide


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(JSON, min_size=1, max_size=5))
def test_a_schema_does_not_hold_for_values_of_a_type_that_was_not_seen(values: list[JsonValue]) -> None:
    schema = schema_of(list(enumerate(values)))
    accepts = acceptance({"openapi": "3.0.3"}, schema, Direction.OUTPUT)
    if any(value is not None for value in values):
        missing = [sample for sample in ("text", 7, True, ["x"]) if type(sample) not in map(type, values)]
        refused = [sample for sample in missing if not accepts(sample)]
        assert refused == [sample for sample in missing if not (sample == 7 and float in map(type, values))]
