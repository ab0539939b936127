"""Values in and out of argument objects, and whether they fit."""

import time

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.offline.slots.slot_schema import Slot, slots_of
from openplaybook.models.offline.slots.slot_values import arguments_of, fits, leaves, pick, put, spoken


def slot(schema: JsonObject) -> Slot:
    return slots_of({"type": "object", "properties": {"x": schema}})[0]


@pytest.mark.parametrize(
    ("step", "value", "expected"),
    [
        (0.01, 19.99, True),
        (0.01, 19.999, False),
        (0.1, 0.3, True),
        (0.1, 0.35, False),
        (5, 25, True),
        (5, 26, False),
        (2.5, 7.5, True),
        (0.01, 1e300, True),
        (1, 1e-300, False),
        (0, 7, True),
        (-1, 7, True),
        (0.01, float("inf"), False),
        (0.01, float("nan"), False),
    ],
)
def test_a_multiple_is_judged_as_it_is_written(step: float, value: float, expected: bool) -> None:
    assert fits(slot({"type": "number", "multipleOf": step}), value) is expected


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"minimum": 1}, 1, True),
        ({"minimum": 1}, 0.999, False),
        ({"maximum": 1}, 1, True),
        ({"maximum": 1}, 1.001, False),
        ({"exclusiveMaximum": 1}, 1, False),
        ({"exclusiveMaximum": 1}, 0.5, True),
        ({"minimum": "many"}, -5, True),
        ({"minimum": True}, -5, True),
    ],
)
def test_a_number_is_held_to_its_bounds_and_odd_bounds_do_not_count(
    schema: JsonObject, value: float, expected: bool
) -> None:
    assert fits(slot({"type": "number", **schema}), value) is expected


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"type": "boolean", "enum": [0]}, False, False),
        ({"type": "boolean", "enum": [False]}, False, True),
        ({"type": "integer", "enum": [True]}, 1, False),
        ({"type": "integer", "enum": [1.0]}, 1, True),
    ],
)
def test_an_option_is_equal_as_json_says(schema: JsonObject, value: JsonValue, expected: bool) -> None:
    assert fits(slot(schema), value) is expected


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        (r"^\d{5}$", "10115", True),
        (r"\d{5}", "zip 10115 here", True),
        (r"^[A-Z]+$", "ab", False),
        (r"^\p{L}+$", "Größe", True),
        (r"(?<year>\d{4})", "2026", True),
        (r"(", "anything", True),
        (r"^(?!0)\d+$", "012", False),
    ],
)
def test_a_pattern_is_read_as_json_schema_reads_it(pattern: str, value: str, expected: bool) -> None:
    assert fits(slot({"type": "string", "pattern": pattern}), value) is expected


def test_a_pattern_cannot_make_words_take_long() -> None:
    began = time.process_time()
    for pattern in (r"^(a+)+$", r"^(a|aa)+$", r"^(.*a){20}$", r"^(?=(a+)+$)b"):
        assert fits(slot({"type": "string", "pattern": pattern}), "a" * 900 + "!") is False
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (3.0, "3"),
        (-0.5, "-0.5"),
        (1e20, "1e+20"),
        (True, "yes"),
        (False, "no"),
        ("Kim", "Kim"),
        ("", ""),
    ],
)
def test_a_scalar_is_said_as_one_would_write_it(value: JsonValue, text: str) -> None:
    assert spoken(value) == text


def test_a_value_is_put_beside_others_without_losing_them() -> None:
    arguments: JsonObject = {"body": {"name": "Rex"}}
    put(arguments, ("body", "owner"), "Kim")
    put(arguments, ("limit",), 5)
    assert arguments == {"body": {"name": "Rex", "owner": "Kim"}, "limit": 5}


SCALARS = st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | st.text()
NAMES = st.text(alphabet="abc", min_size=1, max_size=2)
TREES: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS | st.lists(SCALARS, min_size=1, max_size=3),
    lambda inner: st.dictionaries(NAMES, inner, min_size=1, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(NAMES, TREES, max_size=4))
def test_an_object_is_put_together_again_from_its_leaves(value: JsonObject) -> None:
    assert arguments_of(dict(leaves(value))) == value
    assert all(pick(value, path) == leaf for path, leaf in leaves(value))


BOUNDS = st.fixed_dictionaries(
    {},
    optional={
        "minimum": st.integers(-50, 50),
        "maximum": st.integers(-50, 50),
        "exclusiveMinimum": st.integers(-50, 50),
        "exclusiveMaximum": st.integers(-50, 50),
        "multipleOf": st.sampled_from([1, 2, 5, 0.5, 0.25]),
        "minLength": st.integers(0, 3),
        "maxLength": st.integers(0, 5),
        "enum": st.lists(st.integers(-5, 5) | st.sampled_from(["a", "bc"]), min_size=1, max_size=4),
    },
)


@given(st.sampled_from(["string", "integer", "number", "boolean"]), BOUNDS, SCALARS | st.integers(-60, 60))
def test_what_fits_is_valid_by_the_schema(kind: str, bounds: JsonObject, value: JsonValue) -> None:
    schema: JsonObject = {"type": kind, **bounds}
    if fits(slot(schema), value):
        assert jsonschema_rs.is_valid(schema, value)


@given(st.sampled_from(["integer", "number"]), BOUNDS, st.integers(-60, 60))
def test_what_is_a_valid_number_fits(kind: str, bounds: JsonObject, value: int) -> None:
    schema: JsonObject = {"type": kind, **bounds}
    assert fits(slot(schema), value) is jsonschema_rs.is_valid(schema, value)


def test_a_pattern_has_a_limited_time_and_the_tool_judges_long_texts() -> None:
    endless = slot({"type": "string", "pattern": r"(a*)*\1b"})
    assert not fits(endless, "a" * 40)
    assert fits(slot({"type": "string", "pattern": "^[a-z]+$"}), "a" * 5_000 + "!")
