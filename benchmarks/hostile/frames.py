"""HTTP/2 frames written by hand (RFC 9113), and connections that send what no client would."""

import asyncio
import contextlib
import struct
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 8, 9
END_STREAM, END_HEADERS, ACK = 0x1, 0x4, 0x1
_WINDOW, _FRAME, _INITIAL_WINDOW = 65_535, 16_384, 4
_POURED_S = 5.0


def frame(kind: int, flags: int = 0, stream: int = 0, payload: bytes = b"") -> bytes:
    """One frame."""
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def fields(named: Iterable[tuple[bytes, bytes]]) -> bytes:
    """A header block of literals that are not remembered (RFC 7541, 6.2.2)."""
    return b"".join(b"\x00" + _text(name) + _text(value) for name, value in named)


def _text(value: bytes) -> bytes:
    size = len(value)
    if size < 127:
        return bytes([size]) + value
    head, size = bytearray([127]), size - 127
    while size > 127:
        head.append(size & 127 | 128)
        size >>= 7
    return bytes([*head, size]) + value


def call_fields(path: str, *more: tuple[bytes, bytes]) -> bytes:
    """The header block of a gRPC call."""
    usual = [
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", path.encode()),
        (b":authority", b"127.0.0.1"),
        (b"te", b"trailers"),
        (b"content-type", b"application/grpc"),
    ]
    return fields([*usual, *more])


@asynccontextmanager
async def connection(port: int) -> AsyncGenerator[asyncio.StreamWriter]:
    """A connection that was greeted; what it is sent back is read and dropped."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(PREFACE + frame(SETTINGS))
    dropping = asyncio.create_task(_drop(reader))
    try:
        yield writer
    finally:
        dropping.cancel()
        writer.transport.abort()


async def pour(writer: asyncio.StreamWriter, pieces: Iterable[bytes]) -> None:
    """Send until the server hangs up, or has not read for as long as a case holds on."""
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(_POURED_S):
            for piece in pieces:
                writer.write(piece)
                await writer.drain()


class UnfinishedCalls:
    """Calls on one connection that each send a message less its last byte, as the server's windows let them."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._left = dict[int, int]()
        """Bytes that each stream is still to send."""
        self._windows = {0: _WINDOW}
        self._initial = _WINDOW
        self.ended = dict[int, bytes]()
        """Frames by which the server ended a stream, put together."""

    async def send(self, path: str, calls: int, size: int) -> None:
        """Begin the calls, and send until all have sent what they have, or have ended."""
        self._writer.write(PREFACE + frame(SETTINGS))
        for stream in range(1, 2 * calls, 2):
            begun = frame(DATA, 0, stream, b"\x00" + struct.pack(">I", size))
            self._writer.write(frame(HEADERS, END_HEADERS, stream, call_fields(path)) + begun)
            self._left[stream] = size - 1
            self._windows[0] -= len(begun) - 9
        while any(left and stream not in self.ended for stream, left in self._left.items()):
            await self._send_some()
            await self._hear()

    async def hear_ended(self, but: int) -> None:
        """Until the server has ended all calls but so many."""
        while len(self.ended) < len(self._left) - but:
            await self._hear()

    async def _send_some(self) -> None:
        for stream, left in self._left.items():
            while stream not in self.ended and left:
                most = min(left, _FRAME, self._windows[0], self._windows.get(stream, self._initial - 5))
                if most <= 0:
                    break
                self._writer.write(frame(DATA, 0, stream, b"x" * most))
                self._windows[0] -= most
                self._windows[stream] = self._windows.get(stream, self._initial - 5) - most
                left = self._left[stream] = left - most
            await self._writer.drain()

    async def _hear(self) -> None:
        head = await self._reader.readexactly(9)
        payload = await self._reader.readexactly(int.from_bytes(head[:3]))
        kind, flags, stream = head[3], head[4], int.from_bytes(head[5:])
        if kind == WINDOW_UPDATE:
            self._windows[stream] = self._windows.get(stream, self._initial - 5) + int.from_bytes(payload)
        elif kind == SETTINGS and not flags:
            named = dict(struct.iter_unpack(">HI", payload))
            self._initial = named.get(_INITIAL_WINDOW, self._initial)
            self._writer.write(frame(SETTINGS, ACK))
        elif kind == PING and not flags:
            self._writer.write(frame(PING, ACK, 0, payload))
        elif kind in (HEADERS, RST_STREAM):
            self.ended[stream] = self.ended.get(stream, b"") + payload


async def _drop(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await reader.read(2**16):
            pass
