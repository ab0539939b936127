"""One request of the crawler, and what its answer means: a page, no change, a redirect, or a reason to leave it out."""

import hashlib
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import AddressRefused, EgressError, TimedOut, TooManyRedirects
from openplaybook.egress.retries import retry_after
from openplaybook.retrieval.crawl.base import CrawlLimits, CrawlManners, PageState, SkipReason
from openplaybook.retrieval.crawl.frontier import FrontierEntry
from openplaybook.retrieval.crawl.page_notes import PageNotes, PageReader, PageUnreadable
from openplaybook.retrieval.crawl.page_urls import canonical_url
from openplaybook.retrieval.crawl.robots import MOST_ROBOTS_BYTES, SiteRules, read_robots, robot_words
from openplaybook.retrieval.crawl.sitemaps import MOST_UNPACKED, Sitemap
from openplaybook.retrieval.crawl.url_patterns import UrlPatterns
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.workers.errors import WorkError

_ACCEPTED = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.9,*/*;q=0.5"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MISSING = frozenset({404, 410})
_LATER = frozenset({408, 425, 429})
"""Statuses of 4xx that say nothing about the page (RFC 9110 §15.5, RFC 8470, RFC 6585)."""
_HTML = frozenset({"text/html", "application/xhtml+xml"})
_MARKS = ((b"<", "text/html"), (b"\xef\xbb\xbf<", "text/html"), (b"%PDF-", "application/pdf"))
"""How bodies of some media types begin."""
_VALIDATOR = re.compile(r"[\x21-\x7e][\x20-\x7e]{0,255}")
"""A validator that can be sent back in a header as it came."""
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """What asking for a page came to: it is had, or unchanged, or there is a reason to leave it out."""

    entry: FrontierEntry
    reason: SkipReason | None = None
    detail: str = ""
    target: str = ""
    """Canonical URL that it leads on to; empty where there is none."""
    retry_after_s: float | None = None
    """Where the host says that it cannot answer now, and when it can."""
    is_overload: bool = False
    """Whether the host says that it cannot answer now."""
    response: HttpResponse | None = None
    media_type: str = ""
    digest: str = ""
    notes: PageNotes = field(default_factory=PageNotes)
    is_unchanged: bool = False
    """Whether the server says so, or the bytes are those that are known; then there are no notes but of headers."""


@dataclass(frozen=True, slots=True)
class SiteOpening:
    """An origin, and what its robots.txt asks for."""

    origin: str
    rules: SiteRules


@dataclass(frozen=True, slots=True)
class SitemapAnswer:
    """What a sitemap lists, or why it could not be had."""

    url: str
    level: int
    sitemap: Sitemap = field(default_factory=Sitemap)
    status: int = 0
    """Of the answer; 0 where there was none."""
    bytes: int = 0
    trouble: str = ""
    is_missing: bool = False
    """Whether there is none, which is no trouble at a place where one is only looked for."""


class PageFetches:
    """Asks for pages, robots.txt and sitemaps by the one door out, each time once."""

    def __init__(
        self,
        transport: Transport,
        reader: PageReader,
        patterns: UrlPatterns,
        limits: CrawlLimits,
        manners: CrawlManners,
    ) -> None:
        self._transport = transport
        self._reader = reader
        self._patterns = patterns
        self._limits = limits
        self._manners = manners

    async def site(self, origin: str) -> SiteOpening:
        """The rules of an origin. It is open where it has no robots.txt, closed where that cannot be had now."""
        agent = self._manners.agent
        try:
            response = await self._get(f"{origin}/robots.txt", MOST_ROBOTS_BYTES, follows_redirects=True)
        except TooManyRedirects:
            return SiteOpening(origin, SiteRules(agent))
        except EgressError as error:
            if isinstance(error, AddressRefused) and not error.sent:
                # Each page is refused in the same way, for the reason that counts.
                return SiteOpening(origin, SiteRules(agent))
            return SiteOpening(origin, SiteRules(agent, is_open=False, trouble=str(error)))
        if response.status in _LATER or response.status >= 500:
            trouble = f"the site's robots.txt has status {response.status}"
            return SiteOpening(origin, SiteRules(agent, is_open=False, trouble=trouble))
        if not 200 <= response.status < 300:
            return SiteOpening(origin, SiteRules(agent))
        try:
            rules = await self._reader.run(partial(read_robots, response.body, agent))
        except WorkError as error:
            rules = SiteRules(agent, is_open=False, trouble=str(error))
        return SiteOpening(origin, rules)

    async def sitemap(self, url: str, level: int) -> SitemapAnswer:
        """What a sitemap lists."""
        try:
            response = await self._get(url, MOST_UNPACKED, follows_redirects=True)
        except EgressError as error:
            return SitemapAnswer(url, level, trouble=str(error))
        size, status = len(response.body), response.status
        if response.status != 200:
            is_missing = 400 <= response.status < 500 and response.status not in _LATER
            trouble = f"the sitemap has status {status}"
            return SitemapAnswer(url, level, status=status, bytes=size, trouble=trouble, is_missing=is_missing)
        if response.truncated:
            trouble = f"the sitemap has more than {MOST_UNPACKED:,} bytes"
            return SitemapAnswer(url, level, status=status, bytes=size, trouble=trouble)
        try:
            sitemap = await self._reader.sitemap(response.body, url)
        except (InvalidSource, PageUnreadable, WorkError) as error:
            return SitemapAnswer(url, level, status=status, bytes=size, trouble=str(error))
        return SitemapAnswer(url, level, sitemap, status, size)

    async def page(self, entry: FrontierEntry, known: PageState | None) -> PageAnswer:
        """A page; one that is known is asked for on condition that it has changed."""
        # Links that other patterns chose are to be chosen again: for that the page is needed.
        validators = _validators(known) if known is not None and known.patterns == self._patterns.digest else ()
        try:
            response = await self._get(entry.url, self._limits.page_bytes, validators)
        except EgressError as error:
            return _unanswered(entry, error)
        refused = _refused(entry, response, self._manners, is_conditional=bool(validators))
        if refused is not None:
            return refused
        return await self._read(entry, response, known)

    async def _read(self, entry: FrontierEntry, response: HttpResponse, known: PageState | None) -> PageAnswer:
        values = [value for name, value in response.headers if name.lower() == "x-robots-tag"]
        words = robot_words(values, self._manners.agent)
        if response.status == 304:
            notes = PageNotes(words=words)
            digest = "" if known is None else known.digest
            return PageAnswer(entry, response=response, digest=digest, notes=notes, is_unchanged=True)
        media_type, notes = media_type_of(response), PageNotes()
        try:
            digest = await self._reader.run(partial(_digest, response.body))
            is_known = known is not None and known.digest == digest and known.patterns == self._patterns.digest
            if media_type in _HTML and not is_known:
                notes = await self._notes(response, entry.url)
        except PageUnreadable as error:
            return PageAnswer(entry, SkipReason.UNREADABLE, str(error), response=response)
        except WorkError as error:
            return PageAnswer(entry, SkipReason.NOT_READ, str(error), response=response)
        notes = PageNotes(notes.links, notes.canonical, notes.words & words, notes.refresh)
        return PageAnswer(
            entry, response=response, media_type=media_type, digest=digest, notes=notes, is_unchanged=is_known
        )

    async def _notes(self, response: HttpResponse, url: str) -> PageNotes:
        return await self._reader.notes(response.body, url, charset_of(response), self._patterns.includes)

    async def _get(
        self, url: str, max_bytes: int, more: tuple[tuple[str, str], ...] = (), *, follows_redirects: bool = False
    ) -> HttpResponse:
        headers = (("User-Agent", self._manners.user_agent), ("Accept", _ACCEPTED), *more)
        limits = HttpLimits(
            connect_s=min(10.0, self._limits.page_s),
            read_s=self._limits.silence_s,
            total_s=self._limits.page_s,
            max_bytes=max_bytes,
            caller="crawler",
        )
        request = HttpRequest("GET", url, headers, follows_redirects=follows_redirects)
        return await self._transport.send(request, limits)


def media_type_of(response: HttpResponse) -> str:
    """The media type that is declared, lower case, without parameters; where none is, what the body looks like."""
    declared = response.header("Content-Type").partition(";")[0].strip().lower()
    if declared or response.status == 304:
        return declared
    start = response.body[:64].lstrip()
    return next((media_type for mark, media_type in _MARKS if start.startswith(mark)), "")


def charset_of(response: HttpResponse) -> str:
    """The charset that is declared in the headers, lower case; empty where none is."""
    found = _CHARSET.search(response.header("Content-Type")[:1000])
    return found[1].lower() if found else ""


def state_of(answer: PageAnswer, known: PageState | None, links: tuple[str, ...], patterns: UrlPatterns) -> PageState:
    """What is to be kept of a page that was had or is unchanged."""
    response = answer.response
    assert response is not None, "only what was answered has a state"
    # What cannot be sent back is not worth keeping, and may be long.
    etag, modified = (_usable_validator(response.header(name)) for name in ("ETag", "Last-Modified"))
    is_bodiless = response.status == 304 and known is not None
    return PageState(
        url=answer.entry.url,
        digest=answer.digest,
        fetched_at=datetime.now(UTC).isoformat(timespec="seconds"),
        etag=etag or (known.etag if is_bodiless and known is not None else ""),
        last_modified=modified or (known.last_modified if is_bodiless and known is not None else ""),
        media_type=answer.media_type or ("" if known is None else known.media_type),
        links=links,
        patterns=patterns.digest,
    )


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def _usable_validator(value: str) -> str:
    return value if _VALIDATOR.fullmatch(value) else ""


def _validators(known: PageState) -> tuple[tuple[str, str], ...]:
    """Headers by which a server can say that nothing has changed (RFC 9110 §13.1)."""
    pairs = (("If-None-Match", known.etag), ("If-Modified-Since", known.last_modified))
    return tuple((name, value) for name, value in pairs if _usable_validator(value))


def _unanswered(entry: FrontierEntry, error: EgressError) -> PageAnswer:
    match error:
        case AddressRefused():
            reason = SkipReason.ADDRESS_REFUSED
        case TimedOut():
            reason = SkipReason.TIMED_OUT
        case _:
            reason = SkipReason.UNREACHABLE
    return PageAnswer(entry, reason, str(error))


def _refused(
    entry: FrontierEntry, response: HttpResponse, manners: CrawlManners, *, is_conditional: bool
) -> PageAnswer | None:
    """The answer for a response that is no page; None for one that may be."""
    status = response.status
    if status in _REDIRECTS and response.header("Location"):
        target = canonical_url(response.header("Location"), entry.url)
        return PageAnswer(entry, SkipReason.REDIRECTED, target, target, response=response)
    if status in _LATER or status >= 500:
        is_overload = status in (429, 503)
        after = retry_after(response, datetime.now(UTC)) if is_overload else None
        reason, detail = SkipReason.SERVER_ERROR, f"status {status}"
        return PageAnswer(entry, reason, detail, retry_after_s=after, is_overload=is_overload, response=response)
    if status == 304 and is_conditional:
        return None
    reason = _lasting_reason(response, manners)
    detail = f"status {status}" if status not in (200, 203) else media_type_of(response)
    return None if reason is None else PageAnswer(entry, reason, detail, response=response)


def _lasting_reason(response: HttpResponse, manners: CrawlManners) -> SkipReason | None:
    if response.status in _MISSING:
        return SkipReason.NOT_FOUND
    if response.status >= 400:
        return SkipReason.CLIENT_ERROR
    if response.status not in (200, 203):
        return SkipReason.UNEXPECTED_STATUS
    if media_type_of(response) not in manners.page_types:
        return SkipReason.MEDIA_TYPE
    if response.truncated:
        return SkipReason.TOO_LARGE
    return None if response.body.strip() else SkipReason.EMPTY
