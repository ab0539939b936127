from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue
from openplaybook.recordings.differences import ABSENT, ReplayDifference, differences
from openplaybook.recordings.matchers import fits

values: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.integers(0, 2) | st.sampled_from(["a", "b", "[any]"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["x", "y y"]), inner, max_size=2),
    max_leaves=8,
)


def test_each_place_that_differs_is_named_by_its_path() -> None:
    expected = {"a": {"b": [1, {"c": "x"}]}, "gone": 1, "odd name": True}
    happened = {"a": {"b": [1, {"c": "y"}]}, "new": [], "odd name": False}
    assert list(differences("pets.getPet", expected, happened)) == [
        ReplayDifference("pets.getPet $.a.b[1].c", "x", "y"),
        ReplayDifference("pets.getPet $.gone", 1, ABSENT),
        ReplayDifference("pets.getPet $['odd name']", True, False),
        ReplayDifference("pets.getPet $.new", ABSENT, []),
    ]


def test_lists_of_another_length_and_values_of_another_kind_are_shown_whole() -> None:
    assert list(differences("x", {"a": [1]}, {"a": [1, 2]})) == [ReplayDifference("x $.a", [1], [1, 2])]
    assert list(differences("x", [], {})) == [ReplayDifference("x $", [], {})]


def test_a_side_that_is_not_there_is_left_out_for_programs() -> None:
    assert ReplayDifference("x", ABSENT, None).to_json() == {"where": "x", "happened": None}


@given(values, values)
def test_there_are_differences_exactly_where_values_do_not_fit(one: JsonValue, other: JsonValue) -> None:
    found = list(differences("x", one, other))
    assert (not found) == fits(one, other)
    assert len({each.where for each in found}) == len(found)
