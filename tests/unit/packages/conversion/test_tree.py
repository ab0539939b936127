from hypothesis import given
from hypothesis import strategies as st

from openplaybook.packages.conversion.tree import plan

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
