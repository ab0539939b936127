from hypothesis import given
from hypothesis import strategies as st

from openplaybook.documents.parser_process import with_equal_parts_shared
from openplaybook.jsonvalues import JsonValue, dumps, loads

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats(-1, 1) | st.sampled_from(["a", "b", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3),
    max_leaves=30,
)


@given(VALUES)
def test_nothing_changes_for_who_reads_it(value: JsonValue) -> None:
    before = dumps(value)
    assert dumps(with_equal_parts_shared(value)) == before


def test_equal_parts_are_one_object() -> None:
    value = loads('{"a": [{"x": ["text"]}, {"x": ["text"]}], "b": {"x": ["text"]}, "c": "text"}')
    shared = with_equal_parts_shared(value)
    assert shared["a"][0] is shared["a"][1] is shared["b"]
    assert shared["b"]["x"][0] is shared["c"]


def test_what_is_equal_in_python_and_not_in_json_stays_apart() -> None:
    shared = with_equal_parts_shared(
        loads('[[1], [1.0], [true], [0], [false], [null], {"0": 1}, [[1]], {"a": 1, "b": 2}, {"b": 2, "a": 1}]')
    )
    assert len({id(part) for part in shared}) == 10
    assert dumps(shared) == b'[[1],[1.0],[true],[0],[false],[null],{"0":1},[[1]],{"a":1,"b":2},{"b":2,"a":1}]'
