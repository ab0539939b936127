"""Whole crawls of a loopback site, with all that a crawler can fall into."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace

import pytest

from openplaybook import __version__
from openplaybook.retrieval.crawl.base import CrawlLimits, CrawlManners, PageState
from openplaybook.retrieval.crawl.crawl_events import (
    CrawlEvent,
    CrawlFinished,
    FrontierSaved,
    HostPaused,
    PageFetched,
    PageGone,
    PageUnchanged,
    SitemapSkipped,
)
from openplaybook.retrieval.crawl.crawler import crawl
from openplaybook.retrieval.errors import InvalidSource
from tests.integration.retrieval.crawl.visits import HONEST, LIMITS, MANNERS, Visit, fetched, skipped, states, visit
from tests.kit.hostile_web.redirects import LOCATIONS
from tests.kit.http_peer import answer
from tests.kit.trap_site import DOCUMENTS, constant, honest_site, html, moved, page, trap_site, word

TAKEN = {
    "/",
    *(f"/docs/{word(number)}" for number in range(DOCUMENTS)),
    *(f"/listed/{number}" for number in range(20)),
    *(f"/calendar/{number}" for number in range(1, 31)),
    *("/endless/", "/endless/round/", "/endless/round/round/", "/same/"),
    *(f"/search?q={words}" for words in ("a", "aa", "ab", "aaa", "aab", "aba", "abb", "aaaa", "aaab", "aaba")),
    *("/twin/a", "/lost", "/mutual/b", "/found-in-hidden", "/quiet", "/vouching", "/flaky", "/busy"),
    *("/latin", "/wrong-charset", "/after-wrong", "/manual", "/based"),
}

REFUSED = {
    "/excluded/a": "EXCLUDED",
    "/picture.png": "MEDIA_TYPE",
    "/binary": "MEDIA_TYPE",
    "/many?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9": "MANY_PARAMETERS",
    "/secret/plan": "ROBOTS",
    "/secret/listed": "ROBOTS",
    **{f"/hop/{number}": "REDIRECTED" for number in range(1, 6)},
    "/hop/6": "TOO_MANY_REDIRECTS",
    "/old": "REDIRECTED",
    "/sent-on": "REDIRECTED",
    "/leaves": "REDIRECTED_OUTSIDE",
    "/to-internal": "REDIRECTED_OUTSIDE",
    "/http-internal": "REDIRECTED",
    "http://internal.example/admin": "ADDRESS_REFUSED",
    "/twin/b": "DUPLICATE",
    "/same/same/": "DUPLICATE",
    "/docs/h?x": "DUPLICATE",
    "/mutual/a": "CANONICAL",
    "/printed": "CANONICAL",
    "/hidden-by-page": "NOINDEX",
    "/hidden-by-header": "NOINDEX",
    "/withdrawn": "NOT_FOUND",
    "/nowhere": "NOT_FOUND",
    "/forbidden": "CLIENT_ERROR",
    "/failing": "SERVER_ERROR",
    "/closed": "UNREACHABLE",
    "/silent": "TIMED_OUT",
    "/bomb": "TOO_LARGE",
    "/long": "TOO_LARGE",
    "/empty": "EMPTY",
    "/endless/round/round/round/": "REPEATED_PATH",
    "/calendar/31": "MANY_ALIKE",
    **{f"/search?q={words}": "MANY_QUERIES" for words in ("aabb", "abaa", "abab", "abba", "abbb")},
    **{f"/search?q={words}": "MANY_QUERIES" for words in ("aaaaa", "aaaab", "aaaba", "aaabb", "aabaa", "aabab")},
}
"""Pages that are left out, and why."""


async def test_a_site_full_of_traps_is_crawled_to_its_end() -> None:
    async with visit(trap_site(is_patient=True)) as trapped:
        events = await trapped.crawl()
    taken = [event.url for event in events if isinstance(event, PageFetched)]
    assert fetched(trapped, events) == TAKEN
    assert len(taken) == len(TAKEN) >= 300
    assert skipped(trapped, events) == REFUSED
    assert [event for event in events if isinstance(event, PageGone | PageUnchanged)] == []
    last = events[-1]
    assert isinstance(last, CrawlFinished)
    assert (last.pages, last.stopped_by, last.is_whole) == (len(TAKEN), "", False)
    check_manners(trapped, events)


def check_manners(running: Visit, events: Sequence[CrawlEvent]) -> None:
    """Nothing is asked for in vain, and the host is asked one thing at a time, with pauses."""
    asked = Counter(running.site.asked)
    refused = {path for path, reason in REFUSED.items() if reason in NEVER_ASKED and not path.startswith("http")}
    assert not asked.keys() & (refused | {"/unfollowed", "/evil"})
    twice = {path for path, count in asked.items() if count > 1}
    assert twice == {"/failing", "/closed", "/silent", "/flaky", "/busy", "/lost"}
    assert max(asked.values()) == 2
    assert running.site.most_at_once == 1
    assert running.site.agents == {f"OpenPlaybook-Crawler/{__version__} (+https://crawler.example/about)"}
    assert running.time.now >= MANNERS.delay_s * (len(running.site.asked) - 1)
    paused = [(event.seconds, event.message.rpartition(" ")[2]) for event in events if isinstance(event, HostPaused)]
    assert paused == [(7.0, "503"), (2.0, "429")]


NEVER_ASKED = {"EXCLUDED", "ROBOTS", "MANY_PARAMETERS", "REPEATED_PATH", "MANY_ALIKE", "MANY_QUERIES"}


@pytest.mark.parametrize(("asked_for", "kept"), [("4", 4.0), ("500", 30.0), ("0.1", 1.0)])
async def test_a_site_may_ask_for_a_longer_delay_up_to_a_bound(asked_for: str, kept: float) -> None:
    site = honest_site(5)
    site.robots = f"User-agent: *\nCrawl-delay: {asked_for}\n"
    async with visit(site) as running:
        await running.crawl()
        # The first page is asked for before the delay is known.
        assert set(running.time.slept[1:]) == {kept}


async def test_a_host_that_asks_for_hours_is_left_alone() -> None:
    site = honest_site(20)
    site.replies["/docs/b"] = constant(answer(b"", "503 Later", Retry_After="7200"))
    async with visit(site) as running:
        events = await running.crawl()
        assert len(fetched(running, events)) == 2
        assert skipped(running, events) == {"/docs/b": "SERVER_ERROR", "/docs/c": "HOST_PAUSED"}
        assert [event.seconds for event in events if isinstance(event, HostPaused)] == [0.0]


async def test_a_host_that_only_fails_is_given_up() -> None:
    site = honest_site()
    site.replies["/"] = constant(page(html("Start", [f"/x{word(number)}" for number in range(50)])))
    site.replies |= {f"/x{word(number)}": constant(answer(b"", "500 Failed")) for number in range(50)}
    async with visit(site) as running:
        events = await running.crawl()
        assert Counter(skipped(running, events).values()) == {"SERVER_ERROR": 1, "HOST_PAUSED": 49}
        assert len([target for target in site.asked if target.startswith("/x")]) == 8


async def test_a_site_of_thousands_of_rules_is_crawled_by_them() -> None:
    site = honest_site(6)
    site.robots = "User-agent: *\nDisallow: /docs/c\n" + "".join(f"Disallow: /*{n}z\n" for n in range(2_000))
    async with visit(site) as running:
        events = await running.crawl()
        assert skipped(running, events) == {"/docs/c": "ROBOTS"}
        assert fetched(running, events) == {"/", "/docs/a", "/docs/b", "/docs/d", "/docs/e"}


@pytest.mark.parametrize("status", ["500 Failed", "503 Busy", "429 Slowly"])
async def test_without_a_robots_txt_that_fails_nothing_is_asked_for(status: str) -> None:
    site = honest_site(5)
    site.robots_status = status
    async with visit(site) as running:
        known = {f"{running.origin}/docs/a": PageState(f"{running.origin}/docs/a", "0", "")}
        events = await running.crawl(known)
        assert (site.asked, skipped(running, events)) == (["/robots.txt"], {"/": "ROBOTS_UNREACHABLE"})
        assert not [event for event in events if isinstance(event, PageGone)]


@pytest.mark.parametrize("status", ["404 Not Found", "403 Forbidden"])
async def test_without_a_robots_txt_all_may_be_asked_for(status: str) -> None:
    site = honest_site(5)
    site.robots_status = status
    async with visit(site) as running:
        assert len(fetched(running, await running.crawl())) == 6


@pytest.mark.parametrize(
    ("limits", "stopped_by", "pages"),
    [
        (replace(LIMITS, pages=7), "pages", 7),
        (replace(LIMITS, total_bytes=1_000), "total_bytes", 7),
        (replace(LIMITS, total_s=10.0), "total_s", 8),
    ],
)
async def test_a_limit_ends_a_crawl_and_another_run_goes_on(limits: CrawlLimits, stopped_by: str, pages: int) -> None:
    async with visit(honest_site(40)) as running:
        events = await running.crawl(limits=limits)
        last, saved = events[-1], events[-2]
        assert isinstance(last, CrawlFinished)
        assert isinstance(saved, FrontierSaved)
        assert (last.stopped_by, last.is_whole, len(fetched(running, events))) == (stopped_by, False, pages)
        more = await running.crawl(states(events), frontier=saved.frontier)
        assert fetched(running, more) | fetched(running, events) == HONEST
        assert not fetched(running, more) & fetched(running, events)


async def test_a_site_of_exactly_as_many_pages_as_a_crawl_may_take_is_whole() -> None:
    async with visit(honest_site(40)) as running:
        events = await running.crawl(limits=replace(LIMITS, pages=41))
        last = events[-1]
        assert isinstance(last, CrawlFinished)
        assert (last.stopped_by, last.is_whole) == ("", True)


async def test_what_is_too_many_links_away_is_left_out() -> None:
    async with visit(honest_site(40)) as running:
        events = await running.crawl(limits=replace(LIMITS, depth=2))
        assert fetched(running, events) == {"/", "/docs/a", "/docs/b", "/docs/c"}
        assert skipped(running, events) == {f"/docs/{name}": "TOO_DEEP" for name in "defg"}


async def test_bodies_and_charsets_are_handed_on_as_they_came() -> None:
    async with visit(trap_site()) as running:
        events = await running.crawl(seeds=["/latin", "/wrong-charset", "/manual"], limits=replace(LIMITS, depth=0))
    pages = {running.path(event.url): event for event in events if isinstance(event, PageFetched)}
    latin, wrong, manual = pages["/latin"], pages["/wrong-charset"], pages["/manual"]
    assert (latin.charset, latin.body) == ("iso-8859-1", "<title>Grüße</title>".encode("latin-1"))
    assert (wrong.charset, wrong.body[:15]) == ("utf-8", "<title>Größe</t".encode("latin-1"))
    assert (manual.media_type, manual.charset) == ("application/pdf", "")


async def test_a_sitemap_that_cannot_be_read_is_told() -> None:
    async with visit(trap_site()) as running:
        events = await running.crawl(limits=replace(LIMITS, depth=0))
    told = {running.path(event.url): event.message for event in events if isinstance(event, SitemapSkipped)}
    assert told.keys() == {"/maps/evil.xml", "/maps/none.xml"}
    assert "declares an entity" in told["/maps/evil.xml"]


async def test_a_caller_who_leaves_ends_what_runs() -> None:
    site = honest_site(40)
    site.silent = frozenset({"/docs/a", "/x"})
    site.replies["/"] = constant(page(html("Start", ["/x", "/docs/a"])))
    async with visit(site) as running:
        manners = CrawlManners(delay_s=0.0, concurrent_per_host=3)
        events = crawl([running.origin], running.patterns(), {}, running.transport, limits=LIMITS, manners=manners)
        async with aclosing(events):
            assert isinstance(await anext(events), PageFetched)
            waiting = asyncio.ensure_future(anext(events))
            await site.is_silent.acquire()
            await site.is_silent.acquire()
            waiting.cancel()
            await asyncio.wait({waiting})
        names = {str(task.get_coro()) for task in asyncio.all_tasks()}
        assert not [name for name in names if "PageFetches" in name]


async def test_a_seed_that_is_no_url_is_refused() -> None:
    async with visit(honest_site(1)) as running:
        with pytest.raises(InvalidSource, match="no URL to begin with"):
            await anext(crawl(["mailto:a@b"], running.patterns(), {}, running.transport))


async def test_pages_that_each_want_to_be_known_as_the_next_one_are_one_page() -> None:
    site = honest_site(1)
    names = [f"/chain/{word(number)}" for number in range(60)]
    for name, canonical in zip(names, [*names[1:], names[0]], strict=True):
        site.replies[name] = constant(page(html(name, head=f'<link rel="canonical" href="{canonical}">')))
    site.replies["/docs/a"] = constant(page(html("A", reversed(names))))
    async with visit(site) as running:
        events = await running.crawl()
        taken = fetched(running, events) - {"/", "/docs/a"}
        assert len(taken) == 1
        assert skipped(running, events) == dict.fromkeys(set(names) - taken, "CANONICAL")


async def test_several_requests_may_run_at_once_where_our_manners_say_so() -> None:
    async with visit(honest_site(40)) as running:
        events = await running.crawl(manners=replace(MANNERS, delay_s=0.0, concurrent_per_host=3))
        assert fetched(running, events) == HONEST
        assert 1 < running.site.most_at_once <= 3


async def test_a_page_that_would_hold_up_its_reader_is_left_out() -> None:
    site = honest_site(3)
    site.replies["/docs/b"] = constant(page(b"<div>" * 200_000))
    async with visit(site) as running:
        events = await running.crawl(limits=replace(LIMITS, page_bytes=2_000_000))
        assert skipped(running, events) == {"/docs/b": "UNREADABLE"}
        assert fetched(running, events) == {"/", "/docs/a", "/docs/c"}


async def test_hostile_redirects_lead_nowhere() -> None:
    """Even where the patterns include the hosts, nobody but the site itself is asked for anything."""
    site = honest_site(1)
    paths = [f"/r{word(number)}" for number in range(len(LOCATIONS))]
    site.replies |= {path: constant(moved(location)) for path, location in zip(paths, LOCATIONS, strict=True)}
    site.replies["/"] = constant(page(html("Start", paths)))
    async with visit(site) as running:
        running.included = (*_INTERNAL, *(f"{host}:8080/*" for host in ("192.168.1.1", "[::1]")))
        events = await running.crawl()
        assert fetched(running, events) == {"/"}
        left_out = skipped(running, events)
        assert {left_out.pop(path) for path in paths} == {"REDIRECTED", "REDIRECTED_OUTSIDE", "TOO_MANY_REDIRECTS"}
        elsewhere = {url: reason for url, reason in left_out.items() if not url.startswith("/")}
        assert set(elsewhere.values()) == {"ADDRESS_REFUSED"}
        assert len(elsewhere) >= 15
        assert set(left_out.values()) == {"ADDRESS_REFUSED", "NOT_FOUND"}


_INTERNAL = tuple(
    f"{host}/*"
    for host in (
        "169.254.169.254",
        "[fd00:ec2::254]",
        "[::ffff:169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]",
        "10.0.0.1",
        "127.0.0.2",
        "[::1]",
        "0.0.0.0",
        "[::ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "100.64.0.1",
        "224.0.0.1",
        "internal.example",
    )
)


async def test_a_site_of_any_number_of_hosts_is_crawled_on_some_of_them() -> None:
    site = honest_site(1)
    async with visit(site) as running:
        running.included = (f"*.site.example:{running.port}/*",)
        links = [f"http://{word(number)}.site.example:{running.port}/docs/a" for number in range(30)]
        site.replies["/"] = constant(page(html("Start", links)))
        numbers = iter(range(30))
        site.replies["/docs/a"] = lambda target: page(html(f"Page {next(numbers)}"))
        events = await running.crawl(limits=replace(LIMITS, hosts=4))
        assert len(fetched(running, events)) == 4
        assert Counter(skipped(running, events).values()) == {"MANY_HOSTS": 27}
