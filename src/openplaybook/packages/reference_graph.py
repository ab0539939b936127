"""Resources that lead to each other: circles among them, and playbooks as the tree of agents that an app is."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field


def circles(leads_to: Mapping[str, Iterable[str]]) -> Iterator[list[str]]:
    """Circles of names, each with its first name again at its end, so many that every name in a circle is in one that
    was given or beneath one. What leads to itself alone is no circle. Not recursive: chains may be long."""
    done: set[str] = set()
    for start in leads_to:
        trail: list[str] = []
        branches = [iter([start])]
        while branches:
            name = next(branches[-1], None)
            if name is None:
                branches.pop()
                if trail:
                    done.add(trail.pop())
            elif name in trail:
                if trail[-1] != name:
                    yield [*trail[trail.index(name) :], name]
            elif name in leads_to and name not in done:
                trail.append(name)
                branches.append(iter(leads_to[name]))


@dataclass(slots=True)
class AgentTree:
    """How agents reach each other."""

    children: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Children of each agent that has any, in the order in which it names them."""
    parents: dict[str, str] = field(default_factory=dict[str, str])
    calls: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Caller and called, where the tree has no way from one to the other: a call as a tool."""
    unreached: list[str] = field(default_factory=list[str])
    """Agents that nothing leads to from the root."""


def plan(root: str, references: Mapping[str, list[str]]) -> AgentTree:
    """The tree below `root`; `references` says which agents each agent names, and has every agent as a key.

    An agent is the child of the first that names it, nearest to the root. Children reach their parent and each other
    without more; whoever else names it calls it as a tool.
    """
    tree = AgentTree()
    reached, waiting = {root}, deque([root])
    while waiting:
        agent = waiting.popleft()
        for named in references.get(agent, []):
            if named not in references or named == agent:
                continue
            if named not in reached:
                reached.add(named)
                waiting.append(named)
                tree.parents[named] = agent
                tree.children.setdefault(agent, []).append(named)
            elif not _is_near(tree, agent, named):
                tree.calls.append((agent, named))
    tree.unreached = [agent for agent in references if agent not in reached]
    return tree


def _is_near(tree: AgentTree, agent: str, named: str) -> bool:
    """Whether the other one is the parent, a child or a sibling."""
    parent = tree.parents.get(agent)
    return (
        named == parent
        or tree.parents.get(named) == agent
        or (parent is not None and tree.parents.get(named) == parent)
    )
