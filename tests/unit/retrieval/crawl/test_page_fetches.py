"""What an answer means, by a transport that gives what it is told."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import pytest

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.egress.errors import AddressRefused, ConnectFailed, EgressError, TimedOut, TooManyRedirects
from openplaybook.retrieval.crawl.base import CrawlLimits, CrawlManners, PageState, SkipReason
from openplaybook.retrieval.crawl.frontier import FrontierEntry
from openplaybook.retrieval.crawl.page_fetches import PageAnswer, PageFetches, charset_of, media_type_of, state_of
from openplaybook.retrieval.crawl.page_notes import PageReader
from openplaybook.retrieval.crawl.url_patterns import UrlPatterns, url_pattern

URL = "https://e.example/a"
PATTERNS = UrlPatterns((url_pattern("e.example/*"),))
TEXT = (("Content-Type", "text/plain"),)


@dataclass
class Told:
    """A transport with one answer."""

    outcome: HttpResponse | EgressError
    requests: list[HttpRequest] = field(default_factory=list[HttpRequest])
    limits: list[HttpLimits] = field(default_factory=list[HttpLimits])

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        self.requests.append(request)
        self.limits.append(limits)
        if isinstance(self.outcome, EgressError):
            raise self.outcome
        return self.outcome

    async def aclose(self) -> None: ...


@pytest.fixture
async def reader() -> AsyncIterator[PageReader]:
    made = PageReader("openplaybook-crawler")
    yield made
    await made.aclose()


def fetches(told: Told, reader: PageReader) -> PageFetches:
    return PageFetches(told, reader, PATTERNS, CrawlLimits(page_bytes=1000), CrawlManners())


def response(status: int, headers: Sequence[tuple[str, str]] = TEXT, body: bytes = b"x") -> HttpResponse:
    return HttpResponse(status, tuple(headers), body, False, 0.0)


async def asked(told: Told, reader: PageReader, known: PageState | None = None) -> PageAnswer:
    return await fetches(told, reader).page(FrontierEntry(URL), known)


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (response(200), None),
        (response(203), None),
        (response(204), SkipReason.UNEXPECTED_STATUS),
        (response(206), SkipReason.UNEXPECTED_STATUS),
        (response(300), SkipReason.UNEXPECTED_STATUS),
        (response(304), SkipReason.UNEXPECTED_STATUS),
        (response(301), SkipReason.UNEXPECTED_STATUS),
        (response(308, [("Location", "/b")]), SkipReason.REDIRECTED),
        (response(401), SkipReason.CLIENT_ERROR),
        (response(404), SkipReason.NOT_FOUND),
        (response(410), SkipReason.NOT_FOUND),
        (response(429), SkipReason.SERVER_ERROR),
        (response(500), SkipReason.SERVER_ERROR),
        (response(200, body=b" "), SkipReason.EMPTY),
        (response(200, [("Content-Type", "image/png")]), SkipReason.MEDIA_TYPE),
        (response(200, []), SkipReason.MEDIA_TYPE),
        (HttpResponse(200, TEXT, b"x", True, 0.0), SkipReason.TOO_LARGE),
        (AddressRefused("no", rule="private"), SkipReason.ADDRESS_REFUSED),
        (TimedOut("late", which="read", sent=True), SkipReason.TIMED_OUT),
        (ConnectFailed("no"), SkipReason.UNREACHABLE),
    ],
)
async def test_an_answer_is_a_page_or_a_reason(
    outcome: HttpResponse | EgressError, reason: SkipReason | None, reader: PageReader
) -> None:
    assert (await asked(Told(outcome), reader)).reason is reason


async def test_a_page_is_asked_for_once_and_redirects_are_not_followed(reader: PageReader) -> None:
    told = Told(response(302, [("Location", "../b?utm_source=x#y")]))
    answer = await asked(told, reader)
    assert answer.target == "https://e.example/b"
    (request,) = told.requests
    assert (request.method, request.url, request.follows_redirects, request.repeatable) == ("GET", URL, False, False)
    assert told.limits[0].max_bytes == 1000


async def test_a_known_page_is_asked_for_on_condition(reader: PageReader) -> None:
    known = PageState(URL, "d", "", '"tag"', "Mon, 01 Jan 2024 00:00:00 GMT", patterns=PATTERNS.digest)
    told = Told(response(304))
    answer = await asked(told, reader, known)
    assert (answer.reason, answer.is_unchanged, answer.digest) == (None, True, "d")
    sent = dict(told.requests[0].headers)
    assert (sent["If-None-Match"], sent["If-Modified-Since"]) == (known.etag, known.last_modified)


@pytest.mark.parametrize("etag", ["", "a\r\nHost: x", "é", "x" * 300])
async def test_a_validator_that_is_no_header_is_not_sent(etag: str, reader: PageReader) -> None:
    told = Told(response(200))
    await asked(told, reader, PageState(URL, "d", "", etag, patterns=PATTERNS.digest))
    assert [name for name, _ in told.requests[0].headers] == ["User-Agent", "Accept"]


async def test_a_page_whose_links_other_patterns_chose_is_asked_for_whole(reader: PageReader) -> None:
    told = Told(response(304))
    answer = await asked(told, reader, PageState(URL, "d", "", '"tag"', patterns="other"))
    assert [name for name, _ in told.requests[0].headers] == ["User-Agent", "Accept"]
    assert answer.reason is SkipReason.UNEXPECTED_STATUS


@pytest.mark.parametrize(
    ("outcome", "is_open", "has_trouble"),
    [
        (response(200, body=b"User-agent: *\nDisallow: /x"), True, False),
        (response(404), True, False),
        (response(401), True, False),
        (response(500), False, True),
        (response(429), False, True),
        (TooManyRedirects("round"), True, False),
        (ConnectFailed("no"), False, True),
        (AddressRefused("no", rule="private"), True, False),
        (AddressRefused("no", rule="private", sent=True), False, True),
    ],
)
async def test_a_site_is_closed_as_long_as_its_robots_txt_cannot_be_had(
    outcome: HttpResponse | EgressError, is_open: bool, has_trouble: bool, reader: PageReader
) -> None:
    rules = (await fetches(Told(outcome), reader).site("https://e.example")).rules
    assert (rules.allows(URL), bool(rules.trouble)) == (is_open, has_trouble)


@pytest.mark.parametrize(
    ("declared", "body", "media_type", "charset"),
    [
        ("Text/HTML; Charset=UTF-8", b"", "text/html", "utf-8"),
        ("text/html;charset='latin1'", b"", "text/html", "latin1"),
        ("text/html; charset=", b"", "text/html", ""),
        ("", b"\n<!doctype html>", "text/html", ""),
        ("", b"%PDF-1.7", "application/pdf", ""),
        ("", b"\x00", "", ""),
    ],
)
def test_type_and_charset_are_those_that_are_declared(
    declared: str, body: bytes, media_type: str, charset: str
) -> None:
    headers = [("content-type", declared)] if declared else []
    answered = response(200, headers, body)
    assert (media_type_of(answered), charset_of(answered)) == (media_type, charset)


async def test_a_sitemap_is_read_by_a_child_process_as_here(reader: PageReader) -> None:
    url = "https://e.example/sitemap.xml"
    listed = await fetches(Told(response(200, (), b"/b\n/a\n")), reader).sitemap(url, 1)
    assert (listed.trouble, listed.sitemap.pages) == ("", ("https://e.example/b", "https://e.example/a"))
    index = b"<sitemapindex><sitemap><loc>/one.xml</loc></sitemap></sitemapindex>"
    listed = await fetches(Told(response(200, (), index)), reader).sitemap(url, 1)
    assert listed.sitemap.sitemaps == ("https://e.example/one.xml",)
    refused = await fetches(Told(response(200, (), b"<a>" * 100)), reader).sitemap(url, 1)
    assert refused.trouble == f"the sitemap {url} has elements within each other in more than 16 levels"


async def test_a_validator_that_cannot_be_sent_back_is_not_kept(reader: PageReader) -> None:
    headers = (*TEXT, ("ETag", '"' + "x" * 60_000 + '"'), ("Last-Modified", "Tue, 05 Nov 2024 08:00:00 GMT"))
    kept = state_of(await asked(Told(response(200, headers)), reader), None, (), PATTERNS)
    assert (kept.etag, kept.last_modified) == ("", "Tue, 05 Nov 2024 08:00:00 GMT")
