"""How fast a host is asked: places, delays, pauses that it asks for, and when it is given up."""

from dataclasses import dataclass

from openplaybook.retrieval.crawl.base import CrawlManners

_FAILURES_TO_GIVE_UP = 8
"""So many requests in a row without an answer, or with one that says that the host cannot answer."""
_FIRST_BACKOFF_S = 2.0
_LONGEST_BACKOFF_S = 60.0


@dataclass(slots=True)
class HostPace:
    """One host. Times are those of a monotonic clock, in seconds."""

    host: str
    manners: CrawlManners
    delay_s: float = 0.0
    """As the site asks for it, and as it is cut; never less than that of our manners."""
    is_given_up: bool = False
    _running: int = 0
    _next_at: float = 0.0
    _failures: int = 0

    def ask_for_delay(self, delay_s: float) -> None:
        """Take the delay that a robots.txt asks for, up to the longest one."""
        self.delay_s = max(self.delay_s, min(delay_s, self.manners.longest_delay_s))

    def due_at(self) -> float | None:
        """When the next request may begin; None where one that runs must end first."""
        # Who asks for a delay wants no two requests at the same time.
        most = 1 if self.delay_s > self.manners.delay_s else self.manners.concurrent_per_host
        return None if self._running >= most else self._next_at

    def begin(self, now: float) -> None:
        """Note that a request begins."""
        self._running += 1
        self._next_at = max(self._next_at, now + max(self.delay_s, self.manners.delay_s))

    def end(self, *, is_failure: bool) -> None:
        """Note that a request is over; a failure is the host's, not that of a page."""
        self._running -= 1
        self._failures = self._failures + 1 if is_failure else 0
        if self._failures >= _FAILURES_TO_GIVE_UP:
            self.is_given_up = True

    def pause(self, retry_after_s: float | None, now: float) -> float:
        """Ask for nothing for as long as the host says, or a while that grows where it says nothing.

        Gives the seconds; 0 where the host is given up, since it asks for more than our manners allow.
        """
        seconds = retry_after_s
        if seconds is None:
            seconds = min(_FIRST_BACKOFF_S * 2 ** max(self._failures - 1, 0), _LONGEST_BACKOFF_S)
        if seconds > self.manners.longest_pause_s:
            self.is_given_up = True
        if self.is_given_up:
            return 0.0
        self._next_at = max(self._next_at, now + seconds)
        return seconds
