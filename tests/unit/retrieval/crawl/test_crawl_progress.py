"""What becomes of the pages of any site, its answers drawn at random."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypothesis import example, given
from hypothesis import strategies as st

from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import dumps, loads
from openplaybook.retrieval.crawl.base import CrawlLimits, PageState, SkipReason
from openplaybook.retrieval.crawl.crawl_events import CrawlEvent, PageFetched, PageGone, PageSkipped, PageUnchanged
from openplaybook.retrieval.crawl.crawl_progress import CrawlProgress
from openplaybook.retrieval.crawl.frontier import FrontierEntry, PageStatus, frontier_of
from openplaybook.retrieval.crawl.page_fetches import PageAnswer
from openplaybook.retrieval.crawl.page_notes import PageNotes
from openplaybook.retrieval.crawl.robots import RobotWords
from openplaybook.retrieval.crawl.url_patterns import UrlPatterns, url_pattern

SITE = "https://e.example"
PATTERNS = UrlPatterns((url_pattern("e.example/*"),))
PAGES = [f"{SITE}/{letter}" for letter in "abcdefghij"]


@dataclass(frozen=True)
class Page:
    """How a page answers."""

    links: tuple[str, ...] = ()
    canonical: str = ""
    content: str = ""
    redirect: str = ""
    refusal: SkipReason | None = None
    is_indexed: bool = True


URLS = st.sampled_from(PAGES)
REFUSALS = st.sampled_from([SkipReason.NOT_FOUND, SkipReason.SERVER_ERROR, SkipReason.TOO_LARGE])
PLAIN = st.builds(
    Page,
    links=st.lists(URLS, max_size=4).map(tuple),
    canonical=st.just("") | URLS,
    content=st.sampled_from("xyzuvw"),
    is_indexed=st.integers(0, 5).map(bool),
)
SITES = st.fixed_dictionaries(
    dict.fromkeys(PAGES, PLAIN | PLAIN | st.builds(Page, redirect=URLS) | st.builds(Page, refusal=REFUSALS))
)


def answer(entry: FrontierEntry, page: Page) -> PageAnswer:
    if page.redirect:
        return PageAnswer(entry, SkipReason.REDIRECTED, page.redirect, page.redirect)
    if page.refusal is not None:
        return PageAnswer(entry, page.refusal)
    response = HttpResponse(200, (), page.content.encode(), False, 0.0)
    notes = PageNotes(page.links, page.canonical, RobotWords(is_indexed=page.is_indexed))
    return PageAnswer(entry, response=response, media_type="text/html", digest=page.content, notes=notes)


def crawled(progress: CrawlProgress, site: Mapping[str, Page], most: int = 10_000) -> Sequence[CrawlEvent]:
    """Crawl up to so many answers; to the end, where there are fewer."""
    for _ in range(most):
        origin = next(progress.queue.origins(), None)
        if origin is not None:
            entry = progress.queue.take(origin)
            progress.settle(answer(entry, site[entry.url]))
        elif not progress.queue.release():
            progress.finish()
            break
    events = list(progress.events)
    progress.events.clear()
    return events


def begun(known: Mapping[str, PageState] | None = None) -> CrawlProgress:
    progress = CrawlProgress(PATTERNS, known or {}, CrawlLimits())
    progress.sow([PAGES[0]])
    return progress


def kept(events: Sequence[CrawlEvent]) -> dict[str, PageState]:
    return {event.url: event.state for event in events if isinstance(event, PageFetched | PageUnchanged)}


def told(events: Sequence[CrawlEvent]) -> list[str]:
    return [event.url for event in events if isinstance(event, PageFetched | PageUnchanged | PageSkipped | PageGone)]


@given(SITES)
def test_each_page_is_told_of_once_and_each_content_is_taken_once(site: Mapping[str, Page]) -> None:
    progress = begun()
    events = crawled(progress, site)
    urls = told(events)
    assert len(urls) == len(set(urls)) == len(events) == len(progress.queue)
    taken = kept(events)
    assert len({state.digest for state in taken.values()}) == len(taken)
    for event in events:
        assert not isinstance(event, PageGone | PageUnchanged)
        if isinstance(event, PageSkipped) and event.reason in (SkipReason.DUPLICATE, SkipReason.CANONICAL):
            assert event.detail in taken
        if isinstance(event, PageSkipped) and event.reason is SkipReason.REDIRECTED:
            assert progress.queue.status(event.detail) in (PageStatus.TAKEN, PageStatus.REFUSED)


@given(SITES)
def test_no_content_is_lost_to_its_copies(site: Mapping[str, Page]) -> None:
    events = crawled(begun(), site)
    taken = {state.digest for state in kept(events).values()}
    for event in events:
        if isinstance(event, PageSkipped) and event.reason is SkipReason.DUPLICATE:
            page = site[event.url]
            assert page.content in taken or page.canonical in kept(events)


@given(SITES, st.integers(1, 12))
def test_a_crawl_that_was_cut_off_comes_to_the_same_end(site: Mapping[str, Page], most: int) -> None:
    progress = begun()
    first = crawled(progress, site, most)
    saved = progress.queue.snapshot(bytes=0, elapsed_s=0.0, is_whole=progress.is_whole)
    other = CrawlProgress(PATTERNS, kept(first), CrawlLimits())
    other.restore(frontier_of(loads(dumps(saved.to_json()))))
    more = crawled(other, site)
    whole = crawled(begun(), site)
    assert sorted(told([*first, *more])) == sorted(told(whole))
    assert kept(first).keys() | kept(more).keys() == kept(whole).keys()


@given(SITES)
@example({PAGES[0]: Page(canonical=PAGES[2], content="x"), PAGES[2]: Page(content="x")})
@example({PAGES[0]: Page((PAGES[2],), content="x", is_indexed=False), PAGES[2]: Page(content="x")})
def test_a_second_crawl_of_the_same_site_takes_nothing_away(site: Mapping[str, Page]) -> None:
    first = kept(crawled(begun(), site))
    events = crawled(begun(first), site)
    assert not [event for event in events if isinstance(event, PageGone | PageFetched)]
    assert kept(events).keys() == first.keys()


@given(SITES, SITES)
@example(
    {PAGES[0]: Page((PAGES[2],), content="w"), PAGES[2]: Page(content="x")},
    {PAGES[0]: Page((PAGES[2],), content="x"), PAGES[2]: Page(redirect=PAGES[3]), PAGES[3]: Page(content="z")},
)
@example(
    {PAGES[0]: Page((PAGES[2],), content="w"), PAGES[2]: Page(content="x")},
    {PAGES[0]: Page((PAGES[2],), content="x"), PAGES[2]: Page(content="z")},
)
def test_after_a_second_crawl_the_store_has_what_a_first_one_would_take(
    before: Mapping[str, Page], after: Mapping[str, Page]
) -> None:
    store = kept(crawled(begun(), before))
    events = crawled(begun(store), after)
    store |= kept(events)
    for event in events:
        if isinstance(event, PageGone):
            del store[event.url]
    contents = {state.digest for state in kept(crawled(begun(), after)).values()}
    has_failed = any(page.refusal is SkipReason.SERVER_ERROR for page in after.values())
    assert has_failed or {state.digest for state in store.values()} == contents


def test_no_more_urls_are_remembered_than_a_crawl_may_keep() -> None:
    limits = CrawlLimits(url_characters=10_000)
    progress = CrawlProgress(PATTERNS, {}, limits)
    progress.list_pages(f"{SITE}/{number}{'x' * 1_000}" for number in range(100))
    assert (len(progress.queue), progress.is_whole) == (10, False)
    again = CrawlProgress(PATTERNS, {}, limits)
    again.restore(progress.queue.snapshot(bytes=0, elapsed_s=0.0, is_whole=False))
    again.list_pages([f"{SITE}/y"])
    assert len(again.queue) == 10
