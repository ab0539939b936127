import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.packages.reference_graph import circles


@pytest.mark.parametrize(
    ("leads_to", "found"),
    [
        ({}, []),
        ({"a": "b", "b": "c", "c": ""}, []),
        ({"a": "a"}, []),
        ({"a": "b", "b": "a"}, [["a", "b", "a"]]),
        ({"a": "b", "b": "c", "c": "b"}, [["b", "c", "b"]]),
        ({"a": "bc", "b": "d", "c": "d", "d": ""}, []),
        ({"a": "x"}, []),
    ],
)
def test_circles_are_found(leads_to: dict[str, str], found: list[list[str]]) -> None:
    assert list(circles(leads_to)) == found


def test_a_long_chain_is_followed() -> None:
    chain = {str(number): [str(number + 1)] for number in range(5_000)}
    assert list(circles(chain)) == []


@given(st.dictionaries(st.sampled_from("abcde"), st.sets(st.sampled_from("abcde"), max_size=3)))
def test_a_circle_is_found_exactly_where_names_cannot_be_sorted(leads_to: dict[str, set[str]]) -> None:
    without_itself = {name: others - {name} for name, others in leads_to.items()}
    left = dict(without_itself)
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    found = list(circles(without_itself))
    assert bool(found) == bool(left)
    assert all(each[0] == each[-1] and each[1] in leads_to[each[0]] for each in found)
