"""Reads records of lists a few at a time, so that they fit in memory whatever their sizes."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from openplaybook.storage.base import Record, Store

AT_ONCE_BYTES = 4 * 1024 * 1024
"""Of the bodies of records that are read at once, as far as their sizes are known before; at least one is read."""

_FIRST = 4
"""Records that are read before it is known how large they are."""
_MOST = 50
"""Records that are read at once: the next may be larger than those before."""


class RecordPlace(NamedTuple):
    """Where a record stands, without what is in it."""

    name: str
    position: int
    size: int
    """Bytes of its body."""


class RecordReader:
    """Reads the records of a kind under some parents, in order of insertion, those past position `after`."""

    def __init__(self, store: Store, parents: Sequence[str], kind: str, *, after: int = 0, most: int = _MOST) -> None:
        """`most`: no more are wanted at once."""
        self._store = store
        self._parents = parents
        self._kind = kind
        self._after = after
        self._most = min(most, _MOST)
        self._limit = min(most, _FIRST)
        self._is_done = False

    async def next(self) -> Sequence[Record]:
        """The next records; none when there are no more."""
        if self._is_done:
            return ()
        found: list[Record] = []
        for parent in self._parents:
            found += await self._store.list(parent, self._kind, after=self._after, limit=self._limit)
        records = sorted(found, key=lambda record: record.position)[: self._limit]
        self._is_done = len(records) < self._limit
        if records:
            self._after = records[-1].position
            largest = max(len(record.body) for record in records)
            # As many as there is room for, should they all be as large as the largest of these.
            self._limit = max(1, min(self._most, AT_ONCE_BYTES // (largest + 1)))
        return records

    async def places(self) -> list[RecordPlace]:
        """Where all that are left stand; their bodies are not kept."""
        found: list[RecordPlace] = []
        while records := await self.next():
            found += (RecordPlace(record.name, record.position, len(record.body)) for record in records)
        return found


def groups(places: Sequence[RecordPlace]) -> Iterator[Sequence[RecordPlace]]:
    """The places in the same order, so many together as can be read at once."""
    group: list[RecordPlace] = []
    for place in places:
        if group and (len(group) == _MOST or sum(each.size for each in group) + place.size > AT_ONCE_BYTES):
            yield group
            group = []
        group.append(place)
    if group:
        yield group
