"""The `Store` port on one SQLite file."""

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from openplaybook.storage.base import (
    BeginTurn,
    Begun,
    BlobFacts,
    Change,
    Conversation,
    KeptTurn,
    Lease,
    Put,
    Record,
    Session,
    Step,
    TurnState,
)
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite import blobs, conversations, grants, journal, records
from openplaybook.storage.sqlite.opened_file import open_file
from openplaybook.storage.sqlite.readers import Readers
from openplaybook.storage.sqlite.soundness import SqliteSoundness, touch
from openplaybook.storage.sqlite.writer import LARGE, Writer
from openplaybook.storage.turn_decision import check_end
from openplaybook.telemetry.metrics import CommitWatch

_CHANGE, _MARK = 1024, 512
"""Bytes that stand for the time which a change of a resource takes, and a mark, whatever they write."""


def wall_clock_us() -> int:
    """Microseconds since the epoch."""
    return time.time_ns() // 1000


class SqliteStore:
    """A `Store` for one machine; several processes may open the file, and one writes at a time.

    Writes go through one thread with group commit, single rows are read on the event loop, listings and
    histories in threads.
    """

    def __init__(
        self, path: Path, *, clock: Callable[[], int] = wall_clock_us, watch: CommitWatch | None = None
    ) -> None:
        """Name the database file; `clock` gives microseconds since the epoch, and `watch` is told of commits."""
        self._watch = watch or CommitWatch()
        self._path = path
        self._clock = clock
        self._parts: tuple[Writer, Readers] | None = None
        self._soundness = SqliteSoundness(path)

    async def open(self) -> None:
        """Make the file or check it, migrate it, and start the writer. Raises `StoreUnusable`."""
        connection, readers = await asyncio.to_thread(open_file, self._path, self._soundness)
        self._parts = Writer(connection, self._path, self._watch, self._soundness.translated), readers

    async def close(self) -> None:
        """Finish pending writes and let go; closing what is not open is no fault."""
        if self._parts is None:
            return
        (writer, readers), self._parts = self._parts, None
        await asyncio.to_thread(readers.close)
        # Last, since the last connection to close folds the write-ahead log into the file, which has to write.
        await writer.close()

    async def check(self, *, write: bool) -> None:
        """Look whether the data are there and sound, and with `write` whether something can be written."""
        writer, _ = self._opened()
        await self._soundness.check()
        if write:
            await writer.run(touch)

    async def get(self, name: str) -> Record | None:
        """The record of that name."""
        return self._readers.now(lambda connection: records.get(connection, name))

    async def list(self, parent: str, kind: str, *, after: int = 0, limit: int = 1000) -> Sequence[Record]:
        """Records of a kind directly under `parent`, those past position `after`."""
        return await self._readers.aside(
            lambda connection: records.list_children(connection, parent, kind, after, limit)
        )

    async def scan(self, root: str, kinds: Sequence[str] = ()) -> Sequence[Record]:
        """Every record of a root, or those of some kinds, in order of insertion."""
        return await self._readers.aside(lambda connection: records.scan(connection, root, kinds))

    async def untouched(self, parent: str, kind: str, *, before_us: int, limit: int = 1000) -> Sequence[str]:
        """Names of records of a kind directly under `parent` that were written last before then."""
        return await self._readers.aside(
            lambda connection: records.untouched(connection, parent, kind, before_us, limit)
        )

    async def revision(self, root: str) -> int:
        """Number of writes under a root: each `Put` is one, and each record that a `Delete` removes."""
        return self._readers.now(lambda connection: records.revision(connection, root))

    async def apply(self, changes: Sequence[Change]) -> Sequence[Record]:
        """All of the changes or none. Raises `RecordExists`, `RecordNotFound`, `VersionMismatch`."""
        sizes = (len(change.body) if isinstance(change, Put) else LARGE * change.tree for change in changes)
        size = sum(sizes) + _CHANGE * len(changes)
        return await self._writer.run(lambda connection: records.apply(connection, changes, self._clock()), size)

    async def begin_turn(self, begin: BeginTurn) -> Begun:
        """Start, join, take over or wait for a turn."""
        return await self._writer.run(
            lambda connection: grants.begin(connection, begin, self._clock), _bytes(begin.steps)
        )

    async def append(self, lease: Lease, steps: Sequence[tuple[str, bytes]]) -> None:
        """Add rows to the running turn's journal. Raises `LeaseLost`."""
        await self._writer.run(
            lambda connection: journal.append(connection, lease, steps, self._clock()), _bytes(steps)
        )

    async def renew(self, lease: Lease, lease_us: int) -> None:
        """Hold the lease for that much longer from now. Raises `LeaseLost`."""
        await self._writer.run(lambda connection: journal.renew(connection, lease, self._clock() + lease_us))

    async def finish_turn(
        self,
        lease: Lease,
        *,
        state: TurnState,
        steps: Sequence[tuple[str, bytes]] = (),
        response: bytes | None = None,
        session_state: bytes | None = None,
    ) -> None:
        """End the turn and give the lease back. Raises `LeaseLost`; `ValueError` for what no ended turn is."""
        check_end(state, response, session_state)
        await self._writer.run(
            lambda connection: journal.finish(connection, lease, state, steps, response, session_state, self._clock()),
            _bytes(steps) + len(response or b"") + len(session_state or b""),
        )

    async def end_leases(self) -> int:
        """Let running turns be taken over at once; how many there are."""
        return await self._writer.run(journal.end_leases, LARGE)

    async def session(self, name: str) -> Session | None:
        """The session as its last finished turn left it, unless it has expired."""
        return self._readers.now(lambda connection: journal.session(connection, name, self._clock()))

    async def history(self, session: str, *, turns: int = 1000, before: int | None = None) -> Sequence[Step]:
        """Journal rows of the latest `turns` DONE or STOPPED turns of the session's present life, oldest first."""
        return await self._readers.aside(lambda connection: journal.history(connection, session, turns, before))

    async def mark_delivered(self, turns: Sequence[tuple[str, int]]) -> None:
        """Note of turns (session, number) that their responses were written to a connection."""
        await self._writer.run(lambda connection: journal.mark_delivered(connection, turns), _MARK * len(turns))

    async def answered(self, session: str, fingerprint: str) -> bytes | None:
        """Response of the latest DONE turn with this input, delivered or not."""
        return self._readers.now(lambda connection: journal.answered(connection, session, fingerprint, self._clock()))

    async def conversations(self, root: str, *, before: int | None = None, limit: int = 100) -> Sequence[Conversation]:
        """Sessions of a root with a DONE or STOPPED turn, the one begun last first."""
        return await self._readers.aside(lambda connection: conversations.of_root(connection, root, before, limit))

    async def conversation(self, name: str) -> Conversation | None:
        """That session, as `conversations` tells of it."""
        return await self._readers.aside(lambda connection: conversations.of_session(connection, name))

    async def kept_turns(self, session: str, *, after: int = 0, limit: int = 100) -> Sequence[KeptTurn]:
        """DONE and STOPPED turns of all the session's lives, those past number `after`."""
        return await self._readers.aside(lambda connection: conversations.turns(connection, session, after, limit))

    async def turn(self, session: str, number: int | None = None) -> KeptTurn | None:
        """One turn in whatever state it is; the session's latest where no number is given."""
        return await self._readers.aside(lambda connection: conversations.turn(connection, session, number))

    async def delete_expired(self, *, kept_us: int, limit: int) -> Sequence[str]:
        """Forget at most `limit` sessions that expired at least `kept_us` ago; their names."""
        return await self._writer.run(
            lambda connection: conversations.delete_expired(connection, kept_us, limit, self._clock()), LARGE
        )

    async def delete_session(self, name: str) -> None:
        """Forget a session with its turns, journal and blobs."""
        await self._writer.run(lambda connection: journal.delete_session(connection, name), LARGE)

    async def put_blob(self, key: str, data: bytes) -> None:
        """Store bytes under a key; the same key again replaces them."""
        await self._writer.run(lambda connection: blobs.put(connection, key, data, self._clock()), len(data))

    async def get_blob(self, key: str) -> bytes | None:
        """The bytes of a key."""
        return await self._readers.aside(lambda connection: blobs.get(connection, key))

    async def blobs(self, prefix: str) -> Sequence[BlobFacts]:
        """Every blob whose key begins with `prefix`, in the order in which keys were first put."""
        return await self._readers.aside(lambda connection: blobs.facts(connection, prefix))

    async def delete_blobs(self, prefix: str, *, before_us: int | None = None) -> None:
        """Forget every blob whose key begins with `prefix`, or those of them that were put last before then."""
        await self._writer.run(lambda connection: blobs.delete(connection, prefix, before_us), LARGE)

    @property
    def _writer(self) -> Writer:
        return self._opened()[0]

    @property
    def _readers(self) -> Readers:
        return self._opened()[1]

    def _opened(self) -> tuple[Writer, Readers]:
        if self._parts is None:
            raise StoreUnusable(f"{self._path}: the store is not open")
        return self._parts


def _bytes(steps: Sequence[tuple[str, bytes]]) -> int:
    return sum(len(payload) for _, payload in steps)
