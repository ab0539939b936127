"""Traps of the web: URLs without end, which a site makes without knowing it, or to hold crawlers up.

Judged by URLs alone, before anything is asked for: paths that repeat themselves, calendars, and parameters that are
combined in every way. What a sitemap lists is counted, and not judged: the site vouches for it.
"""

import re
from collections import Counter

from openplaybook.retrieval.crawl.base import CrawlLimits, SkipReason
from openplaybook.retrieval.crawl.page_urls import split_url

_MOST_SEGMENTS = 24
_MOST_EQUAL_SEGMENTS = 3
_MOST_ROUNDS = 3
"""So often may a group of segments follow itself, less one: `/a/b/a/b` passes, `/a/b/a/b/a/b` does not."""
_MOST_PARAMETERS = 8

_NUMBER = re.compile(r"[0-9]+")
_LONG_HEX = re.compile(r"[0-9a-f]{16,}", re.IGNORECASE)
_NO_PAGE = re.compile(
    r"\.(jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|css|js|mjs|map|json|xml|rss|atom|woff2?|ttf|otf|eot|mp[34]|m4[av]|"
    r"webm|og[gv]|wav|flac|avi|mov|mkv|zip|gz|bz2|xz|7z|rar|tar|tgz|exe|msi|dmg|iso|apk|deb|rpm|jar|bin|swf)$",
    re.IGNORECASE,
)
"""Endings of paths behind which is no page: they are not asked for, where a link leads to them."""


class UrlTraps:
    """Counts the URLs of a crawl by their shapes, and refuses those that lead into a trap."""

    def __init__(self, limits: CrawlLimits) -> None:
        self._limits = limits
        self._shapes: Counter[str] = Counter()
        self._queries: Counter[str] = Counter()

    def verdict(self, url: str) -> SkipReason | None:
        """Why a page that a link leads to is not asked for; None where it is, and then it is counted."""
        path, _, query = split_url(url)[1].partition("?")
        reason = _of_path(path) or _of_query(query)
        if reason is not None:
            return reason
        if query and self._queries[path] >= self._limits.path_queries:
            return SkipReason.MANY_QUERIES
        if self._shapes[shape(url)] >= self._limits.shape_pages:
            return SkipReason.MANY_ALIKE
        self.count(url)
        return None

    def count(self, url: str) -> None:
        """Count a page that is asked for."""
        path, _, query = split_url(url)[1].partition("?")
        self._shapes[shape(url)] += 1
        if query:
            self._queries[path] += 1


def shape(url: str) -> str:
    """A URL without what counts pages: its numbers, and the values of its parameters."""
    origin, rest = split_url(url)
    path, _, query = rest.partition("?")
    names = "&".join(pair.partition("=")[0] for pair in query.split("&"))
    return f"{origin}{_NUMBER.sub('#', _LONG_HEX.sub('#', path))}?{names}"


def _of_path(path: str) -> SkipReason | None:
    segments = [segment for segment in path.split("/") if segment]
    if len(segments) > _MOST_SEGMENTS:
        return SkipReason.LONG_PATH
    if segments and _NO_PAGE.search(segments[-1]):
        return SkipReason.MEDIA_TYPE
    if (segments and max(Counter(segments).values()) > _MOST_EQUAL_SEGMENTS) or _goes_round(segments):
        return SkipReason.REPEATED_PATH
    return None


def _goes_round(segments: list[str]) -> bool:
    """Whether a group of segments follows itself too often."""
    count = len(segments)
    if count - len(set(segments)) < _MOST_ROUNDS - 1:
        return False
    for size in range(1, count // _MOST_ROUNDS + 1):
        for start in range(count - size * _MOST_ROUNDS + 1):
            group = segments[start : start + size]
            if segments[start : start + size * _MOST_ROUNDS] == group * _MOST_ROUNDS and not _is_numeric(group):
                return True
    return False


def _is_numeric(group: list[str]) -> bool:
    """Whether a group is numbers alone, as in a date such as `/11/11/11`."""
    return all(segment.isdigit() for segment in group)


def _of_query(query: str) -> SkipReason | None:
    return SkipReason.MANY_PARAMETERS if query.count("&") >= _MOST_PARAMETERS else None
