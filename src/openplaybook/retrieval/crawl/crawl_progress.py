"""What becomes of each page of a crawl: which links are followed, what is taken, what is a copy, what is gone.

It asks for nothing itself: `crawler` hands it the answers, and the events that it makes to the caller.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from openplaybook.retrieval.crawl.base import CrawlLimits, PageState, SkipReason
from openplaybook.retrieval.crawl.crawl_events import CrawlEvent, PageFetched, PageGone, PageSkipped, PageUnchanged
from openplaybook.retrieval.crawl.frontier import CrawlQueue, Frontier, FrontierEntry, PageStatus
from openplaybook.retrieval.crawl.page_fetches import PageAnswer, charset_of, state_of
from openplaybook.retrieval.crawl.page_urls import canonical_url, split_url
from openplaybook.retrieval.crawl.url_patterns import UrlPatterns
from openplaybook.retrieval.crawl.url_traps import UrlTraps
from openplaybook.retrieval.errors import InvalidSource

MOST_HOPS = 5
"""Redirects that are followed one after the other."""

_OF_THE_DOCUMENT = frozenset({"content-language", "content-disposition", "last-modified"})


class CrawlProgress:
    """The decisions of one crawl, each made in one go, so that a frontier taken between two of them is whole."""

    def __init__(self, patterns: UrlPatterns, known: Mapping[str, PageState], limits: CrawlLimits) -> None:
        self.queue = CrawlQueue()
        self.events: deque[CrawlEvent] = deque()
        self.is_whole = True
        """Whether nothing was missed so far that would have led to other pages."""
        self.allows: Callable[[str], bool] = lambda url: True
        """Whether the robots.txt of a URL's site lets us ask for it, as far as that is known yet."""
        self._patterns = patterns
        self._known = known
        self._limits = limits
        self._origins: set[str] = set()
        self._traps = UrlTraps(limits)
        self._owners = {state.digest: url for url, state in known.items()}

    def known(self, url: str) -> PageState | None:
        """What the caller has of a page."""
        return self._known.get(url)

    def sow(self, seeds: Iterable[str]) -> None:
        """Begin with the seeds. Known pages of no included site are gone. Raises `InvalidSource` for no URL."""
        for url in self._known:
            if not self._patterns.allows(url):
                self.refuse(FrontierEntry(url), SkipReason.EXCLUDED)
        for seed in seeds:
            url = canonical_url(seed)
            if not url:
                raise InvalidSource(f"{seed[:80]!r} is no URL to begin with; allowed are those of http and https")
            if url not in self.queue:
                self._add(FrontierEntry(url), is_listed=True)

    def restore(self, frontier: Frontier) -> None:
        """Go on where a frontier was."""
        self.queue.restore(frontier)
        self.is_whole = frontier.is_whole
        for url in (*frontier.taken, *(entry.url for entry in frontier.pending)):
            self._traps.count(url)
            self._origins.add(split_url(url)[0])

    def list_pages(self, urls: Iterable[str]) -> None:
        """Queue the pages of a sitemap."""
        for url in urls:
            if url not in self.queue and self._patterns.includes(url):
                self._add(FrontierEntry(url, depth=1), is_listed=True)

    def settle(self, answer: PageAnswer) -> None:
        """Decide what becomes of a page that was asked for, for the last time."""
        if answer.reason is SkipReason.REDIRECTED:
            self._lead_on(answer.entry, answer.target)
        elif answer.reason is not None:
            self.refuse(answer.entry, answer.reason, answer.detail)
        else:
            self._judge(answer)

    def refuse(self, entry: FrontierEntry, reason: SkipReason, detail: str = "", *, copy_of: str = "") -> None:
        """Leave a page out. Pages that waited for it wait for what it is a copy of, or are taken themselves."""
        waiters = self.queue.settle(entry.url, PageStatus.REFUSED)
        known = self._known.get(entry.url)
        if known is not None and reason.is_lasting:
            self.events.append(PageGone(entry.url, reason, detail))
            if self._owners.get(known.digest) == entry.url:
                del self._owners[known.digest]
        else:
            self.events.append(PageSkipped(entry.url, reason, detail))
            if known is not None:
                # It stays, and so does what it leads to.
                self._follow(known.links, entry.depth)
            elif not reason.is_lasting:
                self.is_whole = False
        for waiter in waiters:
            self._copy(waiter, copy_of, SkipReason[waiter.waits_as])

    def finish(self) -> None:
        """Tell which known pages nothing led to, where nothing was missed."""
        if not self.is_whole:
            return
        for url in self._known:
            if url not in self.queue:
                self.refuse(FrontierEntry(url), SkipReason.UNLINKED)

    def _judge(self, answer: PageAnswer) -> None:
        """Decide what becomes of a page that was had."""
        entry, notes = answer.entry, answer.notes
        known = self._known.get(entry.url)
        if notes.refresh and notes.refresh != entry.url:
            self._lead_on(entry, notes.refresh)
            return
        if known is not None and known.digest != answer.digest:
            self._disown(known)
        owner, canonical = self._owners.get(answer.digest, ""), notes.canonical
        is_double = self._is_copy(entry, owner)
        links = known.links if answer.is_unchanged and known is not None else notes.links
        # In a loop of relative links, each round has the same content: its links are not followed again.
        is_round = is_double and self.queue.status(owner) is PageStatus.TAKEN
        links = links if notes.words.is_followed and not is_round else ()
        self._follow(links, entry.depth)
        if not notes.words.is_indexed:
            self.refuse(entry, SkipReason.NOINDEX)
        elif self._is_copy(entry, canonical):
            self._copy(entry, canonical, SkipReason.CANONICAL)
        elif is_double:
            self._copy(entry, owner, SkipReason.DUPLICATE)
        else:
            self._take(answer, known, links)

    def _take(self, answer: PageAnswer, known: PageState | None, links: tuple[str, ...]) -> None:
        url, response = answer.entry.url, answer.response
        assert response is not None, "a page that is taken was answered"
        self._owners[answer.digest] = url
        waiters = self.queue.settle(url, PageStatus.TAKEN)
        state = state_of(answer, known, links, self._patterns)
        if known is not None and known.digest == answer.digest:
            self.events.append(PageUnchanged(url, state))
        else:
            headers = tuple(header for header in response.headers if header[0].lower() in _OF_THE_DOCUMENT)
            self.events.append(PageFetched(url, answer.media_type, charset_of(response), response.body, headers, state))
        for waiter in waiters:
            self._copy(waiter, url, SkipReason[waiter.waits_as])

    def _is_copy(self, entry: FrontierEntry, target: str) -> bool:
        """Whether a page may be left out for another one, which is had or can still be had."""
        end = self.queue.end_of_wait(target)
        status = self.queue.status(end)
        if end in ("", entry.url) or status is PageStatus.REFUSED:
            return False
        if status is PageStatus.TAKEN:
            return True
        return not entry.is_final and (status is not None or self._is_wanted(end))

    def _copy(self, entry: FrontierEntry, target: str, reason: SkipReason) -> None:
        """Leave out a page that is a copy: now if the other one is had, or when it is; else queue it again."""
        end = self.queue.end_of_wait(target)
        if not self._is_copy(entry, end):
            self.queue.put(replace(entry, is_final=True, waits_as=""))
        elif self.queue.status(end) is PageStatus.TAKEN:
            self.refuse(entry, reason, end, copy_of=end)
        else:
            self.queue.wait(replace(entry, waits_as=reason.name), end)
            # A page of equal content must be led to by others: it may be what this one was called before.
            if reason is SkipReason.CANONICAL and end not in self.queue:
                self._add(FrontierEntry(end, entry.depth), is_listed=True)

    def _lead_on(self, entry: FrontierEntry, target: str) -> None:
        """Follow a redirect: its target is a page as all others, and judged as they are."""
        if not target or not self._patterns.allows(target):
            self.refuse(entry, SkipReason.REDIRECTED_OUTSIDE, target)
        elif entry.hops == MOST_HOPS or target == entry.url:
            self.refuse(entry, SkipReason.TOO_MANY_REDIRECTS, target)
        else:
            known = self._known.get(entry.url)
            if known is not None:
                self._disown(known)
            if target not in self.queue:
                self._add(FrontierEntry(target, entry.depth, entry.hops + 1), is_listed=True, is_first=True)
            self.refuse(entry, SkipReason.REDIRECTED, target, copy_of=target)

    def _disown(self, known: PageState) -> None:
        """Note that a page has not the content any more that it had: what has it now is no copy of that page."""
        if self._owners.get(known.digest) == known.url:
            del self._owners[known.digest]
            self.queue.stop_waiting(known.url, SkipReason.DUPLICATE.name)

    def _follow(self, links: Iterable[str], depth: int) -> None:
        for url in links:
            if url not in self.queue and self._patterns.includes(url):
                self._add(FrontierEntry(url, depth + 1))

    def _add(self, entry: FrontierEntry, *, is_listed: bool = False, is_first: bool = False) -> None:
        """Queue a page that is new, or leave it out at once. What is listed leads into no trap."""
        if self._is_full():
            self.is_whole = False
            return
        reason: SkipReason | None = None
        if not self._patterns.allows(entry.url):
            reason = SkipReason.EXCLUDED
        elif entry.depth > self._limits.depth:
            reason = SkipReason.TOO_DEEP
        elif self._is_beyond(split_url(entry.url)[0]):
            reason = SkipReason.MANY_HOSTS
        elif is_listed:
            self._traps.count(entry.url)
        else:
            reason = self._traps.verdict(entry.url)
        if reason is None:
            self.queue.put(entry, is_first=is_first)
        else:
            self.refuse(entry, reason)

    def _is_beyond(self, origin: str) -> bool:
        """Whether an origin is one more than may be asked; else it is counted."""
        if origin not in self._origins and len(self._origins) >= self._limits.hosts:
            return True
        self._origins.add(origin)
        return False

    def _is_wanted(self, url: str) -> bool:
        return self._patterns.allows(url) and self.allows(url) and not self._is_full()

    def _is_full(self) -> bool:
        """Whether no more URLs are remembered."""
        return len(self.queue) >= self._limits.urls or self.queue.characters >= self._limits.url_characters
