"""How long a store takes to make things durable."""

from collections.abc import Callable, Sequence

from openplaybook.telemetry.tallies import Gauge, Spread, Tally

_SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)


class CommitWatch:
    """Told by a store of every commit, from the one thread that commits."""

    def __init__(self) -> None:
        self._commits = Spread("openplaybook_commit_seconds", "Time of a commit of the store", [], _SECONDS)
        self._writes = Tally("openplaybook_commit_writes", "Writes that were committed", [])
        self._waiting: Callable[[], int] = _none

    @property
    def collectors(self) -> Sequence[Spread | Tally | Gauge]:
        """What to register."""
        waiting = Gauge("openplaybook_commit_queue", "Writes that wait for a commit", lambda: self._waiting())
        return self._commits, self._writes, waiting

    def committed(self, seconds: float, writes: int) -> None:
        """A commit of that many writes took so long, from its first statement to the disk."""
        self._commits.observe(seconds=seconds)
        self._writes.add(count=writes)

    def watch_queue(self, waiting: Callable[[], int]) -> None:
        """`waiting` says how many writes wait now."""
        self._waiting = waiting


def _none() -> int:
    return 0
