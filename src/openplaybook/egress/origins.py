"""What is kept about each origin that is called: who is calling it, in the order of asking, and how it fared lately."""

import asyncio
import logging
import re
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from openplaybook.egress.base import Endpoint, HttpLimits, HttpRequest, HttpResponse
from openplaybook.egress.errors import BadResponse, CircuitOpen, ConnectFailed, EgressError, TimedOut
from openplaybook.egress.retries import OVERLOADED
from openplaybook.egress.web_origin import origin_of

MAX_CONCURRENT = 64
"""Calls to one origin that run at once."""
FAILURES_TO_OPEN = 10
"""So many in a row."""
PAUSE_S = 10.0
"""How long an origin is left alone then."""
_FAIR_S = 1.0
"""A service that had less time is not blamed for a timeout."""
_LOG = logging.getLogger("openplaybook.egress")
_KEPT_ORIGINS = 1024
_ORIGIN = re.compile(r"[^/?#]{0,20}//[^/?#]{0,300}")
_MAX_ORIGIN = 320
_AFTER_SCHEME = len("https://")
_Key: TypeAlias = tuple[str, tuple[Endpoint, ...], str]


@dataclass(slots=True)
class CallSlots:
    """A semaphore whose usual case, a free place, costs no coroutine."""

    free: int
    """Zero as long as anybody waits."""
    _waiting: deque[asyncio.Future[None]] = field(default_factory=deque[asyncio.Future[None]])

    def take(self) -> bool:
        """Take a place if one is free."""
        if not self.free:
            return False
        self.free -= 1
        return True

    async def wait(self) -> None:
        """Take the next place that comes free."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._waiting.remove(turn)
            else:
                self.give_back()
            raise

    def give_back(self) -> None:
        """Leave a place to who waits longest."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1


@dataclass(frozen=True, slots=True)
class CombinedSlots:
    """For callers that need a place in each of two."""

    first: CallSlots
    second: CallSlots

    def take(self) -> bool:
        """Take both places if both are free."""
        if not self.first.take():
            return False
        if self.second.take():
            return True
        self.first.give_back()
        return False

    async def wait(self) -> None:
        """Take both, one after the other, as they come free."""
        if not self.first.take():
            await self.first.wait()
        try:
            if not self.second.take():
                await self.second.wait()
        except BaseException:
            self.first.give_back()
            raise

    def give_back(self) -> None:
        """Leave both."""
        self.second.give_back()
        self.first.give_back()


@dataclass(slots=True)
class OriginState:
    """One service as one caller sees it: its queue, and its circuit breaker.

    The circuit opens after ten failures in a row. Every ten seconds one call is let through then as a probe, and its
    success closes the circuit.
    """

    name: str
    """Scheme, host and port as the URL has them."""
    _places: CallSlots = field(default_factory=lambda: CallSlots(MAX_CONCURRENT))
    _fewer: dict[int, CombinedSlots] = field(default_factory=dict[int, CombinedSlots])
    _failures: int = 0
    _closed_until: float = 0.0

    def places(self, limits: HttpLimits) -> CallSlots | CombinedSlots:
        """Where a call takes its place; those that set the same lower limit share it."""
        limit = limits.max_concurrent
        if not 0 < limit < MAX_CONCURRENT:
            return self._places
        return self._fewer.setdefault(limit, CombinedSlots(CallSlots(limit), self._places))

    def is_open(self, now: float) -> bool:
        """Whether calls are refused."""
        return self._failures >= FAILURES_TO_OPEN and now < self._closed_until

    def admit(self, now: float) -> None:
        """Let a call through, after which `record` is told what came of it; raises `CircuitOpen`."""
        if self._failures < FAILURES_TO_OPEN:
            return
        if now < self._closed_until:
            seconds = self._closed_until - now
            raise CircuitOpen(
                f"{self.name} failed {self._failures} times in a row; the next attempt is in {seconds:.1f} s"
            )
        # This call is the probe, and all others wait for another while.
        self._closed_until = now + PAUSE_S

    def record(self, outcome: HttpResponse | EgressError, began: float, now: float) -> None:
        """Count what came of a call that was let through at `began`."""
        if _is_failure(outcome, now - began):
            self._failures += 1
            self._closed_until = now + PAUSE_S
            if self._failures == FAILURES_TO_OPEN:
                _LOG.warning("%s failed %d times in a row; it is not called for a while", self.name, self._failures)
        elif isinstance(outcome, HttpResponse):
            self._failures = 0


class Origins:
    """The origins called last, by scheme, host, port, endpoints and caller."""

    def __init__(self) -> None:
        self._kept: OrderedDict[_Key, OriginState] = OrderedDict()

    def of(self, request: HttpRequest, caller: str) -> OriginState:
        """The origin that `request` goes to on behalf of `caller`."""
        url = request.url
        end = url.find("/", _AFTER_SCHEME)
        name = url[:end]
        if not 0 < end < _MAX_ORIGIN or "?" in name:
            match = _ORIGIN.match(url)
            name = match[0] if match else ""
        key = (_spelled(name), request.endpoints, caller)
        state = self._kept.get(key)
        if state is None:
            state = self._kept[key] = OriginState(name)
            if len(self._kept) > _KEPT_ORIGINS:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return state


@lru_cache(_KEPT_ORIGINS)
def _spelled(name: str) -> str:
    """One spelling: written in another way, a service is still the same one."""
    origin = origin_of(name)
    return name if origin is None else str(origin)


def _is_failure(outcome: HttpResponse | EgressError, took_s: float) -> bool:
    """Whether the service is to blame: not for a certificate, an address or a hurry, which may be this caller's."""
    if isinstance(outcome, HttpResponse):
        return outcome.status in OVERLOADED
    if isinstance(outcome, TimedOut):
        return outcome.which != "queue" and took_s >= _FAIR_S
    return isinstance(outcome, ConnectFailed | BadResponse)
