"""Circles among resources that lead to each other."""

from collections.abc import Iterable, Iterator, Mapping


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
