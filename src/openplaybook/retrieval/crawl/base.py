"""What the crawler and its callers share: limits, manners, what is kept of a page, and why pages are left out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from openplaybook import __version__
from openplaybook.jsonvalues import JsonObject, as_list
from openplaybook.retrieval.errors import InvalidSource

STATE_VERSION = 1

PAGE_TYPES = frozenset(
    {
        "text/html",
        "application/xhtml+xml",
        "text/plain",
        "text/markdown",
        "application/pdf",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    }
)
"""Media types of which documents are made, unless the caller says others."""


@dataclass(frozen=True, slots=True)
class CrawlLimits:
    """What one crawl may cost, all runs of it together."""

    pages: int = 10_000
    """That are taken, or found unchanged."""
    depth: int = 25
    """Links from a seed to a page; a page of a sitemap is one link away."""
    urls: int = 200_000
    """That are remembered, refused ones included; what is found beyond is not looked at."""
    url_characters: int = 50_000_000
    """Of all of them together."""
    page_bytes: int = 10_000_000
    """Of one page, unpacked. What is longer is left out, and not cut."""
    total_bytes: int = 4_000_000_000
    """Of all bodies that were received, unpacked."""
    total_s: float = 12 * 3600.0
    page_s: float = 60.0
    """For one request, the connection included."""
    silence_s: float = 20.0
    """Between two pieces of an answer."""
    hosts: int = 100
    """That are asked, each scheme and port for itself: behind a pattern such as `*.example.com` may be any number."""
    sitemaps: int = 500
    """Files of sitemaps that are read."""
    shape_pages: int = 2_000
    """Pages found by links whose URLs differ in numbers alone, such as those of a calendar."""
    path_queries: int = 200
    """Pages found by links whose URLs differ in the query alone."""
    snapshot_pages: int = 100
    """Pages after which the caller is told again where the crawl is."""


@dataclass(frozen=True, slots=True)
class CrawlManners:
    """How the crawler behaves towards sites."""

    product: str = f"OpenPlaybook-Crawler/{__version__}"
    """What the crawler calls itself; up to the slash, it is the product token that a robots.txt knows us by."""
    contact: str = ""
    """URL of a page that says who crawls and why; sites are told it with each request. Empty: they are told none."""
    concurrent: int = 4
    """Requests at the same time, to all hosts together."""
    concurrent_per_host: int = 1
    delay_s: float = 1.0
    """Between the beginnings of two requests to a host, where its robots.txt asks for no longer one."""
    longest_delay_s: float = 30.0
    """What a robots.txt may ask for; a longer delay is cut to this one."""
    longest_pause_s: float = 300.0
    """What `Retry-After` may ask for; a host that asks for more is left alone for the rest of the crawl."""
    page_types: frozenset[str] = PAGE_TYPES

    @property
    def agent(self) -> str:
        """The product token, in lower case."""
        return self.product.partition("/")[0].strip().lower()

    @property
    def user_agent(self) -> str:
        """The header of each request."""
        return f"{self.product} (+{self.contact})" if self.contact else self.product


class SkipReason(Enum):
    """Why a page was left out. What is `lasting` also takes a page out of the store that was in it."""

    EXCLUDED = "it belongs to no included site, or to an excluded one"
    ROBOTS = "the site's robots.txt does not allow it"
    NOINDEX = "the page wants to be in no index"
    REDIRECTED = "it leads on to another URL"
    REDIRECTED_OUTSIDE = "it leads on to a URL outside the included sites"
    TOO_MANY_REDIRECTS = "it leads on too often"
    CANONICAL = "the page wants to be known under another URL"
    DUPLICATE = "another URL has the same content"
    NOT_FOUND = "there is no such page (any more)"
    CLIENT_ERROR = "the server refuses it"
    UNEXPECTED_STATUS = "the answer's status says that it is no page"
    MEDIA_TYPE = "it is of a media type that is not taken"
    EMPTY = "it has no content"
    TOO_LARGE = "it has more bytes than a page may have"
    UNREADABLE = "it takes more time or memory to read than a page may"
    TOO_DEEP = "it is too many links away"
    REPEATED_PATH = "parts of its path repeat themselves, as in a loop of links"
    LONG_PATH = "its path has too many parts"
    MANY_PARAMETERS = "its query has too many parameters"
    MANY_QUERIES = "too many URLs differ from it in the query alone"
    MANY_ALIKE = "too many URLs differ from it in numbers alone"
    MANY_HOSTS = "too many hosts belong to the included sites"
    UNLINKED = "nothing leads to it any more"
    ADDRESS_REFUSED = "the address policy does not allow its address"
    UNREACHABLE = "there was no answer"
    TIMED_OUT = "the answer took too long"
    SERVER_ERROR = "the server failed"
    HOST_PAUSED = "its host was left alone for the rest of the crawl"
    ROBOTS_UNREACHABLE = "the site's robots.txt could not be had"
    NOT_READ = "this server had no time to read it"

    @property
    def is_lasting(self) -> bool:
        """Whether it will be so next time too, as far as one can know; else a page that the store has stays in it."""
        return self not in _PASSING


_PASSING = frozenset(
    {
        SkipReason.ADDRESS_REFUSED,
        SkipReason.UNREACHABLE,
        SkipReason.TIMED_OUT,
        SkipReason.SERVER_ERROR,
        SkipReason.HOST_PAUSED,
        SkipReason.ROBOTS_UNREACHABLE,
        SkipReason.NOT_READ,
        SkipReason.MANY_HOSTS,
    }
)


@dataclass(frozen=True, slots=True)
class PageState:
    """What the caller keeps of a page that is in the store, and gives back at the next crawl."""

    url: str
    """Canonical."""
    digest: str
    """Of the body, SHA-256 in hexadecimal digits."""
    fetched_at: str
    """When the page was last seen to be so; RFC 3339, UTC."""
    etag: str = ""
    last_modified: str = ""
    media_type: str = ""
    links: tuple[str, ...] = field(default=())
    """Canonical URLs of included sites that it leads to."""
    patterns: str = ""
    """Digest of the patterns by which the links were chosen."""

    def to_json(self) -> JsonObject:
        """Its stored form."""
        return {
            "version": STATE_VERSION,
            "url": self.url,
            "digest": self.digest,
            "fetchedAt": self.fetched_at,
            "etag": self.etag,
            "lastModified": self.last_modified,
            "mediaType": self.media_type,
            "links": list(self.links),
            "patterns": self.patterns,
        }


def page_state(stored: Mapping[str, object]) -> PageState:
    """A page's state of its stored form. Raises `InvalidSource` for one of a version that this one does not know."""
    check_version(stored, STATE_VERSION, "page of a crawl")
    return PageState(
        url=str(stored["url"]),
        digest=str(stored["digest"]),
        fetched_at=str(stored["fetchedAt"]),
        etag=str(stored["etag"]),
        last_modified=str(stored["lastModified"]),
        media_type=str(stored["mediaType"]),
        links=tuple(map(str, as_list(stored["links"]))),
        patterns=str(stored["patterns"]),
    )


def check_version(stored: Mapping[str, object], newest: int, what: str) -> None:
    """Raises `InvalidSource` where the stored form is none, or newer than `newest`."""
    version = stored.get("version")
    if not isinstance(version, int) or not 1 <= version <= newest:
        raise InvalidSource(f"the state of a {what} has version {version!r}; known are 1 to {newest}")
