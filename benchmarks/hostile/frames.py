"""HTTP/2 frames written by hand (RFC 9113), and connections that send what no client would."""

import asyncio
import contextlib
import struct
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 8, 9
END_STREAM, END_HEADERS = 0x1, 0x4
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


async def _drop(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await reader.read(2**16):
            pass
