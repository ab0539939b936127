"""Where an exchange belongs in a document that is already there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from openplaybook.drafting.path_templates import LocatedExchange
from openplaybook.drafting.samples import METHODS, ApiExchange, decoded
from openplaybook.drafting.text_formats import is_identifier
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.tools.openapi.description.json_references import UnresolvableReference, resolve

_VARIABLE = re.compile(r"\{([^{}]*)\}")
_MAX_VARIABLES = 2
"""Variables in one segment of a path, or in a server's URL: matching more takes ever longer."""

_MAX_SEGMENT = 500
"""Characters of a segment that is matched against more than one variable."""


@dataclass(frozen=True, slots=True)
class _Segment:
    pattern: re.Pattern[str]
    names: tuple[str, ...]

    def fit(self, text: str) -> dict[str, str] | None:
        """The variables' values as written; None when the text does not fit."""
        if len(self.names) > _MAX_VARIABLES or (len(self.names) > 1 and len(text) > _MAX_SEGMENT):
            return None
        match = self.pattern.fullmatch(text)
        return None if match is None else dict(zip(self.names, match.groups(), strict=True))


@dataclass(frozen=True, slots=True)
class _Template:
    path: str
    segments: tuple[_Segment, ...]
    numeric: frozenset[str]
    """Variables that take numbers only."""


@dataclass(frozen=True)
class KnownPaths:
    """The servers and paths of a document."""

    root: JsonObject

    @cached_property
    def servers(self) -> Mapping[str, re.Pattern[str]]:
        """Server URLs as written, and what URLs below them look like; a relative one fits any origin."""
        holders = [self.root, *as_object(self.root.get("paths")).values()]
        holders += [as_object(item).get(method) for item in holders[1:] for method in METHODS]
        patterns: dict[str, re.Pattern[str]] = {}
        for holder in holders:
            for server in as_list(as_object(holder).get("servers")):
                url = as_object(server).get("url")
                if isinstance(url, str) and (pattern := _server_pattern(url)) is not None:
                    patterns[url] = pattern
        return patterns

    @cached_property
    def _templates(self) -> list[_Template]:
        """Paths, those without variables first (OAS 3.0.3 §4.7.8)."""
        paths = [path for path in as_object(self.root.get("paths")) if path.startswith("/")]
        return [
            _Template(path, tuple(map(_segment, path.split("/"))), self._numeric(path))
            for path in sorted(paths, key=lambda path: path.count("{"))
        ]

    def under_servers(self, exchange: ApiExchange) -> Iterator[tuple[str, str]]:
        """The servers that an exchange went to, the longest first, and its path behind each."""
        url = f"{exchange.origin}/{'/'.join(exchange.segments)}"
        matches = [(server, match[1]) for server, pattern in self.servers.items() if (match := pattern.fullmatch(url))]
        yield from sorted(((server, rest or "/") for server, rest in matches), key=lambda each: len(each[1]))

    def locate(self, exchange: ApiExchange) -> LocatedExchange | None:
        """The place of an exchange among the paths of the document; None when it is none of them."""
        for server, path in self.under_servers(exchange):
            segments = path.split("/")
            for template in self._templates:
                values = _fit(template, segments)
                if values is not None:
                    return LocatedExchange(exchange, server.rstrip("/"), template.path, values)
        return None

    def _numeric(self, path: str) -> frozenset[str]:
        try:
            item = resolve(self.root, self.root["paths"][path])
            listed = [item, *(as_object(item.get(method)) for method in METHODS)]
            parameters = [resolve(self.root, each) for holder in listed for each in as_list(holder.get("parameters"))]
        except UnresolvableReference:
            return frozenset()
        numeric = [each for each in parameters if as_object(each.get("schema")).get("type") in ("integer", "number")]
        return frozenset(str(each.get("name")) for each in numeric if each.get("in") == "path")


def _segment(text: str) -> _Segment:
    pieces = _VARIABLE.split(text)
    pattern = "".join("(.+?)" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))
    return _Segment(re.compile(pattern, re.DOTALL), tuple(pieces[1::2]))


def _server_pattern(url: str) -> re.Pattern[str] | None:
    """What URLs below a server look like; None for one with too many variables."""
    pieces = _VARIABLE.split(url.rstrip("/"))
    if len(pieces) // 2 > _MAX_VARIABLES:
        return None
    written = "".join("[^/]*" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))
    origin = "" if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", url) else r"[a-z]+://[^/]+"
    return re.compile(f"{origin}{written}(/.*)?", re.IGNORECASE | re.DOTALL)


def _fit(template: _Template, segments: Sequence[str]) -> dict[str, str] | None:
    """The values of a template's variables in a path. A word stands for no number: it names another path."""
    if len(segments) != len(template.segments):
        return None
    values: dict[str, str] = {}
    for known, text in zip(template.segments, segments, strict=True):
        fitted = known.fit(text)
        if fitted is None:
            return None
        values |= {name: decoded(value) for name, value in fitted.items()}
    concrete = {name: value for name, value in values.items() if value != f"{{{name}}}"}
    if any(name in template.numeric and not is_identifier(value) for name, value in concrete.items()):
        return None
    return concrete
