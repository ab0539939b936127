"""A store's site is crawled again, and goes on being crawled after a kill."""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace

import pytest

from openplaybook.jsonvalues import dumps, loads
from openplaybook.retrieval.crawl.base import CrawlLimits, page_state
from openplaybook.retrieval.crawl.crawl_events import (
    CrawlFinished,
    FrontierSaved,
    PageFetched,
    PageSkipped,
    PageUnchanged,
)
from openplaybook.retrieval.crawl.crawler import crawl
from openplaybook.retrieval.crawl.frontier import Frontier, frontier_of
from tests.integration.retrieval.crawl.visits import (
    HONEST,
    LIMITS,
    MANNERS,
    Visit,
    fetched,
    gone,
    skipped,
    states,
    visit,
)
from tests.kit.http_peer import answer
from tests.kit.trap_site import constant, honest_site, html, moved, page, trap_site, word


def unchanged(running: Visit, events: Sequence[object]) -> set[str]:
    return {running.path(event.url) for event in events if isinstance(event, PageUnchanged)}


def below(number: int) -> set[str]:
    """Paths of the documents that the links of one lead to, in an honest site of forty."""
    children = [child for child in (2 * number + 1, 2 * number + 2) if child < 40]
    return {path for child in children for path in (f"/docs/{word(child)}", *below(child))}


async def test_what_has_not_changed_is_not_sent_again() -> None:
    async with visit(honest_site(40)) as running:
        first = await running.crawl()
        again = await running.crawl(states(first))
        assert unchanged(running, again) == HONEST
        last, before = again[-1], first[-1]
        assert isinstance(last, CrawlFinished)
        assert isinstance(before, CrawlFinished)
        assert (last.pages, last.is_whole) == (41, True)
        assert last.bytes < before.bytes / 10
        assert len(again) == 42
        third = await running.crawl(states(again))
        assert unchanged(running, third) == HONEST


async def test_states_are_kept_as_json() -> None:
    async with visit(honest_site(5)) as running:
        kept = states(await running.crawl())
        assert {url: page_state(loads(dumps(state.to_json()))) for url, state in kept.items()} == kept


async def test_a_second_crawl_says_what_is_new_changed_and_gone() -> None:
    site = honest_site(40)
    async with visit(site) as running:
        first = await running.crawl()
        changed = page(html("Document b, changed", ["/docs/d", "/docs/e", "/docs/new"]))
        site.replies["/docs/b"] = constant(changed)
        site.replies["/docs/new"] = constant(page(html("New")))
        site.replies["/docs/d"] = constant(answer(b"", "410 Gone"))
        hidden = html("E", ["/docs/j", "/docs/ba"], '<meta name="robots" content="noindex">')
        site.replies["/docs/e"] = constant(page(hidden))
        site.replies["/docs/f"] = constant(moved("/docs/moved"))
        site.replies["/docs/moved"] = constant(page(html("F has moved", ["/docs/bb", "/docs/bc"])))
        site.robots = "User-agent: *\nDisallow: /docs/g\n"
        again = await running.crawl(states(first))
        assert fetched(running, again) == {"/docs/b", "/docs/new", "/docs/moved"}
        lost = below(3) | below(6)
        assert gone(running, again) == {
            "/docs/d": "NOT_FOUND",
            "/docs/e": "NOINDEX",
            "/docs/f": "REDIRECTED",
            "/docs/g": "ROBOTS",
            **dict.fromkeys(lost, "UNLINKED"),
        }
        assert unchanged(running, again) == HONEST - lost - {f"/docs/{name}" for name in "bdefg"}


async def test_what_a_page_that_is_gone_alone_led_to_is_gone_too() -> None:
    site = honest_site(15)
    async with visit(site) as running:
        first = await running.crawl()
        site.replies["/docs/c"] = constant(page(html("C, without links")))
        again = await running.crawl(states(first))
        assert gone(running, again) == {f"/docs/{name}": "UNLINKED" for name in ("f", "g", "bb", "bc", "bd", "be")}


@pytest.mark.parametrize("failure", ["500 Failed", "503 Busy"])
async def test_a_page_that_fails_for_now_stays_with_all_that_it_leads_to(failure: str) -> None:
    site = honest_site(15)
    async with visit(site) as running:
        first = await running.crawl()
        site.replies["/docs/c"] = constant(answer(b"", failure, Retry_After="1"))
        again = await running.crawl(states(first))
        assert (gone(running, again), skipped(running, again)) == ({}, {"/docs/c": "SERVER_ERROR"})
        assert len(unchanged(running, again)) == 15
        last = again[-1]
        assert isinstance(last, CrawlFinished)
        assert last.is_whole


async def test_after_a_crawl_that_a_limit_ended_nothing_counts_as_unlinked() -> None:
    async with visit(honest_site(40)) as running:
        first = await running.crawl()
        again = await running.crawl(states(first), limits=replace(LIMITS, pages=5))
        assert (len(unchanged(running, again)), gone(running, again)) == (5, {})


async def test_a_page_of_a_site_that_was_excluded_is_gone() -> None:
    async with visit(honest_site(15)) as running:
        first = await running.crawl()
        running.excluded = ("/docs/c*",)
        again = await running.crawl(states(first))
        assert gone(running, again) == {
            "/docs/c": "EXCLUDED",
            **{f"/docs/{name}": "UNLINKED" for name in ("f", "g", "bb", "bc", "bd", "be")},
        }


async def test_content_that_has_moved_is_taken_at_its_new_place() -> None:
    site = honest_site(1)
    site.replies["/docs/old"] = constant(page(html("Content")))
    site.replies["/docs/a"] = constant(page(html("A", ["/docs/old"])))
    async with visit(site) as running:
        first = await running.crawl()
        site.replies["/docs/new"] = site.replies["/docs/old"]
        site.replies["/docs/a"] = constant(page(html("A", ["/docs/new"])))
        again = await running.crawl(states(first))
        assert (fetched(running, again), gone(running, again)) == (
            {"/docs/a", "/docs/new"},
            {"/docs/old": "UNLINKED"},
        )


async def test_a_copy_stays_a_copy_at_the_next_crawl() -> None:
    async with visit(trap_site()) as running:
        first = await running.crawl()
        again = await running.crawl(states(first))
        assert unchanged(running, again) | fetched(running, again) == fetched(running, first)
        assert fetched(running, again) == set()
        # What is unchanged still cannot be had under its canonical URL, and is not asked for there.
        left_out = {path: reason for path, reason in skipped(running, first).items() if path != "/nowhere"}
        assert (gone(running, again), skipped(running, again)) == ({}, left_out)


async def _until_killed(running: Visit, events: int, limits: CrawlLimits) -> tuple[list[object], Frontier]:
    """The events of a run that ends after so many of them, and the last frontier that was told."""
    told = list[object]()
    saved: Frontier | None = None
    patterns, times = running.patterns(), running.times
    crawled = crawl([running.origin], patterns, {}, running.transport, limits=limits, manners=MANNERS, times=times)
    async with aclosing(crawled):
        async for event in crawled:
            told.append(event)
            saved = event.frontier if isinstance(event, FrontierSaved) else saved
            if len(told) == events:
                break
    assert saved is not None
    return told, saved


@pytest.mark.parametrize("events", [30, 200, 390])
async def test_a_crawl_goes_on_after_a_kill(events: int) -> None:
    site = trap_site()
    async with visit(site) as running:
        limits = replace(LIMITS, snapshot_pages=10)
        told, saved = await _until_killed(running, events, limits)
        kept = {event.url: event.state for event in told if isinstance(event, PageFetched)}
        frontier = frontier_of(loads(dumps(saved.to_json())))
        assert frontier == saved
        taken, asked = set(saved.taken), len(site.asked)
        more = await running.crawl(kept, frontier=frontier)
        whole = fetched(running, told) | fetched(running, more)
        site.replies = trap_site().replies
        other = await running.crawl()
        assert whole == fetched(running, other)
        assert not fetched(running, told) & fetched(running, more)
        assert not {running.origin + target for target in site.asked[asked:] if target in taken}
        ended = more[-1]
        assert isinstance(ended, CrawlFinished)
        assert ended.pages == len(whole)
        reasons = {event.url for event in [*told, *more] if isinstance(event, PageSkipped)}
        assert reasons == {event.url for event in other if isinstance(event, PageSkipped)}
