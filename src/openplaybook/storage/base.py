"""The `Store` port: resources, sessions with their turns and journal, and blobs.

Everything is durable when the awaited call returns. Bodies are opaque bytes (JSON by convention); the
store knows names, versions and order, no business words. Times are microseconds since the epoch, UTC.
One conformance suite runs on every implementation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeAlias

from openplaybook.storage.errors import RecordExists, RecordNotFound, VersionMismatch


@dataclass(frozen=True, slots=True)
class Record:
    """A stored resource."""

    name: str
    kind: str
    parent: str
    root: str
    """The resource whose revision every write to this record advances (an agent for all within it)."""
    body: bytes
    version: int
    """1 when inserted, one more at every write."""
    position: int
    """Order of insertion; the cursor of `list`."""
    created_us: int
    updated_us: int


@dataclass(frozen=True, slots=True)
class Put:
    """Insert or replace one resource."""

    name: str
    kind: str
    parent: str
    root: str
    body: bytes
    unique_key: str | None = None
    """No two records with the same kind, parent and key; None where any number may be alike."""
    expect: int | None = None
    """0: must not exist; n: must be at version n; None: whatever is there."""

    def check(self, version: int | None) -> None:
        """Raise `RecordExists`, `RecordNotFound` or `VersionMismatch` where the record that is there, at `version`, or
        None where none is, is not what was expected."""
        if self.expect is None or self.expect == (version or 0):
            return
        if version is None:
            raise RecordNotFound(self.name)
        raise RecordExists(self.name) if self.expect == 0 else VersionMismatch(self.name, version)


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete one resource, and all beneath it (`name/…`) when `tree`."""

    name: str
    tree: bool = False
    expect: int | None = None
    """n: must be at version n; None: whatever is there. A missing record is `RecordNotFound` either way."""


Change: TypeAlias = Put | Delete


class TurnState(Enum):
    """Where a turn stands."""

    RUNNING = "RUNNING"
    DONE = "DONE"
    """Has a response: the last word of an answer, or a pause for the client."""
    FAILED = "FAILED"
    """Ended without changing the session; the same input may be tried again."""
    STOPPED = "STOPPED"
    """Cut short after it had acted: its rows are history and the session state it gives is kept, but there is no
    response, and the same request may be tried again."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write to one session's running turn, until it expires or is taken over."""

    session: str
    turn_id: str
    number: int
    """Turn of the session, counted from 1."""
    owner: str
    fence: int
    """Grows by one each time a lease on the session is granted; every write checks it."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session between turns."""

    name: str
    state: bytes
    """What `finish_turn` stored last."""
    turns: int
    """Turns begun so far."""
    expires_us: int


@dataclass(frozen=True, slots=True)
class Conversation:
    """A session as its history shows it, also after it has expired."""

    name: str
    """Of the session."""
    position: int
    """Order of first beginnings; the cursor of `conversations`."""
    began_us: int
    updated_us: int
    """When its latest turn began or ended."""
    expires_us: int
    turns: int
    """Turns begun so far, in all its lives."""


@dataclass(frozen=True, slots=True)
class Step:
    """One row of a turn's journal."""

    turn: int
    """Number of the turn in its session."""
    seq: int
    """Order within the turn, from 0."""
    kind: str
    payload: bytes
    time_us: int


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """A turn as it lies in the store."""

    number: int
    turn_id: str
    state: TurnState
    began_us: int
    ended_us: int
    """0 while it is RUNNING."""
    response: bytes | None
    """None where it is not DONE."""
    steps: Sequence[Step]


@dataclass(frozen=True, slots=True)
class Started:
    """A new turn may run."""

    lease: Lease
    session: Session | None
    """State at the end of the last turn; None for a new (or expired) session."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """A turn whose owner died is taken over: the same input, steps as far as they got."""

    lease: Lease
    session: Session | None
    steps: Sequence[Step]


@dataclass(frozen=True, slots=True)
class Orphaned:
    """A dead turn of another request stands in the way and is taken over, to be ended for good before this request
    begins: what it did must not be forgotten. Whoever gets this finishes it and asks again."""

    lease: Lease
    session: Session | None
    steps: Sequence[Step]


@dataclass(frozen=True, slots=True)
class Answered:
    """This request was answered before; here is what was said."""

    response: bytes


@dataclass(frozen=True, slots=True)
class Busy:
    """Another turn of the session runs until at least this time, unless it ends sooner."""

    until_us: int
    same: int = 0
    """Number of that turn where it belongs to this very request; ask again with `BeginTurn.joins`. Else 0."""


Begun: TypeAlias = Started | Recovered | Orphaned | Answered | Busy


@dataclass(frozen=True, slots=True)
class BeginTurn:
    """A request to run one turn of a session."""

    session: str
    root: str
    """The agent, for cascading deletes."""
    turn_id: str
    """Of no other turn: a store that lost its connection finds by it whether the turn was begun."""
    request_key: str | None
    """Unique in the session: a repeated key joins or repeats the turn that carries it. None: the client gave no key,
    so its input tells whether it repeats itself: it does where the session's latest turn (RUNNING or DONE) has the
    same fingerprint and is not known to have been delivered."""
    fingerprint: str
    """Digest of the input; equal inputs have equal ones."""
    owner: str
    lease_us: int
    expires_us: int
    """When the session ends if nothing more comes."""
    steps: Sequence[tuple[str, bytes]] = ()
    """First journal rows (kind, payload), written with the turn itself."""
    delivered: int = 0
    """Turns up to this number are known to the caller to have been delivered, marked in the store or not."""
    joins: int = 0
    """Number of a turn that was found running for this very request (`Busy.same`): once it is DONE its response is
    this request's answer, delivered to others or not."""
    came_at: float | None = None
    """When the request came, on the clock of `time.monotonic`. A turn with its fingerprint that ended later is joined
    as if it had been found running: asking for it may have taken longer than the turn."""


@dataclass(frozen=True, slots=True)
class BlobFacts:
    """What is known of a blob without reading it."""

    key: str
    size: int
    """Bytes."""
    put_us: int
    """When its bytes were stored last."""


class Store(Protocol):
    """Durable state of one server or of many."""

    async def open(self) -> None:
        """Connect, check and migrate the schema. Raises `StoreUnusable` with what to do about it."""
        ...

    async def close(self) -> None:
        """Finish pending writes and let go."""
        ...

    async def check(self, *, write: bool) -> None:
        """Look whether the data are there and sound, and with `write` whether something can be written.

        Cheap enough for every second, but not bounded in time. What is looked at is what can be looked at in less than
        a second. Raises `StoreUnusable` with the fault.
        """
        ...

    # Resources

    async def get(self, name: str) -> Record | None:
        """The record of that name."""
        ...

    async def list(self, parent: str, kind: str, *, after: int = 0, limit: int = 1000) -> Sequence[Record]:
        """Records of a kind directly under `parent`, in order of insertion, those past position `after`."""
        ...

    async def scan(self, root: str, kinds: Sequence[str] = ()) -> Sequence[Record]:
        """Every record whose `root` is this one, in order of insertion; of those kinds only, where some are named."""
        ...

    async def untouched(self, parent: str, kind: str, *, before_us: int, limit: int = 1000) -> Sequence[str]:
        """Names of records of a kind directly under `parent` that were written last before then, the first inserted
        first. Bodies are not read."""
        ...

    async def revision(self, root: str) -> int:
        """Number of writes committed under a root; 0 when there never was one."""
        ...

    async def apply(self, changes: Sequence[Change]) -> Sequence[Record]:
        """All of the changes or none; the stored record of each `Put`, in order.

        Raises `RecordExists`, `RecordNotFound`, `VersionMismatch`.
        """
        ...

    # Sessions, turns, journal

    async def begin_turn(self, begin: BeginTurn) -> Begun:
        """Start, join, take over or wait for a turn; decided and written in one transaction."""
        ...

    async def append(self, lease: Lease, steps: Sequence[tuple[str, bytes]]) -> None:
        """Add (kind, payload) rows to the running turn's journal. Raises `LeaseLost`."""
        ...

    async def renew(self, lease: Lease, lease_us: int) -> None:
        """Hold the lease for that much longer from now. Raises `LeaseLost`."""
        ...

    async def finish_turn(
        self,
        lease: Lease,
        *,
        state: TurnState,
        steps: Sequence[tuple[str, bytes]] = (),
        response: bytes | None = None,
        session_state: bytes | None = None,
    ) -> None:
        """Last rows, response and new session state in one transaction; gives the lease back.

        With FAILED the turn and its rows stay on record, the session keeps the state it had and the request
        key is free again; with STOPPED the key is free as well. Raises `LeaseLost`.
        """
        ...

    async def end_leases(self) -> int:
        """Let running turns be taken over at once; how many there are.

        Only for who knows that all their owners are gone: the one server of a data directory, when it starts.
        """
        ...

    async def session(self, name: str) -> Session | None:
        """The session, unless it has expired."""
        ...

    async def mark_delivered(self, turns: Sequence[tuple[str, int]]) -> None:
        """Note of turns (session, number) that their responses were written to a connection; gone ones are no fault."""
        ...

    async def answered(self, session: str, fingerprint: str) -> bytes | None:
        """Response of the latest DONE turn with this input, delivered or not."""
        ...

    async def history(self, session: str, *, turns: int = 1000, before: int | None = None) -> Sequence[Step]:
        """Journal rows of the latest `turns` turns of the session's present life that are DONE or STOPPED.

        Oldest first; with `before`, only of turns whose number is less.
        """
        ...

    async def conversations(self, root: str, *, before: int | None = None, limit: int = 100) -> Sequence[Conversation]:
        """Sessions of a root with at least one turn DONE or STOPPED, expired ones too, the one begun last first; with
        `before`, those whose position is less."""
        ...

    async def conversation(self, name: str) -> Conversation | None:
        """That session, as `conversations` tells of it."""
        ...

    async def kept_turns(self, session: str, *, after: int = 0, limit: int = 100) -> Sequence[KeptTurn]:
        """DONE and STOPPED turns of all the session's lives whose number is greater than `after`, in their order."""
        ...

    async def turn(self, session: str, number: int | None = None) -> KeptTurn | None:
        """One turn, in whatever state it is, with the rows that are on record; the session's latest where no number is
        given. None where there is none."""
        ...

    async def delete_expired(self, *, kept_us: int, limit: int) -> Sequence[str]:
        """Forget, as `delete_session` does, at most `limit` sessions that expired at least `kept_us` ago and have no
        turn under a live lease; their names, so that fewer than `limit` means that there are no more."""
        ...

    async def delete_session(self, name: str) -> None:
        """Forget a session with its turns, journal and blobs (`name/…`); a missing one is no fault.

        It goes in the same way with its root when that is deleted. A session that begins anew after it has expired
        starts a new life: no state, no history, but numbers go on and its conversation keeps the earlier turns.
        """
        ...

    # Blobs

    async def put_blob(self, key: str, data: bytes) -> None:
        """Store bytes under a key; the same key again replaces them."""
        ...

    async def get_blob(self, key: str) -> bytes | None:
        """The bytes of a key."""
        ...

    async def blobs(self, prefix: str) -> Sequence[BlobFacts]:
        """Every blob whose key begins with `prefix`, in the order in which keys were first put."""
        ...

    async def delete_blobs(self, prefix: str, *, before_us: int | None = None) -> None:
        """Forget every blob whose key begins with `prefix`, with `before_us` only those put last before then; that
        there is none is no fault."""
        ...
