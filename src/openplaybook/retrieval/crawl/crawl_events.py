"""What a crawl tells its caller, one thing after the other. Pages are to be stored before the next one is asked for."""

from dataclasses import dataclass, field
from typing import TypeAlias

from openplaybook.retrieval.crawl.base import PageState, SkipReason
from openplaybook.retrieval.crawl.frontier import Frontier


@dataclass(frozen=True, slots=True)
class PageFetched:
    """A page that is new or has changed."""

    url: str
    """Canonical."""
    media_type: str
    """As declared, lower case, without parameters."""
    charset: str
    """As the `Content-Type` header declares it, which may be wrong; empty where it declares none."""
    body: bytes = field(repr=False)
    """Unpacked, otherwise as it came."""
    headers: tuple[tuple[str, str], ...]
    """Those that say something of the document: its language, its name as a file, when it was changed."""
    state: PageState
    """To be kept, and given to the next crawl."""


@dataclass(frozen=True, slots=True)
class PageUnchanged:
    """A known page is as it was."""

    url: str
    state: PageState
    """To be kept in place of the one before."""


@dataclass(frozen=True, slots=True)
class PageGone:
    """A known page is to leave the store."""

    url: str
    reason: SkipReason
    detail: str = ""
    """More about the reason, such as a status or the URL that it leads on to."""


@dataclass(frozen=True, slots=True)
class PageSkipped:
    """A page was not taken. One that is known stays in the store as it is."""

    url: str
    reason: SkipReason
    detail: str = ""
    """More about the reason, such as a status or the URL that it leads on to."""


@dataclass(frozen=True, slots=True)
class SitemapSkipped:
    """A sitemap could not be had or read; the message is a sentence."""

    url: str
    message: str


@dataclass(frozen=True, slots=True)
class HostPaused:
    """A host is left alone for a while, or for the rest of the crawl."""

    host: str
    seconds: float
    """0 for the rest of the crawl."""
    message: str


@dataclass(frozen=True, slots=True)
class FrontierSaved:
    """Where the crawl is. What was told before this event need not be crawled again."""

    frontier: Frontier


@dataclass(frozen=True, slots=True)
class CrawlFinished:
    """The last event."""

    pages: int
    """Taken or unchanged, in all runs of the crawl."""
    bytes: int
    stopped_by: str = ""
    """The limit that ended it, such as `pages`; empty where all was seen that can be seen."""
    is_whole: bool = True
    """Whether what was not seen is known to be gone: no limit was met, and no host failed."""


CrawlEvent: TypeAlias = (
    PageFetched | PageUnchanged | PageGone | PageSkipped | SitemapSkipped | HostPaused | FrontierSaved | CrawlFinished
)
