"""How many bytes of requests a server holds at once, both ports together, and whose turn it is to become more.

Small requests have a share of their own: they are never refused because large ones fill theirs. A hundred compressed
requests of 50 kB may be gigabytes: one piece of one of them is inflated at a time, beside the event loop, and room is
taken for each before the next. What is small waits for no other.
"""

import asyncio
import zlib
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Protocol, TypeVar

from openplaybook.wire.errors import Code, RpcError, retry_later

T = TypeVar("T")

MESSAGE_AT_ONCE = 32 * 1024
"""Bytes of a message on which work is done where it arrives: some milliseconds, where all of it are short values."""


class Aside(Protocol):
    """Does work elsewhere than in the event loop."""

    async def __call__(self, work: Callable[[], T], size: int) -> T:
        """What `work` on so many bytes gives, or raises; RESOURCE_EXHAUSTED or DEADLINE_EXCEEDED where there is too
        much of it."""
        ...


async def at_once(work: Callable[[], T], size: int) -> T:
    """Work that is done where it is asked for."""
    return work()


class FairTurns:
    """So many places; who waits for one is served by caller, each caller's first before anyone's second."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def acquire(self, caller: str) -> None:
        """Take a place; `caller` is whatever tells those apart who are to have equal shares."""
        if self._free and not self._waiting:
            self._free -= 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(caller, deque()).append(place)
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():
                # It was given just before: to the next one.
                self.release()
            elif place in self._waiting.get(caller, ()):
                self._forget(caller, place)
            raise

    def release(self) -> None:
        """Give a place back."""
        while self._waiting:
            caller, places = self._waiting.popitem(last=False)
            place = places.popleft()
            if places:
                self._waiting[caller] = places
            # One that was given up in this very moment is not forgotten yet.
            if not place.done():
                place.set_result(None)
                return
        self._free += 1

    def _forget(self, caller: str, place: asyncio.Future[None]) -> None:
        self._waiting[caller].remove(place)
        if not self._waiting[caller]:
            del self._waiting[caller]


SMALL = 256 * 1024
"""Bytes of a request that counts as small: turns and most of what is saved."""

DEFAULT_LARGE_BYTES = 192 * 1024 * 1024
"""Of large requests at once. One that is read takes some times its size for a moment."""

_SMALL_BYTES = 64 * 1024 * 1024
_RETRY_S = 1


class BytesInFlight:
    """The budget of one server."""

    def __init__(self, large: int = DEFAULT_LARGE_BYTES, small: int = _SMALL_BYTES) -> None:
        """Bytes that large requests may have together, and small ones. One is always taken, however large."""
        self._room = {True: small, False: large}
        self._held = {True: 0, False: 0}
        self.inflating = FairTurns(1)
        """The place of the one request that is inflated at the moment."""

    @property
    def held(self) -> int:
        """Bytes that requests have now."""
        return sum(self._held.values())

    def reserve(self, size: int = 0, *, caller: str = "") -> "Reservation":
        """Room for a request of so many bytes, known or so far, of a caller, who is told from others by it.
        RESOURCE_EXHAUSTED when there is none."""
        reservation = Reservation(self, caller)
        reservation.grow(size)
        return reservation

    def move(self, before: int, after: int) -> None:
        """A request of `before` bytes has `after` now; RESOURCE_EXHAUSTED, and no change, when there is no room."""
        was_small, is_small = before <= SMALL, after <= SMALL
        others = self._held[is_small] - (before if was_small == is_small else 0)
        if after > before and others and others + after > self._room[is_small]:
            raise retry_later("This server holds as many bytes of requests as it can", _RETRY_S)
        self._held[was_small] -= before
        self._held[is_small] += after


class Reservation:
    """The room of one request, until everybody who keeps it has let it go."""

    __slots__ = ("_budget", "_caller", "_keepers", "_size")

    def __init__(self, budget: BytesInFlight, caller: str) -> None:
        self._budget = budget
        self._caller = caller
        self._size = 0
        self._keepers = 1

    @asynccontextmanager
    async def inflating(self) -> AsyncGenerator[None]:
        """The budget's turn to inflate, which goes from caller to caller."""
        await self._budget.inflating.acquire(self._caller)
        try:
            yield
        finally:
            self._budget.inflating.release()

    def grow(self, size: int) -> None:
        """The request has so many bytes by now; RESOURCE_EXHAUSTED when there is no room for more."""
        if size > self._size:
            self._budget.move(self._size, size)
            self._size = size

    def keep(self) -> None:
        """Somebody else needs the request for longer than its answer takes; it has to `release` too."""
        self._keepers += 1

    def release(self) -> None:
        """It is not needed any more here."""
        self._keepers -= 1
        if self._keepers == 0:
            self._budget.move(self._size, 0)
            self._size = 0


_PIECE = 4 * 1024 * 1024
_SHORT = 64 * 1024
"""Compressed bytes of what is begun in the event loop: it waits for no other."""

_HEADERS = {"gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}
"""What zlib calls the format of each compression: RFC 1952, and RFC 1950, which HTTP and gRPC call deflate."""

_GZIP_BEGINS = b"\x1f\x8b\x08"
_ZLIB_BEGINS = 0x78
"""First byte of what zlib makes with its largest window (RFC 1950 §2.2), as gRPC's `deflate` does."""


def compression_of(message: bytes) -> str | None:
    """`gzip` or `deflate`, where a gRPC message is that rather than Protocol Buffers; else None.

    gRPC keeps the flag that says so to itself. gzip begins with a wire type that does not exist; zlib's first two bytes
    are a multiple of 31 (RFC 1950 §2.2) and would begin a number in field 15: no request of the API has one there.
    """
    if message.startswith(_GZIP_BEGINS):
        return "gzip"
    is_deflate = len(message) > 1 and message[0] == _ZLIB_BEGINS and int.from_bytes(message[:2]) % 31 == 0
    return "deflate" if is_deflate else None


class Inflation:
    """Inflates one compressed body or message."""

    def __init__(self, what: str, kind: str, room: Reservation, aside: Aside) -> None:
        """`what` is compressed, as errors name it; `kind` is `gzip` or `deflate`."""
        self._what = what
        self._kind = kind
        self._room = room
        self._aside = aside
        self._zlib = zlib.decompressobj(_HEADERS[kind])

    async def plain(self, sent: bytes | bytearray, check_size: Callable[[int], None]) -> bytes:
        """All of it. `check_size` raises when it is told of too many bytes.

        Raises INVALID_ARGUMENT for what is damaged, not whole, or goes on behind its end, and RESOURCE_EXHAUSTED where
        there is no room.
        """
        source, pieces, size = _Source(sent), list[bytes](), 0
        while source.has_more and not self._zlib.eof:
            if not pieces and len(sent) <= _SHORT:
                pieces.append(self._piece(source, MESSAGE_AT_ONCE))
            elif size < SMALL:
                pieces.append(await self._aside(partial(self._piece, source, SMALL), SMALL))
            else:
                async with self._room.inflating():
                    pieces.append(await self._aside(partial(self._piece, source, _PIECE), _PIECE))
            size += len(pieces[-1])
            check_size(size)
            self._room.grow(size)
        if self._zlib.unused_data or source.has_more:
            raise self._refused("continues after the end of its")
        if not self._zlib.eof:
            raise self._refused("ends within its")
        return pieces[0] if len(pieces) == 1 else await self._aside(partial(b"".join, pieces), size)

    def _piece(self, source: "_Source", most: int) -> bytes:
        pieces, size = list[bytes](), 0
        try:
            while size < most and source.has_more and not self._zlib.eof:
                pieces.append(self._zlib.decompress(source.next(), most - size))
                source.put_back(self._zlib.unconsumed_tail)
                size += len(pieces[-1])
        except zlib.error as error:
            raise self._refused("is not") from error
        return b"".join(pieces)

    def _refused(self, why: str) -> RpcError:
        return RpcError(Code.INVALID_ARGUMENT, f"The request's {self._what} {why} {self._kind}.")


class _Source:
    """What was sent, a slice at a time: zlib copies all that it is given and does not need yet, and keeps Python's
    lock meanwhile."""

    def __init__(self, sent: bytes | bytearray) -> None:
        self._sent = memoryview(sent)
        self._at = 0
        self._left = b""

    @property
    def has_more(self) -> bool:
        return bool(self._left) or self._at < len(self._sent)

    def next(self) -> bytes | memoryview:
        if self._left:
            return self._left
        begun, self._at = self._at, self._at + _SHORT
        return self._sent[begun : self._at]

    def put_back(self, left: bytes) -> None:
        self._left = left
