"""What came compressed, inflated a piece at a time within the limit of its RPC.

A hundred requests of 50 kB may be gigabytes: one piece of one of them is inflated at a time, beside the event loop, and
room is taken for each before the next. What is small waits for no other.
"""

import zlib
from collections.abc import Callable
from functools import partial

from openplaybook.wire.aside import MESSAGE_AT_ONCE, Aside
from openplaybook.wire.bytes_in_flight import SMALL, Reservation
from openplaybook.wire.errors import Code, RpcError

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
