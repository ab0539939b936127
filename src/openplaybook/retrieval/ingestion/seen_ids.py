"""Ids of documents that an import has seen, eight bytes each: millions of them fit in memory."""

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from hashlib import blake2b

_BYTES = 8


class SeenIds:
    """A set of ids. One id in 10¹³ or so may pass for seen that was not, with a million of them."""

    def __init__(self) -> None:
        self._digests = array("Q")
        self._is_sorted = True

    def add(self, ids: Iterable[str]) -> None:
        """Add ids; those already there may be among them."""
        self._digests.extend(map(_digest, ids))
        self._is_sorted = False

    def __contains__(self, id: str) -> bool:
        if not self._is_sorted:
            self._digests = array("Q", sorted(self._digests))
            self._is_sorted = True
        digest = _digest(id)
        place = bisect_left(self._digests, digest)
        return place < len(self._digests) and self._digests[place] == digest

    def __len__(self) -> int:
        """Ids that were added, those that came twice counted twice."""
        return len(self._digests)


def _digest(id: str) -> int:
    return int.from_bytes(blake2b(id.encode(), digest_size=_BYTES).digest(), "big")
