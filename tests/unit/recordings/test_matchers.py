import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue
from openplaybook.recordings.matchers import fits, has_marks

values: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(values, st.sampled_from(["[any]", "[redacted]"]))
def test_a_value_fits_itself_and_every_mark(value: JsonValue, mark: str) -> None:
    assert fits(value, value)
    assert fits(mark, value)
    assert fits(value, mark)
    assert fits({"a": [1, mark]}, {"a": [1, value]})


@pytest.mark.parametrize(
    ("expected", "happened", "same"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (None, "", False),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ([1, 2], [2, 1], False),
        ("key=[redacted]&x=1", "key=abc&x=1", True),
        ("key=[redacted]&x=1", "key=abc&x=2", False),
        ("[any] and [any]", "this and that", True),
        ("[any] and [any]", "this or that", False),
        ("a[any]a", "a", False),
        ("a[any]a", "aa", True),
        ("x[any]y[any]z", "xyz", True),
        ("x[any]y[any]z", "xzy", False),
        ("abc", "key=[redacted]", False),
    ],
)
def test_values_fit_as_people_expect(expected: JsonValue, happened: JsonValue, same: bool) -> None:
    assert fits(expected, happened) is same


def test_marks_are_found_at_any_depth() -> None:
    assert has_marks({"a": [{"b": "x [any]"}]})
    assert not has_marks({"[any]": ["any", 1, None]})
