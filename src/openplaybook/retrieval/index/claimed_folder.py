"""A folder of indexes for this process alone: processes that are given the same place take one part of it each."""

import fcntl
import os
from collections.abc import Collection
from hashlib import sha256
from pathlib import Path

from openplaybook.retrieval.errors import EngineUnavailable
from openplaybook.retrieval.index.index_files import remove_index

_MOST_PROCESSES = 64


class ClaimedFolder:
    """Part of a place on the disk, held until it is let go of or the process ends, however it ends.

    An index has one writer. As indexes are derived, each process has its own; the next that comes finds the indexes of
    one that has ended, and goes on with them.
    """

    def __init__(self, place: Path) -> None:
        """Raises `EngineUnavailable` where 64 processes use the place already."""
        for number in range(_MOST_PROCESSES):
            path = place / f"process-{number}"
            path.mkdir(parents=True, exist_ok=True)
            lock = os.open(path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            self.path = path
            self._lock = lock
            return
        raise EngineUnavailable(f"{_MOST_PROCESSES} processes keep their indexes in {place}, which is as many as may")

    def of_store(self, store: str) -> Path:
        """Where the index of a store is, or will be."""
        return self.path / sha256(store.encode()).hexdigest()[:32]

    def sweep(self, stores: Collection[str]) -> None:
        """Delete the indexes of stores that are none of these, and what is half deleted."""
        kept = {self.of_store(store) for store in stores}
        for path in self.path.iterdir():
            if path.is_dir() and path not in kept:
                remove_index(path)

    def let_go(self) -> None:
        """Leave it to others."""
        os.close(self._lock)
