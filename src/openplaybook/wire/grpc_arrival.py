"""Requests over gRPC as they arrive: how many may take their time at once, and how much they hold.

gRPC hands over whole messages and tells nobody how large one is that is on its way; it only refuses what is larger than
the limit of the whole port. What a call has sent and nobody has asked for is bounded by HTTP/2's windows. So only some
messages are asked for at once: each may become as large as the port allows. A small one comes with its call and is here
at once; one that takes longer moves to one of a few places for slow ones, or has to come again.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeAlias, cast

from openplaybook.wire.bytes_in_flight import BytesInFlight
from openplaybook.wire.errors import Code, RpcError, retry_later
from openplaybook.wire.fair_turns import FairTurns
from openplaybook.wire.grpc_streams import Call, UnfinishedMessages

Cut: TypeAlias = "Callable[[Call, RpcError], Coroutine[object, object, None]]"
"""Ends a call with an error."""

_ASKED_FOR = 16
"""Messages that are waited for at once, the slow ones not counted."""

SOON_S = 0.05
"""A message that has not come by then takes its time."""

PATIENCE_S = 5.0
"""What a slow message has before it gives way to another."""

ARRIVAL_S = 120.0
"""What it has at all."""

SLOW_BYTES = 128 * 1024 * 1024
"""That slow messages may have together. Two of the largest are taken in any case."""

_RETRY_S = 1


class Arrivals:
    """Messages that are on their way to one port."""

    def __init__(self, max_message_bytes: int, in_flight: BytesInFlight | None = None) -> None:
        """`max_message_bytes`: the limit of the port; `in_flight` is shared with other ports."""
        self.max_message_bytes = max_message_bytes
        self._most = max(2, SLOW_BYTES // max_message_bytes)
        self.in_flight = in_flight or BytesInFlight()
        self.streams = UnfinishedMessages(max_message_bytes)
        """Of calls with many messages."""
        self._turns = FairTurns(_ASKED_FOR)
        self._slow: dict[_Arrival, float] = {}
        """Since when they have a place, the oldest first."""

    async def message(self, call: Call, cut: Cut) -> bytes | None:
        """The one message of a call; None when there is none. `cut` ends a call whose message takes too long."""
        # By connection: one with a hundred calls that send nothing keeps no other waiting.
        await self._turns.acquire(call.peer())
        arrival = _Arrival(self, call, cut)
        try:
            data = cast(object, await call.read())
        finally:
            arrival.ended()
        # At the end it gives something else, which the stubs leave out.
        if not isinstance(data, bytes):
            return None
        self.streams.came(call.peer(), len(data))
        return data

    def is_taken(self, arrival: "_Arrival") -> bool:
        """Whether a slow message gets a place; the oldest gives way when it has had its time."""
        now = asyncio.get_running_loop().time()
        self._turns.release()
        if len(self._slow) >= self._most:
            oldest, since = next(iter(self._slow.items()))
            if now - since < PATIENCE_S:
                return False
            self.gone(oldest, is_slow=True)
            oldest.end(retry_later("Other requests wait for this one, which arrives slowly", _RETRY_S))
        self._slow[arrival] = now
        return True

    def gone(self, arrival: "_Arrival", *, is_slow: bool) -> None:
        """A message has come, or comes no more."""
        self._slow.pop(arrival, None)
        if not is_slow:
            self._turns.release()


class _Arrival:
    """One message that a call waits for."""

    __slots__ = ("_arrivals", "_call", "_cut", "_ending", "_is_slow", "_timer")

    def __init__(self, arrivals: Arrivals, call: Call, cut: Cut) -> None:
        self._arrivals = arrivals
        self._call = call
        self._cut = cut
        self._is_slow = False
        self._ending: asyncio.Future[None] | None = None
        # Twice: while the loop was busy the message may have come, and only the next round tells.
        self._timer = asyncio.get_running_loop().call_later(SOON_S / 2, self._look_again)

    def ended(self) -> None:
        self._timer.cancel()
        self._arrivals.gone(self, is_slow=self._is_slow)

    def end(self, error: RpcError) -> None:
        self._timer.cancel()
        self._ending = asyncio.ensure_future(self._cut(self._call, error))

    def _look_again(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(SOON_S / 2, self._has_not_come)

    def _has_not_come(self) -> None:
        self._is_slow = True
        if self._arrivals.is_taken(self):
            self._timer = asyncio.get_running_loop().call_later(ARRIVAL_S, self._is_late)
        else:
            self.end(retry_later("This server receives as many large requests as it can", _RETRY_S))

    def _is_late(self) -> None:
        self.end(RpcError(Code.DEADLINE_EXCEEDED, f"The request did not arrive within {ARRIVAL_S:g} s."))
