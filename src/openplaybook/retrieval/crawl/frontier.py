"""The frontier of a crawl: which pages are known of, which are still to be asked for, and in which order."""

import zlib
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, loads
from openplaybook.retrieval.crawl.base import check_version
from openplaybook.retrieval.crawl.page_urls import split_url

FRONTIER_VERSION = 1


@dataclass(frozen=True, slots=True)
class FrontierEntry:
    """A page that is to be asked for."""

    url: str
    """Canonical."""
    depth: int = 0
    hops: int = 0
    """Redirects that led to it, one after the other."""
    tries: int = 0
    """How often it was asked for in vain."""
    is_final: bool = False
    """Whether it is taken under its own URL though it would be known under another, which cannot be had."""
    waits_as: str = ""
    """Name of the reason for which it will be left out, as long as it waits for another page; else empty."""


@dataclass(frozen=True, slots=True)
class Frontier:
    """A frontier as it is kept, so that a crawl goes on after a kill. Sitemaps and robots.txt are read anew then."""

    pending: tuple[FrontierEntry, ...]
    waiting: tuple[tuple[FrontierEntry, str], ...]
    """Pages that are taken only if another one, which they are a copy of, cannot be had."""
    taken: tuple[str, ...]
    refused: tuple[str, ...]
    bytes: int
    elapsed_s: float
    is_whole: bool = True
    """Whether nothing was missed so far."""

    def to_json(self) -> JsonObject:
        """Its stored form; entries are arrays, since there may be many thousands."""
        return {
            "version": FRONTIER_VERSION,
            "pending": [_row(entry) for entry in self.pending],
            "waiting": [[*_row(entry), target] for entry, target in self.waiting],
            "taken": list(self.taken),
            "refused": list(self.refused),
            "bytes": self.bytes,
            "elapsedSeconds": self.elapsed_s,
            "isWhole": self.is_whole,
        }


def frontier_of(stored: Mapping[str, JsonValue]) -> Frontier:
    """The frontier of its stored form. Raises `InvalidSource` for one of a version that this one does not know."""
    check_version(stored, FRONTIER_VERSION, "crawl")
    return Frontier(
        pending=tuple(FrontierEntry(*row) for row in as_list(stored["pending"])),
        waiting=tuple((FrontierEntry(*row[:-1]), str(row[-1])) for row in as_list(stored["waiting"])),
        taken=tuple(as_list(stored["taken"])),
        refused=tuple(as_list(stored["refused"])),
        bytes=int(stored["bytes"]),
        elapsed_s=float(stored["elapsedSeconds"]),
        is_whole=bool(stored["isWhole"]),
    )


def packed(frontier: Frontier) -> str:
    """The stored form in few characters, for a place where it is read and written together with other things.

    A frontier of a large site has tens of millions of characters, nearly all of them in URLs that are much alike.
    Blocks for a second then.
    """
    return b64encode(zlib.compress(dumps(frontier.to_json()), level=1)).decode("ascii")


def unpacked(stored: JsonValue) -> Frontier | None:
    """The frontier that was packed; None where there is none. Blocks. Raises `InvalidSource` as `frontier_of`."""
    if not stored:
        return None
    return frontier_of(as_object(loads(zlib.decompress(b64decode(stored))) if isinstance(stored, str) else stored))


class PageStatus(Enum):
    """What has become of a URL."""

    PENDING = "PENDING"
    """In the queue, or being asked for."""
    WAITING = "WAITING"
    """For another page, of which it is a copy."""
    TAKEN = "TAKEN"
    REFUSED = "REFUSED"


class CrawlQueue:
    """The frontier at work: one queue for each origin, first come, first served, and the status of each URL."""

    def __init__(self) -> None:
        self._queues: dict[str, deque[FrontierEntry]] = {}
        self._asked: dict[str, FrontierEntry] = {}
        self._statuses: dict[str, PageStatus] = {}
        self._waiting: dict[str, tuple[FrontierEntry, str]] = {}
        self._waiters: dict[str, list[FrontierEntry]] = {}
        self.taken = 0
        self.characters = 0
        """Of all URLs that are known of."""

    def __len__(self) -> int:
        """URLs that are known of."""
        return len(self._statuses)

    def __contains__(self, url: str) -> bool:
        return url in self._statuses

    def status(self, url: str) -> PageStatus | None:
        """What has become of a URL; None where it is not known of."""
        return self._statuses.get(url)

    def origins(self) -> Iterator[str]:
        """Origins with pages in their queues, the one that was served longest ago first."""
        return iter([origin for origin, queue in self._queues.items() if queue])

    def has_queued(self, origin: str) -> bool:
        """Whether pages of an origin are in its queue."""
        return bool(self._queues.get(origin))

    def put(self, entry: FrontierEntry, *, is_first: bool = False) -> None:
        """Queue a page, before all others of its origin where it `is_first`."""
        self._asked.pop(entry.url, None)
        self._mark(entry.url, PageStatus.PENDING)
        queue = self._queues.setdefault(split_url(entry.url)[0], deque())
        if is_first:
            queue.appendleft(entry)
        else:
            queue.append(entry)

    def take(self, origin: str) -> FrontierEntry:
        """The next page of an origin, which counts as pending until `settle`, `wait` or `put`."""
        queue = self._queues.pop(origin)
        entry = queue.popleft()
        # Behind all others: the next origin has its turn.
        self._queues[origin] = queue
        self._asked[entry.url] = entry
        return entry

    def settle(self, url: str, status: PageStatus) -> list[FrontierEntry]:
        """Note what has become of a page; gives those that waited for it, which wait no more."""
        self._asked.pop(url, None)
        self._mark(url, status)
        self.taken += status is PageStatus.TAKEN
        waiters = self._waiters.pop(url, [])
        for waiter in waiters:
            self._waiting.pop(waiter.url, None)
        return waiters

    def wait(self, entry: FrontierEntry, target: str) -> None:
        """Note that a page is taken only if another one cannot be had, with all that wait for it.

        The other one waits for nothing, so that there are no chains, however long a site makes them.
        """
        self._asked.pop(entry.url, None)
        self._mark(entry.url, PageStatus.WAITING)
        waiters = [*self._waiters.pop(entry.url, []), entry]
        self._waiting.update((waiter.url, (waiter, target)) for waiter in waiters)
        self._waiters.setdefault(target, []).extend(waiters)

    def end_of_wait(self, url: str) -> str:
        """The page that a page waits for, or itself where it waits for none."""
        return self._waiting[url][1] if url in self._waiting else url

    def stop_waiting(self, target: str, waits_as: str) -> None:
        """Queue the pages that wait for another one, for that reason, to be judged anew."""
        waiters = self._waiters.pop(target, [])
        self._waiters[target] = [entry for entry in waiters if entry.waits_as != waits_as]
        for entry in waiters:
            if entry.waits_as == waits_as:
                del self._waiting[entry.url]
                self.put(replace(entry, waits_as=""))

    def release(self) -> bool:
        """Queue all pages that wait, to be taken under their own URLs; False where none waits."""
        released = [entry for entry, _ in self._waiting.values()]
        self._waiting.clear()
        self._waiters.clear()
        for entry in released:
            self.put(replace(entry, is_final=True, waits_as=""))
        return bool(released)

    def drop(self, origin: str) -> list[FrontierEntry]:
        """Take all pages of an origin from its queue."""
        return list(self._queues.pop(origin, ()))

    def snapshot(self, *, bytes: int, elapsed_s: float, is_whole: bool) -> Frontier:
        """The frontier as it is now; what is being asked for counts as pending."""
        queued = [entry for queue in self._queues.values() for entry in queue]
        return Frontier(
            pending=(*self._asked.values(), *queued),
            waiting=tuple(self._waiting.values()),
            taken=tuple(url for url, status in self._statuses.items() if status is PageStatus.TAKEN),
            refused=tuple(url for url, status in self._statuses.items() if status is PageStatus.REFUSED),
            bytes=bytes,
            elapsed_s=elapsed_s,
            is_whole=is_whole,
        )

    def restore(self, frontier: Frontier) -> None:
        """Go on where a frontier was."""
        for url in frontier.refused:
            self._mark(url, PageStatus.REFUSED)
        for url in frontier.taken:
            self.settle(url, PageStatus.TAKEN)
        for entry in frontier.pending:
            self.put(entry)
        for entry, target in frontier.waiting:
            self.wait(entry, target)

    def _mark(self, url: str, status: PageStatus) -> None:
        if url not in self._statuses:
            self.characters += len(url)
        self._statuses[url] = status


def _row(entry: FrontierEntry) -> list[JsonValue]:
    return [entry.url, entry.depth, entry.hops, entry.tries, entry.is_final, entry.waits_as]
