import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.packages.reference_graph import circles, plan


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


agents = st.sampled_from(["a", "b", "c", "d", "e"])
graphs = st.dictionaries(agents, st.lists(agents, max_size=4), min_size=1).map(lambda graph: {"a": [], **graph})


def test_the_nearest_caller_is_the_parent() -> None:
    tree = plan("a", {"a": ["b", "c"], "b": ["d"], "c": ["d", "a", "b"], "d": ["a", "b"], "e": ["a"]})
    assert tree.children == {"a": ["b", "c"], "b": ["d"]}
    assert tree.calls == [("c", "d"), ("d", "a")]
    assert tree.unreached == ["e"]


@given(graphs)
def test_every_reached_agent_has_one_parent_and_every_reference_a_way(graph: dict[str, list[str]]) -> None:
    tree = plan("a", graph)
    children = [child for each in tree.children.values() for child in each]
    assert sorted(children) == sorted(tree.parents)
    assert {"a", *children, *tree.unreached} == set(graph)
    for agent in {"a", *children}:
        for named in {each for each in graph[agent] if each in graph and each != agent}:
            siblings = tree.children.get(tree.parents.get(agent, ""), [])
            ways = [*tree.children.get(agent, []), tree.parents.get(agent), *siblings]
            assert named in ways or (agent, named) in tree.calls
