"""How a request gets its turn: one at a time per session, wherever the other requests run."""

import asyncio
import time
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from openplaybook.storage.base import Answered, BeginTurn, Busy, Lease, Recovered, Started, Store
from openplaybook.storage.errors import LeaseLost
from openplaybook.turns.base import TurnRequest
from openplaybook.turns.errors import SessionBusy
from openplaybook.turns.turn import now_us

_LEASE_US = 10_000_000
_RENEW_S = 3.0
_POLL_S = 0.02
_DEFAULT_TTL_S = 30 * 60.0
"""Life of a session after its last request (Dialogflow's default)."""
MAX_TTL_S = 24 * 60 * 60.0
"""Longest life that `sessionTtl` may ask for (Dialogflow's limit)."""


@dataclass(slots=True)
class _Queue:
    """Those who wait for one session in this process."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0


class Admission:
    """Grants turns. Within this process requests queue; between processes the store's lease decides."""

    def __init__(self, store: Store, owner: str) -> None:
        self._store = store
        self._owner = owner
        self._queues: dict[str, _Queue] = {}

    @asynccontextmanager
    async def queue(self, session: str, timeout_s: float) -> AsyncGenerator[None]:
        """Wait for the requests of this session that came before. Raises `SessionBusy`."""
        queue = self._queues.setdefault(session, _Queue())
        queue.users += 1
        try:
            if queue.users == 1:
                await queue.lock.acquire()  # at once: nobody else has it or wants it
            else:
                await _acquire(queue.lock, session, timeout_s)
            try:
                yield
            finally:
                queue.lock.release()
        finally:
            queue.users -= 1
            if queue.users == 0:
                self._queues.pop(session, None)

    async def begin(
        self, request: TurnRequest, first: tuple[str, bytes], timeout_s: float
    ) -> Started | Recovered | Answered:
        """Get a turn from the store, waiting for other processes until the time is over. Raises `SessionBusy`."""
        ttl_s = min(request.session_ttl_s or _DEFAULT_TTL_S, MAX_TTL_S)
        turn_id = str(uuid.uuid4())
        deadline = time.monotonic() + timeout_s
        while True:
            # Never cancelled half-way: a turn that was granted to nobody would block the session.
            begun = await self._store.begin_turn(
                BeginTurn(
                    session=request.session,
                    root=request.agent,
                    turn_id=turn_id,
                    request_key=request.request_key or turn_id,
                    owner=self._owner,
                    lease_us=_LEASE_US,
                    expires_us=now_us() + int(ttl_s * 1e6),
                    steps=(first,),
                )
            )
            if not isinstance(begun, Busy):
                return begun
            if time.monotonic() + _POLL_S >= deadline:
                raise _busy(request.session)
            await asyncio.sleep(_POLL_S)

    @asynccontextmanager
    async def hold(self, lease: Lease) -> AsyncGenerator[None]:
        """Keep the lease alive for as long as the turn runs."""
        loop = asyncio.get_running_loop()
        renewals: set[asyncio.Task[None]] = set()
        timer: asyncio.TimerHandle

        async def renew() -> None:
            # A lost lease shows at the turn's next write, which is where it is dealt with.
            with suppress(LeaseLost):
                await self._store.renew(lease, _LEASE_US)

        def due() -> None:
            nonlocal timer
            task = loop.create_task(renew())
            renewals.add(task)
            task.add_done_callback(renewals.discard)
            timer = loop.call_later(_RENEW_S, due)

        # A timer instead of a task: nearly all turns end before it is due, and then it costs nothing.
        timer = loop.call_later(_RENEW_S, due)
        try:
            yield
        finally:
            timer.cancel()
            if renewals:
                await asyncio.wait(renewals)


async def _acquire(lock: asyncio.Lock, session: str, timeout_s: float) -> None:
    try:
        async with asyncio.timeout(timeout_s):
            await lock.acquire()
    except TimeoutError:
        raise _busy(session) from None


def _busy(session: str) -> SessionBusy:
    return SessionBusy(f"Another turn of session {session.rsplit('/', 1)[-1]} is still running.")
