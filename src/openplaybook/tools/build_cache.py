"""What was made of equal things, kept by their digest: whoever needs it next does not make it again."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition
from typing import Generic, TypeVar

T = TypeVar("T")

ENTRY_BYTES = 4 * 1024
"""What an entry takes by itself, about: the smallest tools take this much."""


@dataclass(frozen=True, slots=True)
class CacheEntry(Generic[T]):
    """Something that was made, and what it takes."""

    value: T
    size: int | None
    """Bytes of memory, estimated; None for what is not kept."""


class BuildCache(Generic[T]):
    """Keeps what was used last, within a budget of bytes, the latest however large. Threads may share it."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._kept: OrderedDict[bytes, tuple[T, int]] = OrderedDict()
        self._size = 0
        self._under_way: set[bytes] = set()
        self._changed = Condition()

    @property
    def size(self) -> int:
        """Bytes that all it keeps take, estimated."""
        return self._size

    def get(self, digest: bytes, make: Callable[[], CacheEntry[T]]) -> T:
        """What is kept under that digest, else what `make` gives. Blocks while another thread makes it.

        Raises what `make` raises, of which nothing is kept.
        """
        with self._changed:
            # Whoever waited for what failed, or was not kept, makes it next.
            while digest not in self._kept and digest in self._under_way:
                self._changed.wait()
            if digest in self._kept:
                self._kept.move_to_end(digest)
                return self._kept[digest][0]
            self._under_way.add(digest)
        try:
            entry = make()
            self._keep(digest, entry)
        finally:
            with self._changed:
                self._under_way.remove(digest)
                self._changed.notify_all()
        return entry.value

    def _keep(self, digest: bytes, entry: CacheEntry[T]) -> None:
        if entry.size is None:
            return
        size = ENTRY_BYTES + entry.size
        gone: list[T] = []
        with self._changed:
            self._kept[digest] = entry.value, size
            self._size += size
            while self._size > self._budget and len(self._kept) > 1:
                _, (value, oldest) = self._kept.popitem(last=False)
                self._size -= oldest
                gone.append(value)
        # Here, where nobody waits for it: taking a large one apart takes a while.
        gone.clear()
