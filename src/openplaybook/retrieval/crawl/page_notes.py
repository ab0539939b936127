"""What the crawler needs to know of pages of HTML and of sitemaps, read in child processes: what is hostile ends one of
them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from openplaybook.jsonvalues import JsonObject, as_list, as_object, dumps, loads
from openplaybook.retrieval.crawl.robots import RobotWords, robot_words
from openplaybook.retrieval.crawl.sitemaps import Sitemap
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.workers.child_processes import ChildProcesses
from openplaybook.workers.errors import WorkEnded, WorkTimedOut
from openplaybook.workers.lanes import Lane

T = TypeVar("T")

_MIB = 1024 * 1024
_TASK = "openplaybook.retrieval.crawl.crawl_child:task"
"""Named and not imported: the parser of HTML belongs into the child."""
_MEMORY = 768 * _MIB
_MOST_ANSWER = 32 * _MIB
_LEAST_S, _S_PER_MB, _MOST_S = 1.0, 0.5, 4.0
"""Seconds on a processor for a page, many times of what honest ones take: a parser's worst case has no end."""
_SITEMAP_S = 15.0
"""And for a sitemap, of which the largest honest ones take one."""
_CLOCK, _PATIENCE_S = 5.0, 60.0
"""How much more time a page has on the clock, and for how many seconds it may wait for its turn."""
_LANE = Lane("pages of websites", threads=2, waiting=256, seconds=120)


@dataclass(frozen=True, slots=True)
class PageNotes:
    """What a page says to a crawler."""

    links: tuple[str, ...] = ()
    """Canonical URLs, in their order, without those that the page does not vouch for."""
    canonical: str = ""
    """Canonical URL under which the page wants to be known; empty where it says none."""
    words: RobotWords = field(default_factory=RobotWords)
    refresh: str = ""
    """Canonical URL to which it sends its visitors at once; empty where it sends them nowhere."""


class PageUnreadable(Exception):
    """A page or a sitemap takes more time or memory to read than it may; the message says what it took."""


class PageReader:
    """Reads pages, and does other work of crawls that the event loop must not wait for."""

    def __init__(self, agent: str, *, processes: int = 1) -> None:
        """`agent` is our product token."""
        self._agent = agent
        self._children = ChildProcesses(
            _TASK, most=processes, memory=_MEMORY, waiting=64, max_answer=_MOST_ANSWER, grown=192 * _MIB
        )

    async def notes(self, body: bytes, url: str, charset: str, is_wanted: Callable[[str], bool]) -> PageNotes:
        """The notes of a page of HTML, with those of its links that are wanted.

        Raises `PageUnreadable`, and `WorkError` where this server has no time for the page.
        """
        return await self.run(partial(self._read, body, url, charset, is_wanted))

    async def sitemap(self, body: bytes, url: str) -> Sitemap:
        """What a sitemap lists.

        Raises `InvalidSource`, `PageUnreadable`, and `WorkError` where this server has no time for it.
        """
        said = await self.run(partial(self._answer, {"kind": "sitemap", "url": url}, body, _SITEMAP_S))
        if "refusal" in said:
            raise InvalidSource(said["refusal"])
        return Sitemap(tuple(as_list(said["pages"])), tuple(as_list(said["sitemaps"])), said["isCut"])

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` gives or raises, in a thread."""
        return await _LANE.run(work)

    async def aclose(self) -> None:
        """End the child processes."""
        await _LANE.run(self._children.close)

    def _read(self, body: bytes, url: str, charset: str, is_wanted: Callable[[str], bool]) -> PageNotes:
        seconds = min(_LEAST_S + _S_PER_MB * len(body) / 1_000_000, _MOST_S)
        asked: JsonObject = {"kind": "page", "url": url, "charset": charset, "agent": self._agent}
        said = self._answer(asked, body, seconds)
        return PageNotes(
            links=tuple(filter(is_wanted, map(str, as_list(said.get("links"))))),
            canonical=str(said.get("canonical") or ""),
            words=robot_words(list(map(str, as_list(said.get("robots")))), self._agent),
            refresh=str(said.get("refresh") or ""),
        )

    def _answer(self, asked: JsonObject, body: bytes, seconds: float) -> JsonObject:
        """What a child process says of what came."""
        try:
            answer = self._children.run(
                [dumps(asked) + b"\n", body],
                seconds=seconds * _CLOCK,
                patience=_PATIENCE_S,
                processor_seconds=seconds,
            )
        except WorkTimedOut as error:
            if not error.was_begun:
                raise
            raise PageUnreadable(f"reading the {asked['kind']} takes more than {seconds * _CLOCK:.3g} s") from error
        except WorkEnded as error:
            raise PageUnreadable(
                f"reading the {asked['kind']} ends its parser ({error.ending.value}), which may take "
                f"{_MEMORY // _MIB} MB and {seconds:.3g} s"
            ) from error
        return as_object(loads(answer))
