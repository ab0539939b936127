"""Numbers keep their value whatever type they travelled in."""

import math

from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue, as_list, as_object
from openplaybook.tools.schema.numbers import restore_integers

SCALARS = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | st.text(max_size=5)
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
)


def floats_in(value: JsonValue) -> list[float]:
    if isinstance(value, float):
        return [value]
    members = [*as_object(value).values(), *as_list(value)]
    return [number for member in members for number in floats_in(member)]


@given(VALUES)
def test_every_value_stays_equal_and_is_restored_once_and_for_all(value: JsonValue) -> None:
    restored = restore_integers(value)
    assert restored == value
    assert restore_integers(restored) == restored


@given(VALUES)
def test_no_exact_whole_number_is_left_a_float(value: JsonValue) -> None:
    left = floats_in(restore_integers(value))
    assert [number for number in left if math.isfinite(number) and number.is_integer() and abs(number) <= 2**53] == []


@given(st.integers(-(2**53), 2**53))
def test_an_integer_survives_its_way_as_a_double(value: int) -> None:
    restored = restore_integers(float(value))
    assert (restored, type(restored)) == (value, int)


@given(st.booleans())
def test_a_boolean_stays_one(value: bool) -> None:
    assert restore_integers([value])[0] is value
