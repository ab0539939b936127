"""Which pages of the web belong to a store: patterns of URLs as target sites of Discovery Engine have them.

A pattern is a host and a path, such as `www.example.com/docs/*`: `*` stands for any characters, `*.example.com` for a
host and all below it. The scheme plays no part. A host without a port means the ports of http and https.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from openplaybook.egress.web_origin import PORTS, WebOrigin, authority_of, origin_of
from openplaybook.retrieval.crawl.page_urls import MAX_URL, escaped, split_url
from openplaybook.retrieval.errors import InvalidSource

MOST_PATTERNS = 500
"""Of included sites, and again of excluded ones, as Discovery Engine limits them for advanced indexing."""

MOST_STARS = 20
"""Of a pattern; each makes a URL slower to judge, and a crawl judges millions."""

_KEPT_ORIGINS = 1024
_SCHEME = re.compile(r"(?:https?:)?//", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class UrlPattern:
    """One pattern, read. `generated` is its text as `TargetSite.generatedUriPattern` gives it back."""

    generated: str
    host: str
    """Canonical, without `*.`."""
    port: int
    """0 for the schemes' own ports."""
    has_subdomains: bool
    parts: tuple[str, ...]
    """Of the path and query, what stands between the stars."""
    scheme: str = "https"
    """With which a crawl begins; `http` where the pattern was written with it."""

    def matches(self, url: str) -> bool:
        """Whether a canonical URL is meant."""
        origin, rest = split_url(url)
        return self.is_of(origin_of(origin)) and self.fits(rest)

    def is_of(self, origin: WebOrigin | None) -> bool:
        """Whether the host of an origin is meant."""
        if origin is None or origin.port != (self.port or PORTS[origin.scheme]):
            return False
        return origin.host == self.host or (self.has_subdomains and origin.host.endswith(f".{self.host}"))

    def fits(self, rest: str) -> bool:
        """Whether a path with its query is meant, on a host that is."""
        return _fits(self.parts, rest)


def url_pattern(provided: str, *, is_exact: bool = False) -> UrlPattern:
    """The pattern that `TargetSite.providedUriPattern` means. Raises `InvalidSource`.

    Unless it is exact, it means all URLs that begin with it; a pattern of a host alone, all of the host.
    """
    text = _SCHEME.sub("", provided.strip(), count=1).partition("#")[0]
    if not text or len(text) > MAX_URL or any(character.isspace() for character in text):
        raise InvalidSource(
            f"the URL pattern {provided[:80]!r} is none: allowed are 1 to {MAX_URL} characters without blanks, "
            "such as www.example.com/docs/*"
        )
    cut = re.search(r"[/?]", text)
    authority, rest = (text[: cut.start()], text[cut.start() :]) if cut else (text, "")
    host, port, has_subdomains = _host_of(authority, provided)
    path = _path_of(rest, is_exact=is_exact)
    shown = ("*." if has_subdomains else "") + (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
    parts = tuple(re.sub(r"\*+", "*", path).split("*"))
    if len(parts) - 1 > MOST_STARS:
        raise InvalidSource(f"the URL pattern {provided[:80]!r} has more than {MOST_STARS} stars")
    scheme = "http" if provided.strip().lower().startswith("http:") else "https"
    return UrlPattern(shown + path, host, port, has_subdomains, parts, scheme)


def page_pattern(url: str) -> UrlPattern:
    """The pattern of the page of a canonical URL alone, a star in which is a star. Raises `InvalidSource`."""
    origin, rest = split_url(url)
    read = origin_of(origin)
    if read is None:
        raise InvalidSource(f"{url[:80]!r} is no URL of http or https")
    port = 0 if read.port == PORTS[read.scheme] else read.port
    return UrlPattern(url.partition("://")[2], read.host, port, has_subdomains=False, parts=(rest,), scheme=read.scheme)


@dataclass(frozen=True)
class UrlPatterns:
    """The included and excluded sites of a store. What is excluded is out, whatever includes it."""

    include: tuple[UrlPattern, ...]
    exclude: tuple[UrlPattern, ...] = field(default=())

    def __post_init__(self) -> None:
        for patterns, kind in ((self.include, "included"), (self.exclude, "excluded")):
            if len(patterns) > MOST_PATTERNS:
                raise InvalidSource(f"a store has {len(patterns)} {kind} sites; at most {MOST_PATTERNS} are allowed")

    def includes(self, url: str) -> bool:
        """Whether a canonical URL belongs to an included site, be it excluded or not."""
        origin, rest = split_url(url)
        return any(pattern.fits(rest) for pattern in self._of(origin)[0])

    def excludes(self, url: str) -> bool:
        """Whether a canonical URL belongs to an excluded site."""
        origin, rest = split_url(url)
        return any(pattern.fits(rest) for pattern in self._of(origin)[1])

    def allows(self, url: str) -> bool:
        """Whether a canonical URL is of the store."""
        return self.includes(url) and not self.excludes(url)

    @cached_property
    def digest(self) -> str:
        """Changes when the patterns do: links that were chosen by other patterns are to be chosen again."""
        lines = [f"+{pattern.generated}" for pattern in self.include] + [f"-{each.generated}" for each in self.exclude]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]

    def seeds(self) -> Sequence[str]:
        """Where a crawl may begin when nobody says it: the longest URL before the first star of each included site."""
        found: list[str] = []
        for pattern in self.include:
            host = f"[{pattern.host}]" if ":" in pattern.host else pattern.host
            begin = pattern.parts[0] if len(pattern.parts) == 1 else pattern.parts[0].rpartition("/")[0] + "/"
            found.append(f"{pattern.scheme}://{host}" + (f":{pattern.port}" if pattern.port else "") + begin)
        return tuple(dict.fromkeys(found))

    @cached_property
    def _by_origin(self) -> dict[str, tuple[Sequence[UrlPattern], Sequence[UrlPattern]]]:
        return {}

    def _of(self, origin: str) -> tuple[Sequence[UrlPattern], Sequence[UrlPattern]]:
        """Included and excluded patterns of an origin: a page has many links to few origins."""
        found = self._by_origin.get(origin)
        if found is None:
            read = origin_of(origin)
            include, exclude = (
                [each for each in each_of if each.is_of(read)] for each_of in (self.include, self.exclude)
            )
            if len(self._by_origin) >= _KEPT_ORIGINS:
                self._by_origin.clear()
            found = self._by_origin[origin] = include, exclude
        return found


def _host_of(authority: str, provided: str) -> tuple[str, int, bool]:
    has_subdomains = authority.startswith("*.")
    place = authority_of(authority.removeprefix("*."), PORTS["https"])
    if place is None or (has_subdomains and "." not in place[0]):
        raise InvalidSource(
            f"the URL pattern {provided[:80]!r} begins with no host that is beyond doubt; allowed are names such as "
            "www.example.com, and *.example.com for a name and all below it"
        )
    host, port = place
    return host, 0 if port in PORTS.values() else port, has_subdomains


def _path_of(rest: str, *, is_exact: bool) -> str:
    path = escaped(rest)
    if not path.startswith("/"):
        path = f"/{path}"
    if is_exact or path.endswith("*"):
        return path
    return f"{path}*"


def _fits(parts: Sequence[str], text: str) -> bool:
    """Whether a text is the parts with anything between them. Takes time in proportion to the text for each part."""
    first, last = parts[0], parts[-1]
    if len(parts) == 1:
        return text == first or text.removesuffix("/") == first.removesuffix("/")
    if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
        # `/docs/*` means `/docs` too: servers treat them alike.
        return len(parts) == 2 and not last and first.endswith("/") and text == first[:-1]
    at, end = len(first), len(text) - len(last)
    for part in parts[1:-1]:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True
