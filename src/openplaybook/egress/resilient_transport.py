"""`ResilientTransport`: tries again where that is safe, waits in line, and leaves alone what is down."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import EgressError, TimedOut
from openplaybook.egress.origins import CallSlots, CombinedSlots, Origins, OriginState
from openplaybook.egress.retries import MAX_ATTEMPTS, wait_before_retry


def _utc_now() -> datetime:
    return datetime.now(UTC)


class ResilientTransport:
    """Sends by another transport; what a call may cost (`HttpLimits.total_s`) holds for all its tries together."""

    def __init__(
        self,
        transport: Transport,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = _utc_now,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._transport = transport
        self._clock = clock
        self._now = now
        self._sleep = sleep
        self._jitter = jitter
        self._origins = Origins()

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """The answer to `request` after at most three tries; raises a subclass of `EgressError`.

        What the last try came to stands; an error is `sent` when any of the tries was.
        """
        origin, started = self._origins.of(request, limits.caller), self._clock()
        places, left, attempt, sent, began = origin.places(limits), limits, 1, False, started
        while True:
            try:
                if not places.take():
                    left = await self._queued(origin, places, left)
                try:
                    began = self._clock()
                    origin.admit(began)
                    outcome = await self._transport.send(request, left)
                finally:
                    places.give_back()
            except EgressError as error:
                outcome = error
                sent = error.sent = sent or error.sent
            origin.record(outcome, began, self._clock())
            if isinstance(outcome, HttpResponse) and outcome.status < 400 and attempt == 1:
                return outcome
            left_s = await self._pause(origin, request, outcome, attempt, started + limits.total_s)
            if left_s <= 0:
                return _finished(_of_all_tries(outcome, origin, attempt, limits), attempt, self._clock() - started)
            attempt, left = attempt + 1, replace(limits, total_s=left_s)

    async def aclose(self) -> None:
        """Close every connection; the transport cannot be used afterwards."""
        await self._transport.aclose()

    async def _queued(self, origin: OriginState, places: CallSlots | CombinedSlots, limits: HttpLimits) -> HttpLimits:
        """Take a place as soon as there is one; what is left of `limits` then. Raises `TimedOut` or `CircuitOpen`."""
        started = self._clock()
        if origin.is_open(started):
            origin.admit(started)
        try:
            async with asyncio.timeout(limits.total_s):
                await places.wait()
        except TimeoutError as error:
            raise TimedOut(
                f"too many calls to {origin.name} are running, and none ended within {limits.total_s:.3g} s",
                which="queue",
                sent=False,
            ) from error
        return replace(limits, total_s=max(limits.total_s - (self._clock() - started), 0.001))

    async def _pause(
        self,
        origin: OriginState,
        request: HttpRequest,
        outcome: HttpResponse | EgressError,
        attempt: int,
        deadline: float,
    ) -> float:
        """Wait until it is time to try again; seconds left then, or 0 when there is no next try."""
        if attempt == MAX_ATTEMPTS or origin.is_open(self._clock()):
            return 0.0
        wait = wait_before_retry(outcome, request, attempt, self._jitter(), self._now())
        if wait is None or wait >= deadline - self._clock():
            return 0.0
        await self._sleep(wait)
        return deadline - self._clock()


def _of_all_tries(
    outcome: HttpResponse | EgressError, origin: OriginState, attempts: int, limits: HttpLimits
) -> HttpResponse | EgressError:
    """The outcome; where the time of the call was over, what it was, not what had been left of it for the last try."""
    if attempts == 1 or not isinstance(outcome, TimedOut) or outcome.which != "total":
        return outcome
    words = f"{origin.name} did not finish within {limits.total_s:.3g} s, in {attempts} tries"
    return TimedOut(words, which="total", sent=outcome.sent)


def _finished(outcome: HttpResponse | EgressError, attempts: int, elapsed_s: float) -> HttpResponse:
    if isinstance(outcome, EgressError):
        outcome.attempts, outcome.elapsed_s = attempts, elapsed_s
        raise outcome
    return outcome if attempts == 1 else replace(outcome, attempts=attempts, elapsed_s=elapsed_s)
