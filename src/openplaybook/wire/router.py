"""From HTTP method and path to the RPC: a tree of path segments, built from the templates of all RPCs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from openplaybook.wire.api import Binding, Method
from openplaybook.wire.templates import ONE, REST, Template, parse_template


@dataclass(frozen=True, slots=True)
class Route:
    """One REST binding of an RPC."""

    method: Method
    binding: Binding
    template: Template

    @property
    def version(self) -> str:
        """The API version in its path."""
        return self.template.segments[0]


@dataclass(frozen=True, slots=True)
class Match:
    """A route and the segments of the path that led to it."""

    route: Route
    segments: Sequence[str]

    def variables(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Field paths and the values that the path gives them; `UnicodeDecodeError` for one that is no UTF-8."""
        for variable in self.route.template.variables:
            yield variable.field, variable.value(self.segments)


@dataclass(slots=True)
class _Node:
    literals: "dict[str, _Node]" = field(default_factory=dict[str, "_Node"])
    one: "_Node | None" = None
    rest: "_Node | None" = None
    routes: dict[str, dict[str, Route]] = field(default_factory=dict[str, dict[str, Route]])
    """Routes that end here, by verb and then by HTTP method."""


class Router:
    """All routes of an API."""

    def __init__(self, methods: Iterable[Method]) -> None:
        self._root = _Node()
        self._verbs: set[str] = set()
        for method in methods:
            for binding in method.bindings:
                self._add(Route(method, binding, parse_template(binding.template)))

    def _add(self, route: Route) -> None:
        node = self._root
        for segment in route.template.segments:
            if segment == ONE:
                node.one = node.one or _Node()
                node = node.one
            elif segment == REST:
                node.rest = node.rest or _Node()
                node = node.rest
            else:
                node = node.literals.setdefault(segment, _Node())
        routes = node.routes.setdefault(route.template.verb, {})
        other = routes.setdefault(route.binding.verb, route)
        if other is not route:
            raise ValueError(f"{route.binding.template} leads to {other.method.full_name} already")
        self._verbs.add(route.template.verb)

    def match(self, http_method: str, path: str) -> Match | None:
        """The route of a request; `path` as it was sent, percent codes and all.

        A last colon starts a verb where that leads to a route; else it is part of a name."""
        segments = path.split("/")[1:]
        if not segments or not all(segments):
            return None
        name, _, verb = segments[-1].rpartition(":")
        if name and verb in self._verbs:
            shorter = [*segments[:-1], name]
            route = _find(self._root, shorter, 0, verb, http_method)
            if route:
                return Match(route, shorter)
        route = _find(self._root, segments, 0, "", http_method)
        return Match(route, segments) if route else None

    def allowed(self, path: str) -> Sequence[str]:
        """The HTTP methods that a path has routes for; none for an unknown path."""
        return [method for method in ("DELETE", "GET", "PATCH", "POST", "PUT") if self.match(method, path)]


def _find(node: _Node, segments: Sequence[str], index: int, verb: str, http_method: str) -> Route | None:
    """The route that segments lead to, literals before wildcards."""
    if index == len(segments):
        return node.routes.get(verb, {}).get(http_method)
    literal = node.literals.get(segments[index])
    found = _find(literal, segments, index + 1, verb, http_method) if literal else None
    if found is None and node.one:
        found = _find(node.one, segments, index + 1, verb, http_method)
    if found is None and node.rest:
        found = node.rest.routes.get(verb, {}).get(http_method)
    return found
