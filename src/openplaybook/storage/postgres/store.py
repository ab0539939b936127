"""The `Store` port on PostgreSQL."""

import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import TypeVar

from openplaybook.storage.base import (
    BeginTurn,
    Begun,
    BlobFacts,
    Change,
    Conversation,
    KeptTurn,
    Lease,
    Orphaned,
    Record,
    Recovered,
    Session,
    Started,
    Step,
    TurnState,
)
from openplaybook.storage.errors import LeaseLost, StoreUnusable
from openplaybook.storage.postgres import blobs, conversations, journal, records, session_deletion
from openplaybook.storage.postgres.database_address import DatabaseAddress
from openplaybook.storage.postgres.group_commit import GroupCommit
from openplaybook.storage.postgres.journal import TurnEnding
from openplaybook.storage.postgres.link_pool import PATIENCE_S, LinkPool, transact
from openplaybook.storage.postgres.soundness import PostgresSoundness
from openplaybook.storage.postgres.statements import Sql
from openplaybook.storage.postgres.turn_start import TurnStart
from openplaybook.storage.postgres.turn_writes import KeptWrites, TurnWrites
from openplaybook.storage.turn_decision import check_end
from openplaybook.telemetry.metrics import CommitWatch

T = TypeVar("T")


class PostgresStore:
    """A `Store` for many servers. Time is the database's, and so are all decisions: servers share nothing else.

    A database that restarts or fails over is waited for; what was under way is found out and made up for, never
    done twice.
    """

    def __init__(
        self,
        address: DatabaseAddress,
        *,
        connections: int = 10,
        patience_s: float = PATIENCE_S,
        watch: CommitWatch | None = None,
        clock: Callable[[], int] | None = None,
    ) -> None:
        """Use at most so many connections, and wait `patience_s` for a lost database.

        `watch` is told of every write; `clock` (microseconds since the epoch) is for tests.
        """
        self._address = address
        self._most = connections
        self._patience_s = patience_s
        self._watch = watch or CommitWatch()
        self._clock = clock
        self._soundness = PostgresSoundness(address)
        self._parts: tuple[LinkPool, GroupCommit, TurnWrites] | None = None
        self._kept = KeptWrites()

    async def open(self) -> None:
        """Connect, check and migrate the schema. Raises `StoreUnusable`."""
        connections = LinkPool(self._address, self._most, self._patience_s)
        await connections.open()
        groups = GroupCommit(connections, self._watch)
        self._watch.watch_queue(lambda: connections.waiting() + groups.waiting())
        self._parts = connections, groups, TurnWrites(groups, self._kept)

    async def close(self) -> None:
        """Finish pending writes and let go; closing what is not open is no fault."""
        if self._parts is None:
            return
        _, groups, _ = self._parts
        await groups.finish()
        await self._kept.finish()
        (connections, _, _), self._parts = self._parts, None
        await self._soundness.close()
        await connections.close()

    async def check(self, *, write: bool) -> None:
        """Look whether the data are there and sound, and with `write` whether something can be written."""
        self._opened()
        await self._soundness.check(write=write)

    async def get(self, name: str) -> Record | None:
        """The record of that name."""
        return await self._read(lambda sql: records.get(sql, name))

    async def list(self, parent: str, kind: str, *, after: int = 0, limit: int = 1000) -> Sequence[Record]:
        """Records of a kind directly under `parent`, those past position `after`."""
        return await self._read(lambda sql: records.list_children(sql, parent, kind, after, limit))

    async def scan(self, root: str, kinds: Sequence[str] = ()) -> Sequence[Record]:
        """Every record of a root, or those of some kinds, in order of insertion."""
        return await self._read(lambda sql: records.scan(sql, root, kinds))

    async def untouched(self, parent: str, kind: str, *, before_us: int, limit: int = 1000) -> Sequence[str]:
        """Names of records of a kind directly under `parent` that were written last before then."""
        return await self._read(lambda sql: records.untouched(sql, parent, kind, before_us, limit))

    async def revision(self, root: str) -> int:
        """Number of writes under a root: each `Put` is one, and each record that a `Delete` removes."""
        return await self._read(lambda sql: records.revision(sql, root))

    async def apply(self, changes: Sequence[Change]) -> Sequence[Record]:
        """All of the changes or none. Raises `RecordExists`, `RecordNotFound`, `VersionMismatch`."""
        return await self._transact(lambda sql: records.apply(sql, changes, self._now()))

    async def begin_turn(self, begin: BeginTurn) -> Begun:
        """Start, join, take over or wait for a turn."""
        _, groups, writing = self._opened()
        begun = await TurnStart(begin, self._now()).run(groups)
        if isinstance(begun, Started):
            writing.begun(begun.lease, len(begin.steps))
        elif isinstance(begun, Recovered | Orphaned):
            writing.begun(begun.lease, len(begun.steps))
        return begun

    async def append(self, lease: Lease, steps: Sequence[tuple[str, bytes]]) -> None:
        """Add rows to the running turn's journal. Raises `LeaseLost`."""
        await self._writing.append(lease, steps, self._now())

    async def renew(self, lease: Lease, lease_us: int) -> None:
        """Hold the lease for that much longer from now. Raises `LeaseLost`."""
        if not await self._join(lambda sql: journal.renew(sql, lease, lease_us, self._now())):
            raise LeaseLost(f"turn {lease.turn_id} of {lease.session} is not {lease.owner}'s any more")

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
        await self._writing.finish(lease, steps, TurnEnding(state, response, session_state), self._now())

    async def end_leases(self) -> int:
        """Let running turns be taken over at once; how many there are."""
        return await self._write(journal.end_leases)

    async def session(self, name: str) -> Session | None:
        """The session as its last finished turn left it, unless it has expired."""
        return await self._read(lambda sql: journal.session(sql, name, self._now()))

    async def mark_delivered(self, turns: Sequence[tuple[str, int]]) -> None:
        """Note of turns (session, number) that their responses were written to a connection."""
        await self._kept.keep(self._join(lambda sql: journal.mark_delivered(sql, turns)))

    async def answered(self, session: str, fingerprint: str) -> bytes | None:
        """Response of the latest DONE turn with this input, delivered or not."""
        return await self._read(lambda sql: journal.answered(sql, session, fingerprint, self._now()))

    async def history(self, session: str, *, turns: int = 1000, before: int | None = None) -> Sequence[Step]:
        """Journal rows of the latest `turns` DONE or STOPPED turns of the session's present life, oldest first."""
        return await self._read(lambda sql: journal.history(sql, session, turns, before))

    async def conversations(self, root: str, *, before: int | None = None, limit: int = 100) -> Sequence[Conversation]:
        """Sessions of a root with a DONE or STOPPED turn, the one begun last first."""
        return await self._read(lambda sql: conversations.of_root(sql, root, before, limit))

    async def conversation(self, name: str) -> Conversation | None:
        """That session, as `conversations` tells of it."""
        return await self._read(lambda sql: conversations.of_session(sql, name))

    async def kept_turns(self, session: str, *, after: int = 0, limit: int = 100) -> Sequence[KeptTurn]:
        """DONE and STOPPED turns of all the session's lives, those past number `after`."""
        return await self._read(lambda sql: conversations.turns(sql, session, after, limit))

    async def turn(self, session: str, number: int | None = None) -> KeptTurn | None:
        """One turn in whatever state it is; the session's latest where no number is given."""
        return await self._read(lambda sql: conversations.turn(sql, session, number))

    async def delete_expired(self, *, kept_us: int, limit: int) -> Sequence[str]:
        """Forget at most `limit` sessions that expired at least `kept_us` ago; their names."""
        return await self._transact(lambda sql: session_deletion.expired(sql, kept_us, limit, self._now()))

    async def delete_session(self, name: str) -> None:
        """Forget a session with its turns, journal and blobs."""
        await self._transact(lambda sql: session_deletion.session(sql, name))

    async def put_blob(self, key: str, data: bytes) -> None:
        """Store bytes under a key; the same key again replaces them."""
        await self._write(lambda sql: blobs.put(sql, key, data, self._now()))

    async def get_blob(self, key: str) -> bytes | None:
        """The bytes of a key."""
        return await self._read(lambda sql: blobs.get(sql, key))

    async def blobs(self, prefix: str) -> Sequence[BlobFacts]:
        """Every blob whose key begins with `prefix`, in the order in which keys were first put."""
        return await self._read(lambda sql: blobs.facts(sql, prefix))

    async def delete_blobs(self, prefix: str, *, before_us: int | None = None) -> None:
        """Forget every blob whose key begins with `prefix`, or those of them that were put last before then."""
        await self._write(lambda sql: blobs.delete(sql, prefix, before_us))

    async def _read(self, work: Callable[[Sql], Awaitable[T]]) -> T:
        connections, _, _ = self._opened()
        return await connections.run(lambda link, _: work(link))

    async def _write(self, work: Callable[[Sql], Awaitable[T]]) -> T:
        """One statement that may be carried out twice."""
        return await self._kept.keep(self._timed(self._read(work)))

    async def _join(self, work: Callable[[Sql], Awaitable[T]]) -> T:
        """The same, in one transaction with others."""
        _, groups, _ = self._opened()
        return await groups.run(lambda sql, _: work(sql))

    async def _transact(self, work: Callable[[Sql], Awaitable[T]]) -> T:
        connections, _, _ = self._opened()
        return await self._kept.keep(self._timed(transact(connections, work)))

    async def _timed(self, write: Coroutine[None, None, T]) -> T:
        begun = time.perf_counter()
        result = await write
        self._watch.committed(time.perf_counter() - begun, 1)
        return result

    def _now(self) -> int | None:
        return None if self._clock is None else self._clock()

    @property
    def _writing(self) -> TurnWrites:
        return self._opened()[2]

    def _opened(self) -> tuple[LinkPool, GroupCommit, TurnWrites]:
        if self._parts is None:
            raise StoreUnusable(f"{self._address.place}: the store is not open")
        return self._parts
