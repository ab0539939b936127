"""How a request gets its turn, one at a time per session, wherever the other requests run; and how the lease of the
turn is kept while it runs."""

import asyncio
import time
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace

from openplaybook.storage.base import Answered, BeginTurn, Busy, Lease, Orphaned, Recovered, Started, Store
from openplaybook.storage.errors import LeaseLost, StoreError
from openplaybook.turns.base import TurnRequest
from openplaybook.turns.errors import SessionBusy
from openplaybook.turns.journal.events import now_us
from openplaybook.turns.journal.turn_results import stored_turn
from openplaybook.turns.session.repeats import FLUSH_S, Deliveries
from openplaybook.turns.session.stored_sessions import DEFAULT_TTL_S, MAX_TTL_S

LEASE_US = 10_000_000
_RENEW_S = 3.0


class HeldLease:
    """A lease that this process was granted.

    Timers renew it. A process that is frozen, or whose loop is blocked, may wake up after its end, when the turn is
    somebody else's: what the store is asked for is refused then, but the outside would not know.
    """

    def __init__(self, store: Store, lease: Lease, requested_at: float) -> None:
        """`requested_at`: on the clock of `time.monotonic`; it was granted later, so it stands a term from there at
        least."""
        self._store = store
        self._lease = lease
        self._requested_at = requested_at
        self._timer: asyncio.TimerHandle | None = None
        self._renewals: set[asyncio.Task[None]] = set()

    async def confirm(self) -> None:
        """Return when the turn is ours; the store is asked only where a term may have passed. Raises `LeaseLost`,
        `StoreUnusable`."""
        if time.monotonic() - self._requested_at >= LEASE_US / 1e6:
            await self._renew()

    def keep(self) -> None:
        """Renew it until `let_go`. A timer instead of a task: nearly all turns end before it is due, and then it costs
        nothing."""
        self._timer = asyncio.get_running_loop().call_later(_RENEW_S, self._due)

    async def let_go(self) -> None:
        """Renew it no more."""
        if self._timer is not None:
            self._timer.cancel()
            # What waits for it knows us: nothing is left for the garbage collector.
            self._timer = None
        if self._renewals:
            await asyncio.wait(self._renewals)

    def _due(self) -> None:
        task = asyncio.ensure_future(self._renew_if_ours())
        self._renewals.add(task)
        task.add_done_callback(self._renewals.discard)
        self.keep()

    async def _renew_if_ours(self) -> None:
        # A refusal shows at the turn's next write, which is where it is dealt with.
        with suppress(StoreError):
            await self._renew()

    async def _renew(self) -> None:
        requested_at = time.monotonic()
        await self._store.renew(self._lease, LEASE_US)
        self._requested_at = requested_at


_POLL_S = (0.02, 0.25)
"""Between two questions whether another process is done with a session: at first, and at most. Each is 1.5 times the
one before: the turn of a process that died keeps its session for the rest of its lease."""
_HEARSAY_S = 2 * FLUSH_S
"""After this long, what another process knows of a delivery is in the store."""
_MARGIN_S = 0.05
"""Of the caller's time, what is kept to tell it that the session is busy; a tenth where that is less."""
_MOST_UNHELD = 10_000

Admitted = Started | Recovered | Orphaned | Answered


@dataclass(slots=True)
class _Queue:
    """Those who wait for one session in this process."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0
    latest: tuple[str, int] | None = None
    """Fingerprint and number of the turn that was had last, for those who wait meanwhile."""


class QueuePlace:
    """A request's place at the head of its session's queue."""

    def __init__(self, queue: _Queue, before: tuple[str, int] | None) -> None:
        self._queue = queue
        self._before = before
        queue.latest = None

    def joins(self, fingerprint: str) -> int:
        """Number of the turn that this request found unfinished and is a repeat of; 0 where it is none."""
        return self._before[1] if self._before is not None and self._before[0] == fingerprint else 0

    def has(self, fingerprint: str, admitted: Admitted) -> None:
        """What it got; those who wait may be repeats of it."""
        turn = stored_turn(admitted.response) if isinstance(admitted, Answered) else admitted.lease.number
        self._queue.latest = (fingerprint, turn)


class TurnAdmission:
    """Grants turns. Within this process requests queue; between processes the store's lease decides."""

    def __init__(
        self, store: Store, owner: str, deliveries: Deliveries, *, session_ttl_s: float = DEFAULT_TTL_S
    ) -> None:
        self._store = store
        self._owner = owner
        self._deliveries = deliveries
        self._session_ttl_s = session_ttl_s
        self._queues: dict[str, _Queue] = {}
        self._unheld: dict[str, Lease] = {}
        """Leases of turns that the store's refusal cut short, by session."""

    @asynccontextmanager
    async def queue(self, session: str, timeout_s: float) -> AsyncGenerator[QueuePlace]:
        """Wait for the requests of this session that came before. Raises `SessionBusy`."""
        queue = self._queues.setdefault(session, _Queue())
        queue.users += 1
        try:
            if queue.users == 1:
                await queue.lock.acquire()  # at once: nobody else has it or wants it
                place = QueuePlace(queue, None)
            else:
                await _acquire(queue.lock, session, _patience_s(timeout_s))
                place = QueuePlace(queue, queue.latest)
            try:
                yield place
            finally:
                queue.lock.release()
        finally:
            queue.users -= 1
            if queue.users == 0:
                self._queues.pop(session, None)

    async def begin(
        self,
        request: TurnRequest,
        fingerprint: str,
        first: tuple[str, bytes],
        timeout_s: float,
        *,
        joins: int = 0,
        came_at: float | None = None,
    ) -> Admitted:
        """Get a turn from the store, waiting for other processes until the time is over. Raises `SessionBusy`.

        `first` is the journal's first row; `joins` as `QueuePlace.joins` gives it; `came_at` as `BeginTurn` has it.
        """
        await self._let_go(request.session)
        ttl_s = min(request.session_ttl_s or self._session_ttl_s, MAX_TTL_S)
        begin = BeginTurn(
            session=request.session,
            root=request.agent,
            turn_id=str(uuid.uuid4()),
            request_key=request.request_key,
            fingerprint=fingerprint,
            owner=self._owner,
            lease_us=LEASE_US,
            expires_us=now_us() + int(ttl_s * 1e6),
            steps=(first,),
            joins=joins,
            came_at=came_at,
        )
        deadline = time.monotonic() + _patience_s(timeout_s)
        begin, admitted = await self._begin(begin, deadline)
        if isinstance(admitted, Answered) and self._may_be_delivered(begin, admitted):
            # Another process answered: "yes" after its delivered answer is not a retry of the "yes" before.
            await asyncio.sleep(_HEARSAY_S)
            _, admitted = await self._begin(begin, deadline)
        return admitted

    @asynccontextmanager
    async def hold(self, lease: Lease, requested_at: float) -> AsyncGenerator[HeldLease]:
        """Keep the lease alive for as long as the turn runs; `requested_at` on the clock of `time.monotonic`."""
        held_lease = HeldLease(self._store, lease, requested_at)
        held_lease.keep()
        try:
            yield held_lease
        except StoreError:
            if len(self._unheld) < _MOST_UNHELD:
                self._unheld[lease.session] = lease
            raise
        finally:
            await held_lease.let_go()

    async def _begin(self, begin: BeginTurn, deadline: float) -> tuple[BeginTurn, Admitted]:
        """What the store gives at last, and the request as it stood then."""
        pause_s, longest_s = _POLL_S
        while True:
            begin = replace(begin, delivered=self._deliveries.latest(begin.session))
            # Never cancelled half-way: a turn that was granted to nobody would block the session.
            begun = await self._store.begin_turn(begin)
            if not isinstance(begun, Busy):
                return begin, begun
            begin = replace(begin, joins=begun.same or begin.joins)
            left_s = deadline - time.monotonic()
            if left_s <= _POLL_S[0]:
                raise _busy(begin.session)
            await asyncio.sleep(min(pause_s, left_s))
            pause_s = min(pause_s * 1.5, longest_s)

    def _may_be_delivered(self, begin: BeginTurn, answered: Answered) -> bool:
        if begin.request_key is not None or begin.joins:
            return False
        return not self._deliveries.is_ours(begin.session, stored_turn(answered.response))

    async def _let_go(self, session: str) -> None:
        """Give back the lease of a turn that the store refused to end when it would have."""
        lease = self._unheld.get(session)
        if lease is not None:
            # Where the store refuses again, the next request tries it.
            with suppress(LeaseLost):
                await self._store.renew(lease, 0)
            del self._unheld[session]


async def _acquire(lock: asyncio.Lock, session: str, timeout_s: float) -> None:
    try:
        async with asyncio.timeout(timeout_s):
            await lock.acquire()
    except TimeoutError:
        raise _busy(session) from None


def _patience_s(timeout_s: float) -> float:
    return timeout_s - min(_MARGIN_S, timeout_s / 10)


def _busy(session: str) -> SessionBusy:
    return SessionBusy(f"Another turn of session {session.rsplit('/', 1)[-1]} is still running.")
