"""From HTTP method and path to the RPC: a tree of path segments, built from the templates of all RPCs.

Their grammar is that of google.api.http: `/v3/{tool.name=projects/*/tools/*}:execute`.

    template = "/" segments [ ":" verb ]
    segment  = "*" | "**" | literal | "{" field.path [ "=" segments ] "}"
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

from openplaybook.wire.api import Binding, Method

ONE = "*"
REST = "**"

_PART = re.compile(r"\{(?P<field>[a-z0-9_.]+)(?:=(?P<inner>[^{}]+))?\}|(?P<plain>[^/:{}]+)")


class TemplateError(ValueError):
    """A template that does not follow the grammar."""

    def __init__(self, template: str, position: int) -> None:
        super().__init__(f"{template}: not a path template at character {position + 1}")


@dataclass(frozen=True, slots=True)
class PathVariable:
    """A part of the path that is bound to a field."""

    field: tuple[str, ...]
    """Path of the field in the request: `("tool", "name")`."""
    start: int
    """Index of its first segment."""
    end: int
    """Index after its last segment; -1 where it takes all that is left (`**`)."""

    def value(self, segments: Sequence[str]) -> str:
        """What the variable holds in a path, decoded: everything in one segment, all but `%2F` in several.

        `UnicodeDecodeError` for percent codes that are no UTF-8."""
        end = len(segments) if self.end < 0 else self.end
        joined = "/".join(segments[self.start : end])
        if "%" not in joined:
            return joined
        if end - self.start > 1:
            joined = re.sub("%2f", lambda found: f"%25{found[0][1:]}", joined, flags=re.IGNORECASE)
        return unquote(joined, errors="strict")


@dataclass(frozen=True, slots=True)
class PathTemplate:
    """A parsed template."""

    text: str
    segments: tuple[str, ...]
    """Literals, `*` for one segment, `**` (last) for all that are left."""
    verb: str
    """The word after the colon; empty without one."""
    variables: tuple[PathVariable, ...]

    def path(self, word: str) -> str:
        """A path that fits the template, with `word` for every wildcard."""
        segments = [quote(word, safe="") if segment in (ONE, REST) else segment for segment in self.segments]
        return "/" + "/".join(segments) + (f":{self.verb}" if self.verb else "")


def parse_template(text: str) -> PathTemplate:
    """Parses a template; `TemplateError` says where it is wrong."""
    segments: list[str] = []
    variables: list[PathVariable] = []
    position, verb = 0, ""
    while position < len(text):
        if text[position] == ":" and segments:
            verb = text[position + 1 :]
            break
        part = _PART.match(text, position + 1) if text[position] == "/" else None
        if part is None or REST in segments:
            raise TemplateError(text, position)
        inner = part["plain"] or part["inner"] or ONE
        start = len(segments)
        segments += inner.split("/")
        if part["field"]:
            end = -1 if segments[-1] == REST else len(segments)
            variables.append(PathVariable(tuple(part["field"].split(".")), start, end))
        position = part.end()
    if not segments or not all(segments) or (verb == "") != (":" not in text) or not re.fullmatch(r"[A-Za-z]*", verb):
        raise TemplateError(text, position)
    return PathTemplate(text, tuple(segments), verb, tuple(variables))


@dataclass(frozen=True, slots=True)
class Route:
    """One REST binding of an RPC."""

    method: Method
    binding: Binding
    template: PathTemplate

    @property
    def version(self) -> str:
        """The API version in its path."""
        return self.template.segments[0]


@dataclass(frozen=True, slots=True)
class RouteMatch:
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

    def match(self, http_method: str, path: str) -> RouteMatch | None:
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
                return RouteMatch(route, shorter)
        route = _find(self._root, segments, 0, "", http_method)
        return RouteMatch(route, segments) if route else None

    def allowed(self, path: str) -> Sequence[str]:
        """The HTTP methods that a path has routes for; none for an unknown path."""
        return [method for method in ("DELETE", "GET", "PATCH", "POST", "PUT") if self.match(method, path)]


def _find(node: _Node, segments: Sequence[str], index: int, verb: str, http_method: str) -> Route | None:
    """The route that segments lead to, literals before wildcards."""
    if index == len(segments):
        return node.routes.get(verb, {}).get(http_method)
    literal = node.literals.get(segments[index])
    route = _find(literal, segments, index + 1, verb, http_method) if literal else None
    if route is None and node.one:
        route = _find(node.one, segments, index + 1, verb, http_method)
    if route is None and node.rest:
        route = node.rest.routes.get(verb, {}).get(http_method)
    return route
