"""What a site asks of crawlers: its robots.txt (RFC 9309), and the words of pages and headers for robots."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

MOST_ROBOTS_BYTES = 512_000
"""Of a robots.txt; what is behind them is not read (RFC 9309 §2.5)."""
_MOST_RULES = 10_000
"""That concern us. A site with more is not crawled: to judge each URL by them would take too long."""
_LONGEST_RATE_S = 10**9
"""Of a rate: a number of thousands of digits is no delay."""
_MANY_STARS = 200
"""Rules with a star, each of which is sought in the whole of a URL."""
_MOST_SITEMAPS = 500

_NAME = re.compile(r"[A-Za-z][A-Za-z _-]{0,20}")
_AGENT_FIELDS = frozenset({"user-agent", "useragent", "user agent"})
_SITEMAP_FIELDS = frozenset({"sitemap", "sitemaps", "site-map"})
_RULE_FIELDS = frozenset({"allow", "disallow", "crawl-delay", "crawl delay", "request-rate"})
_DIRECTIVE = re.compile(r"\s*(?:([a-z0-9_*-]+)\s*:)?(.*)", re.IGNORECASE | re.DOTALL)
_WITH_VALUES = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


class _Rate(Protocol):
    requests: int
    seconds: int


class _Rules(Protocol):
    """What we use of Protego."""

    def can_fetch(self, url: str, user_agent: str) -> bool: ...

    def crawl_delay(self, user_agent: str) -> float | None: ...

    def request_rate(self, user_agent: str) -> _Rate | None: ...


@dataclass(frozen=True, slots=True)
class SiteRules:
    """What one origin asks of us."""

    agent: str
    """Our product token, in lower case."""
    rules: _Rules | None = None
    """None: one answer for all URLs, the next field."""
    is_open: bool = True
    sitemaps: tuple[str, ...] = ()
    trouble: str = ""
    """Why the robots.txt could not be had now, in which case nothing of the site is asked for; else empty."""
    takes_long: bool = False
    """Whether there are so many rules that URLs are to be judged in a thread."""

    def allows(self, url: str) -> bool:
        """Whether we may ask for a URL."""
        return self.is_open if self.rules is None else self.rules.can_fetch(url, self.agent)

    @property
    def delay_s(self) -> float:
        """Seconds between two requests that the site asks for; 0 where it asks for none."""
        if self.rules is None:
            return 0.0
        rate = self.rules.request_rate(self.agent)
        between = min(rate.seconds, _LONGEST_RATE_S) / rate.requests if rate else 0.0
        return max(self.rules.crawl_delay(self.agent) or 0.0, between)


def read_robots(body: bytes, agent: str) -> SiteRules:
    """The rules of a robots.txt for a product token. Blocks for some hundredths of a second at most.

    Groups of other crawlers are left out before the rules are read: a file of thousands of names costs nothing so.
    """
    text = body[:MOST_ROBOTS_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
    agent = agent.lower()
    ours, sitemaps = _concerning(text.splitlines(), agent)
    if len(ours) > _MOST_RULES:
        return SiteRules(agent, is_open=False, sitemaps=sitemaps)
    # Imported for crawls only: most servers have none.
    from protego import Protego

    rules = cast(_Rules, Protego.parse("\n".join(ours)))
    return SiteRules(agent, rules, sitemaps=sitemaps, takes_long=sum("*" in line for line in ours) > _MANY_STARS)


def _concerning(lines: Iterable[str], agent: str) -> tuple[list[str], tuple[str, ...]]:
    """The lines of groups for all crawlers and for ours, each group under a line of its own, and the sitemaps."""
    kept: list[str] = []
    sitemaps: list[str] = []
    names: set[str] = set()
    is_heading = False
    for name, value in _fields(lines):
        if name in _SITEMAP_FIELDS:
            if len(sitemaps) < _MOST_SITEMAPS:
                sitemaps.append(value)
        elif name in _AGENT_FIELDS:
            if not is_heading:
                names = set()
            is_heading = True
            if value == "*" or _is_ours(value, agent):
                names.add("*" if value == "*" else agent)
        elif name in _RULE_FIELDS:
            if is_heading:
                kept += [f"User-agent: {each}" for each in sorted(names)]
            is_heading = False
            if names:
                kept.append(f"{name}: {value}")
    return kept, tuple(dict.fromkeys(sitemaps))


def _fields(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        # No one expression for all of it: blanks that may belong to two parts would be tried in every way.
        name, is_field, value = line[:8192].partition(":")
        name = name.strip()
        if is_field and _NAME.fullmatch(name):
            yield name.lower(), value.partition("#")[0].strip()


def _is_ours(value: str, agent: str) -> bool:
    """Whether a group's name is our product token, which may be followed by a version (RFC 9309 §2.2.1)."""
    return re.split(r"[/\s(]", value.lower(), maxsplit=1)[0].rstrip("*") == agent


@dataclass(frozen=True, slots=True)
class RobotWords:
    """What a page says about itself to crawlers."""

    is_indexed: bool = True
    """False: it wants to be in no index."""
    is_followed: bool = True
    """False: its links are not to be followed."""

    def __and__(self, other: "RobotWords") -> "RobotWords":
        """What is allowed by both."""
        return RobotWords(self.is_indexed and other.is_indexed, self.is_followed and other.is_followed)


def robot_words(values: Sequence[str], agent: str) -> RobotWords:
    """What the values of `X-Robots-Tag`, or of `<meta name="robots">`, say to a product token.

    A value may begin with the name of the crawler that it is meant for, and then says nothing to the others.
    """
    said: set[str] = set()
    for value in values:
        meant = True
        for word in value[:2000].split(","):
            found = _DIRECTIVE.fullmatch(word)
            name = found[1] if found is not None else None
            if found is not None and name is not None and name.lower() not in _WITH_VALUES:
                meant = name.lower() in (agent.lower(), "*", "robots")
                word = found[2]
            if meant:
                said.add(word.strip().lower())
    return RobotWords(not said & {"noindex", "none"}, not said & {"nofollow", "none"})
