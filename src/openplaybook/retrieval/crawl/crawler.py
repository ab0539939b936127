"""`crawl`: the pages of a website store, asked for politely and within limits, told to the caller one after the other.

One loop starts requests as hosts allow it and judges their answers; while the caller stores a page, nothing new is
begun. Breadth first for each origin; origins take turns.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from openplaybook.egress.base import Transport
from openplaybook.retrieval.crawl.base import CrawlLimits, CrawlManners, PageState, SkipReason
from openplaybook.retrieval.crawl.crawl_events import (
    CrawlEvent,
    CrawlFinished,
    FrontierSaved,
    HostPaused,
    SitemapSkipped,
)
from openplaybook.retrieval.crawl.crawl_progress import CrawlProgress
from openplaybook.retrieval.crawl.frontier import Frontier, FrontierEntry
from openplaybook.retrieval.crawl.host_pace import HostPace
from openplaybook.retrieval.crawl.page_fetches import PageAnswer, PageFetches, SitemapAnswer, SiteOpening
from openplaybook.retrieval.crawl.page_notes import PageReader
from openplaybook.retrieval.crawl.page_urls import canonical_url, split_url
from openplaybook.retrieval.crawl.robots import SiteRules
from openplaybook.retrieval.crawl.sitemaps import MOST_LEVELS
from openplaybook.retrieval.crawl.url_patterns import UrlPatterns

_REFUSED_AT_ONCE = 50
"""Pages that a robots.txt forbids, in one go."""
_TRIES, _OVERLOAD_TRIES = 2, 3
"""Of one page, where the answer says nothing about it."""
_RETRIED = frozenset({SkipReason.UNREACHABLE, SkipReason.TIMED_OUT, SkipReason.SERVER_ERROR})
_Answer: TypeAlias = PageAnswer | SiteOpening | SitemapAnswer


@dataclass(frozen=True, slots=True)
class CrawlTime:
    """Where a crawl has its time from."""

    clock: Callable[[], float] = time.monotonic
    """Seconds."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


async def crawl(
    seeds: Sequence[str],
    patterns: UrlPatterns,
    known: Mapping[str, PageState],
    transport: Transport,
    *,
    limits: CrawlLimits | None = None,
    manners: CrawlManners | None = None,
    frontier: Frontier | None = None,
    times: CrawlTime | None = None,
) -> AsyncGenerator[CrawlEvent]:
    """Crawl the pages of `patterns` from the seeds on, and tell what becomes of each; the last event says how it ended.

    `known` are the states of the pages that the store has, by URL: they are asked for on condition that they have
    changed, and told to be gone when they are. `frontier` is where an earlier run of this crawl was; then the seeds
    are not begun with again, and `known` has the states that were told since. `transport` judges all addresses, and
    tries nothing again. Raises `InvalidSource` for seeds that are no URLs.
    """
    limits, manners = limits or CrawlLimits(), manners or CrawlManners()
    reader = PageReader(manners.agent)
    fetches = PageFetches(transport, reader, patterns, limits, manners)
    progress = await reader.run(partial(CrawlProgress, patterns, known, limits))
    run = _Crawl(fetches, reader, progress, limits, manners, times or CrawlTime())
    try:
        await run.begin(seeds, frontier)
        async with aclosing(run.events()) as events:
            async for event in events:
                yield event
    finally:
        await run.stop()
        await reader.aclose()


@dataclass(slots=True)
class _Site:
    """One origin: its rules as soon as they are read, and its sitemaps that are to be read."""

    rules: SiteRules | None = None
    is_opening: bool = False
    lists_pages: bool = True
    """Whether its own sitemaps are read; not of a site that only serves a sitemap of another one."""
    sitemaps: deque[tuple[str, int]] = field(default_factory=deque[tuple[str, int]])
    """URLs, and how many indexes led to them."""


class _Crawl:
    """One run."""

    def __init__(
        self,
        fetches: PageFetches,
        reader: PageReader,
        progress: CrawlProgress,
        limits: CrawlLimits,
        manners: CrawlManners,
        times: CrawlTime,
    ) -> None:
        self._fetches = fetches
        self._reader = reader
        self._limits = limits
        self._manners = manners
        self._times = times
        self._progress = progress
        self._progress.allows = self._allows
        self._queue = self._progress.queue
        self._sites: dict[str, _Site] = {}
        self._paces: dict[str, HostPace] = {}
        self._running: dict[asyncio.Task[_Answer], HostPace] = {}
        self._listed: set[str] = set()
        self._bytes = 0
        self._started = times.clock()
        self._saved_at = 0
        self._stopped_by = ""
        self._given_up: set[str] = set()

    async def begin(self, seeds: Sequence[str], frontier: Frontier | None) -> None:
        """Begin with the seeds, or go on where a frontier was. Raises `InvalidSource`."""
        if frontier is None:
            await self._reader.run(partial(self._progress.sow, seeds))
        else:
            await self._reader.run(partial(self._progress.restore, frontier))
            self._bytes, self._started = frontier.bytes, self._started - frontier.elapsed_s
            self._saved_at = self._queue.taken
        # Sites that nothing is asked of any more may still list pages.
        for url in filter(None, map(canonical_url, seeds)):
            self._sites.setdefault(split_url(url)[0], _Site())

    async def events(self) -> AsyncGenerator[CrawlEvent]:
        """All events, to the last one."""
        while True:
            for event in self._told():
                yield event
            if self._queue.taken - self._saved_at >= self._limits.snapshot_pages:
                self._saved_at = self._queue.taken
                yield await self._saved()
            self._stopped_by = self._stopped_by or self._met_limit()
            due_s = None if self._stopped_by else await self._start_due()
            if self._progress.events:
                await asyncio.sleep(0)
                continue
            if not self._running and due_s is None:
                if self._stopped_by or not self._queue.release():
                    break
                continue
            await self._wait(due_s)
        if self._stopped_by:
            yield await self._saved()
        else:
            await self._reader.run(self._progress.finish)
        for event in self._told():
            yield event
        is_whole = self._progress.is_whole and not self._stopped_by
        yield CrawlFinished(self._queue.taken, self._bytes, self._stopped_by, is_whole)

    async def stop(self) -> None:
        """End all requests that run."""
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _told(self) -> Sequence[CrawlEvent]:
        events = tuple(self._progress.events)
        self._progress.events.clear()
        return events

    async def _saved(self) -> FrontierSaved:
        elapsed_s, is_whole = self._times.clock() - self._started, self._progress.is_whole
        snapshot = partial(self._queue.snapshot, bytes=self._bytes, elapsed_s=elapsed_s, is_whole=is_whole)
        return FrontierSaved(await self._reader.run(snapshot))

    def _met_limit(self) -> str:
        """Name of the limit that is met; empty as long as none is."""
        if not self._running and not self._with_work():
            return ""
        met = {
            "pages": self._queue.taken >= self._limits.pages,
            "total_bytes": self._bytes >= self._limits.total_bytes,
            "total_s": self._times.clock() - self._started >= self._limits.total_s,
        }
        return next((name for name, is_met in met.items() if is_met), "")

    async def _start_due(self) -> float | None:
        """Start what may be started now; gives the seconds until more may be, None where that depends on answers."""
        now, soonest = self._times.clock(), None
        for origin in self._with_work():
            pace = self._pace(origin)
            if pace.is_given_up:
                await self._reader.run(partial(self._give_up, origin))
                continue
            while len(self._running) < self._most_running() and (due := pace.due_at()) is not None:
                if due > now:
                    soonest = due if soonest is None else min(soonest, due)
                    break
                if not await self._start_next(origin, pace, now):
                    break
        # A pause may be longer than what is left of the crawl.
        return None if soonest is None else min(soonest, self._started + self._limits.total_s) - now

    def _most_running(self) -> int:
        """Requests that may run: never more than pages that may still be taken."""
        return min(self._manners.concurrent, max(self._limits.pages - self._queue.taken, 1))

    def _with_work(self) -> Sequence[str]:
        """Origins of which something is to be asked."""
        origins = list(self._queue.origins())
        origins += [origin for origin, site in self._sites.items() if site.rules is None or site.sitemaps]
        return tuple(dict.fromkeys(origins))

    async def _start_next(self, origin: str, pace: HostPace, now: float) -> bool:
        """Start the next request to an origin; False where there is none to be started now."""
        site = self._sites.setdefault(origin, _Site())
        if site.rules is None:
            if site.is_opening:
                return False
            site.is_opening = True
            self._start(self._fetches.site(origin), pace, now)
            return True
        if site.sitemaps:
            self._start(self._fetches.sitemap(*site.sitemaps.popleft()), pace, now)
            return True
        choose = partial(self._next_allowed, origin, site.rules)
        entry = await self._reader.run(choose) if site.rules.takes_long else choose()
        if entry is not None:
            self._start(self._fetches.page(entry, self._progress.known(entry.url)), pace, now)
        return entry is not None

    def _next_allowed(self, origin: str, rules: SiteRules) -> FrontierEntry | None:
        """The next page of an origin that may be asked for, those before it left out; None where there is none soon."""
        for _ in range(_REFUSED_AT_ONCE):
            if not self._queue.has_queued(origin):
                break
            entry = self._queue.take(origin)
            if rules.trouble:
                self._progress.refuse(entry, SkipReason.ROBOTS_UNREACHABLE, rules.trouble)
            elif not rules.allows(entry.url):
                self._progress.refuse(entry, SkipReason.ROBOTS)
            else:
                return entry
        return None

    def _start(self, work: Awaitable[_Answer], pace: HostPace, now: float) -> None:
        pace.begin(now)
        self._running[asyncio.ensure_future(work)] = pace

    async def _wait(self, due_s: float | None) -> None:
        """Wait for an answer, or until the next request may begin, and judge what came."""
        timer = None if due_s is None else asyncio.ensure_future(self._times.sleep(due_s))
        waited = {*self._running, timer} if timer is not None else set(self._running)
        try:
            done, _ = await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if timer is not None:
                timer.cancel()
        for task in list(self._running):
            if task in done:
                pace = self._running.pop(task)
                await self._judge(task.result(), pace)

    async def _judge(self, answer: _Answer, pace: HostPace) -> None:
        match answer:
            case SiteOpening():
                self._open(answer, pace)
            case SitemapAnswer():
                pace.end(is_failure=bool(answer.trouble) and not answer.status)
                self._bytes += answer.bytes
                await self._list(answer)
            case PageAnswer():
                self._bytes += len(answer.response.body) if answer.response is not None else 0
                is_failure = answer.reason in _RETRIED
                pace.end(is_failure=is_failure)
                if not (is_failure and self._tries_again(answer, pace)):
                    # In a thread, as all that goes through many links; nothing else is decided meanwhile.
                    await self._reader.run(partial(self._progress.settle, answer))

    def _open(self, opening: SiteOpening, pace: HostPace) -> None:
        """Take the rules of a site. Where a crawl begins, its sitemaps are read too."""
        rules = opening.rules
        pace.end(is_failure=bool(rules.trouble))
        pace.ask_for_delay(rules.delay_s)
        site = self._sites[opening.origin]
        site.rules = rules
        if rules.trouble:
            self._progress.is_whole = False
        elif site.lists_pages and rules.allows(f"{opening.origin}/sitemap.xml"):
            for url in (*rules.sitemaps, "/sitemap.xml"):
                self._add_sitemap(canonical_url(url, opening.origin + "/"), 1)

    def _add_sitemap(self, url: str, level: int) -> None:
        if not url or url in self._listed or len(self._listed) >= self._limits.sitemaps:
            return
        self._listed.add(url)
        self._sites.setdefault(split_url(url)[0], _Site(lists_pages=False)).sitemaps.append((url, level))

    async def _list(self, answer: SitemapAnswer) -> None:
        is_guess = answer.url.endswith("/sitemap.xml") and (answer.is_missing or not answer.status)
        if answer.trouble and not is_guess:
            self._progress.is_whole = self._progress.is_whole and answer.is_missing
            self._progress.events.append(SitemapSkipped(answer.url, answer.trouble))
        self._progress.is_whole = self._progress.is_whole and not answer.sitemap.is_cut
        await self._reader.run(partial(self._progress.list_pages, answer.sitemap.pages))
        for url in answer.sitemap.sitemaps:
            if answer.level < MOST_LEVELS:
                self._add_sitemap(url, answer.level + 1)
            else:
                message = f"indexes of sitemaps list each other in more than {MOST_LEVELS} levels"
                self._progress.events.append(SitemapSkipped(url, message))

    def _tries_again(self, answer: PageAnswer, pace: HostPace) -> bool:
        """Queue a page again that may be had later; False where it is given up."""
        if answer.is_overload:
            seconds = pace.pause(answer.retry_after_s, self._times.clock())
            if seconds:
                self._progress.events.append(HostPaused(pace.host, seconds, f"{pace.host}: {answer.detail}"))
        entry = replace(answer.entry, tries=answer.entry.tries + 1)
        if pace.is_given_up or entry.tries >= (_OVERLOAD_TRIES if answer.is_overload else _TRIES):
            return False
        # Who asks for a pause means all pages; another one may be to blame itself, and others go first.
        self._queue.put(entry, is_first=answer.is_overload)
        return True

    def _give_up(self, origin: str) -> None:
        """Leave out all that is still to be asked of an origin."""
        host = self._pace(origin).host
        site = self._sites.setdefault(origin, _Site())
        site.rules = site.rules or SiteRules(self._manners.agent, is_open=False, trouble="its host was given up")
        site.sitemaps.clear()
        self._progress.is_whole = False
        if host not in self._given_up:
            self._given_up.add(host)
            message = f"{host} does not answer as it should, and is left alone for the rest of the crawl"
            self._progress.events.append(HostPaused(host, 0.0, message))
        for entry in self._queue.drop(origin):
            self._progress.refuse(entry, SkipReason.HOST_PAUSED)

    def _pace(self, origin: str) -> HostPace:
        host = origin.partition("://")[2]
        if host not in self._paces:
            self._paces[host] = HostPace(host, self._manners)
        return self._paces[host]

    def _allows(self, url: str) -> bool:
        """Whether a site lets us ask for a URL, as far as its rules are known."""
        site = self._sites.get(split_url(url)[0])
        return site is None or site.rules is None or site.rules.allows(url)
