"""Records of the store: read a few at a time, so that they fit in memory whatever their sizes; searched; and changed
though others may change them in between."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, loads
from openplaybook.services.large_messages import done_aside
from openplaybook.storage.base import Record, Store
from openplaybook.storage.errors import VersionMismatch
from openplaybook.workers.lanes import AT_ONCE, DOCUMENTS

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
        batch: list[Record] = []
        for parent in self._parents:
            batch += await self._store.list(parent, self._kind, after=self._after, limit=self._limit)
        records = sorted(batch, key=lambda record: record.position)[: self._limit]
        self._is_done = len(records) < self._limit
        if records:
            self._after = records[-1].position
            largest = max(len(record.body) for record in records)
            # As many as there is room for, should they all be as large as the largest of these.
            self._limit = max(1, min(self._most, AT_ONCE_BYTES // (largest + 1)))
        return records

    async def places(self) -> list[RecordPlace]:
        """Where all that are left stand; their bodies are not kept."""
        places: list[RecordPlace] = []
        while records := await self.next():
            places += (RecordPlace(record.name, record.position, len(record.body)) for record in records)
        return places


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


_ATTEMPTS = 10

Result = TypeVar("Result")


async def retried(attempt: Callable[[], Awaitable[Result]]) -> Result:
    """The result of `attempt`, made anew when it meets a `VersionMismatch`, ten times at most."""
    for _ in range(_ATTEMPTS - 1):
        try:
            return await attempt()
        except VersionMismatch:
            continue
    return await attempt()


async def documents_in(records: Sequence[Record]) -> list[JsonObject]:
    """The documents in records; large ones are read beside the event loop."""
    size = sum(len(record.body) for record in records)
    return await done_aside(lambda: [as_object(loads(record.body)) for record in records], size)


def holds(value: JsonValue, text: str) -> bool:
    """Whether a string anywhere in a JSON value is `text`."""
    if isinstance(value, dict):
        return any(holds(item, text) for item in as_object(value).values())
    if isinstance(value, list):
        return any(holds(item, text) for item in as_list(value))
    return value == text


async def matching_records(records: Sequence[Record], uses: Callable[[Record], bool]) -> list[Record]:
    """The records of which `uses` is true; those of large agents are read beside the event loop."""

    def work() -> list[Record]:
        return [record for record in records if uses(record)]

    return await DOCUMENTS.run(work) if sum(len(record.body) for record in records) > AT_ONCE else work()


def users_in_words(users: Sequence[Record]) -> str:
    """The users for a sentence: kind, display name and resource name of each."""
    return "; ".join(
        f"{user.kind.removeprefix('app_')} {as_object(loads(user.body)).get('displayName')!r} ({user.name})"
        for user in users
    )


async def every_record(store: Store, parent: str, kind: str) -> list[Record]:
    """All records of a kind directly under a parent, in order of insertion."""
    gathered: list[Record] = []
    while records := await store.list(parent, kind, after=gathered[-1].position if gathered else 0):
        gathered.extend(records)
    return gathered
