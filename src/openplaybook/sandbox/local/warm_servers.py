"""Warm interpreters, one a tenant: started when wanted, replaced on a schedule, ended when others need the room."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from openplaybook.sandbox.base import Execution, Request, SandboxUnavailable, ToolCaller
from openplaybook.sandbox.local.local_settings import Schedule

_ENDS = "no code runs any more: the server is stopping"
_LOG = logging.getLogger("openplaybook.sandbox")


class WarmServer(Protocol):
    """What is kept warm; `fork_server.ForkServer` is the real one."""

    @property
    def alive(self) -> bool:
        """Whether it can still run code."""
        ...

    @property
    def executions(self) -> int:
        """How many it was given."""
        ...

    @property
    def started_at(self) -> float:
        """When it stood, by `time.monotonic`."""
        ...

    async def execute(self, request: Request, caller: ToolCaller | None = None) -> Execution:
        """As `Executor.execute`."""
        ...

    async def dies(self, within_s: float) -> bool:
        """Whether it is dead, or turns out to be within that time."""
        ...

    async def aclose(self) -> None:
        """End it and all that runs in it."""
        ...


@dataclass(slots=True, eq=False)
class _Warm:
    """One of them."""

    standing: asyncio.Future[WarmServer]
    over: asyncio.Event = field(default_factory=asyncio.Event)
    users: int = 0
    used_at: float = 0.0
    is_retired: bool = False
    """Nothing new comes to it; what it runs, it finishes."""
    successor: "_Warm | None" = None
    """Starts while this one still serves."""

    def server(self) -> WarmServer | None:
        """It, once it stands."""
        has_failed = not self.standing.done() or self.standing.cancelled() or self.standing.exception() is not None
        return None if has_failed else self.standing.result()

    def retire(self) -> None:
        """End it as soon as nobody uses it, and what was to come after it."""
        self.is_retired = True
        if self.successor is not None:
            self.successor.retire()
        if self.users == 0:
            self.over.set()


class WarmServers:
    """To be used from one event loop."""

    def __init__(self, start: Callable[[], Awaitable[WarmServer]], schedule: Schedule) -> None:
        """`start` makes one, or raises `SandboxUnavailable`."""
        self._start = start
        self._schedule = schedule
        self._kept: OrderedDict[str, _Warm] = OrderedDict()
        """By tenant, the one that was not used for longest first."""
        self._lives: dict[asyncio.Task[None], _Warm] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False
        self.standing = 0
        """How many there are, those that finish what they run included."""
        self.started = 0
        """How many were started in all."""

    @asynccontextmanager
    async def using(self, tenant: str) -> AsyncGenerator[WarmServer]:
        """The tenant's warm interpreter, which is not ended inside the block. Raises `SandboxUnavailable`."""
        warm = self._take(tenant)
        warm.users += 1
        try:
            # The start belongs to all who wait for it: one of them going away ends it for nobody.
            yield await asyncio.shield(warm.standing)
        finally:
            warm.users -= 1
            warm.used_at = time.monotonic()
            if warm.is_retired:
                warm.retire()
            self._watch()

    async def aclose(self) -> None:
        """End all of them, whatever they run."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        self._kept.clear()
        for life, warm in self._lives.items():
            # One that stands ends in its own way, and may be about to; only a start is broken off.
            if warm.standing.done():
                warm.over.set()
            else:
                life.cancel()
        if self._lives:
            await asyncio.wait(self._lives)

    def _take(self, tenant: str) -> _Warm:
        if self._is_closed:
            raise SandboxUnavailable(_ENDS)
        warm = self._current(tenant) or self._begin()
        self._kept[tenant] = warm
        self._kept.move_to_end(tenant)
        while len(self._kept) > self._schedule.tenants:
            self._kept.popitem(last=False)[1].retire()
        return warm

    def _current(self, tenant: str) -> _Warm | None:
        """The tenant's; None where there is none that could be used."""
        warm = self._kept.get(tenant)
        if warm is None or not warm.standing.done():
            return warm
        server = warm.server()
        if server is None or not server.alive:
            warm.retire()
            return None
        if warm.successor is None and self._is_due(server):
            warm.successor = self._begin()
            warm.successor.standing.add_done_callback(lambda _: self._succeed(tenant, warm))
        if warm.successor is None or not warm.successor.standing.done():
            return warm
        # It did not start. The old one is not kept either: it has served for long enough.
        warm.retire()
        return None

    def _succeed(self, tenant: str, warm: _Warm) -> None:
        """The successor takes its place as soon as it stands, so that the old one takes up no memory any more."""
        successor = warm.successor
        if self._kept.get(tenant) is warm and successor is not None and successor.server() is not None:
            self._kept[tenant], warm.successor = successor, None
            warm.retire()

    def _is_due(self, server: WarmServer) -> bool:
        is_old = time.monotonic() - server.started_at >= self._schedule.age_s
        return is_old or server.executions >= self._schedule.executions

    def _begin(self) -> _Warm:
        warm = _Warm(asyncio.get_running_loop().create_future(), used_at=time.monotonic())
        life = asyncio.create_task(self._live(warm))
        self._lives[life] = warm

        def over(life: asyncio.Task[None]) -> None:
            del self._lives[life]
            # One that was ended while it started, or failed by a fault of ours, has told nobody.
            if not warm.standing.done():
                fault = None if life.cancelled() else life.exception()
                if fault is not None:
                    _LOG.error("a warm interpreter could not be started", exc_info=fault)
                why = _ENDS if fault is None else "a warm interpreter could not be started; the log says why"
                _fail(warm, SandboxUnavailable(why))

        life.add_done_callback(over)
        return warm

    async def _live(self, warm: _Warm) -> None:
        """From its start to its end."""
        begun = time.monotonic()
        try:
            server = await self._start()
        except SandboxUnavailable as error:
            _fail(warm, error)
            return
        self.started += 1
        self.standing += 1
        _LOG.info("a warm interpreter is ready", extra={"seconds": round(time.monotonic() - begun, 3)})
        try:
            warm.standing.set_result(server)
            await warm.over.wait()
        finally:
            self.standing -= 1
            await server.aclose()

    def _watch(self) -> None:
        if self._timer is None and not self._is_closed:
            self._timer = asyncio.get_running_loop().call_later(self._schedule.idle_s, self._end_idle)

    def _end_idle(self) -> None:
        self._timer = None
        latest = time.monotonic() - self._schedule.idle_s
        for tenant, warm in list(self._kept.items()):
            if warm.users == 0 and warm.used_at <= latest:
                del self._kept[tenant]
                warm.retire()
        if self._kept:
            self._watch()


def _fail(warm: _Warm, error: SandboxUnavailable) -> None:
    warm.standing.set_exception(error)
    # Where nobody waits for it any more, nobody has to be told.
    warm.standing.exception()
