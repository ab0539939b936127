"""Connections: slow, half open, many, and floods of frames."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator

from benchmarks.hostile.cases.base import Cases
from benchmarks.hostile.exchange import each
from benchmarks.hostile.frames import (
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    PING,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    call_fields,
    connection,
    fields,
    frame,
    pour,
)
from benchmarks.hostile.prey import Prey

case = Cases()

_TURN = "/google.cloud.dialogflow.cx.v3.Sessions/DetectIntent"
_HELD_S = 4.0
"""How long a case holds what it holds."""


async def _held(count: int, port: int, sent: bytes, held_s: float = _HELD_S) -> None:
    """So many connections that send a beginning and wait."""
    opened: list[asyncio.StreamWriter] = []
    for _ in range(count):
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            opened.append(writer)
    await asyncio.sleep(held_s)
    for writer in opened:
        writer.transport.abort()


@case
async def slow_headers(prey: Prey) -> None:
    """A thousand connections that send half a head."""
    await _held(1_000, prey.http, b"POST /v3/projects/p HTTP/1.1\r\nHost: 127.0.0.1\r\nX-")


@case
async def slow_header_bytes(prey: Prey) -> None:
    """A hundred heads that come a byte at a time."""

    async def one() -> None:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", prey.http)
            for byte in b"GET /healthz HTTP/1.1\r\nX-A: " + b"a" * 60:
                writer.write(bytes([byte]))
                await asyncio.sleep(0.05)
            writer.transport.abort()

    await prey.together(100, one)


@case
async def slow_bodies(prey: Prey) -> None:
    """Three hundred turns whose bodies come a byte at a time; one is waited for."""

    async def dripping(seconds: float) -> AsyncIterator[bytes]:
        for _ in range(int(seconds * 4)):
            yield b" "
            await asyncio.sleep(0.25)

    async def one(seconds: float) -> None:
        path = f"/v3/{prey.session()}:detectIntent"
        await prey.raw("POST", path, dripping(seconds), {"Content-Length": "500000"}, patience_s=seconds)

    # Those that give up by themselves are not judged: they waited for less than any deadline.
    await prey.together(300, lambda: one(_HELD_S))


@case
async def slow_large_bodies(prey: Prey) -> None:
    """Forty imports that say 90 MB, send 2 MB and wait."""

    async def one() -> None:
        path = "/v1beta/projects/hostile/locations/global/apps:importApp"
        body = each([b'{"appContent":"' + b"A" * 2_000_000])
        await prey.raw("POST", path, body, {"Content-Length": str(90 * 2**20)}, patience_s=_HELD_S)

    await prey.together(40, one)


@case
async def slow_readers(prey: Prey) -> None:
    """Two hundred connections that ask for metrics and read nothing."""
    await _held(200, prey.http, b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")


@case
async def half_open(prey: Prey) -> None:
    """Two thousand connections that say nothing."""
    await _held(2_000, prey.http, b"")


@case
async def half_open_grpc(prey: Prey) -> None:
    """A thousand connections to gRPC that say nothing, and a thousand that stop in their greeting."""
    await _held(1_000, prey.grpc, b"", _HELD_S / 2)
    await _held(1_000, prey.grpc, b"PRI * HT", _HELD_S / 2)


@case
async def connections_reset(prey: Prey) -> None:
    """Three thousand connections that are reset as soon as they stand."""
    for port in (prey.http, prey.grpc):
        for _ in range(1_500):
            with contextlib.suppress(OSError), socket.socket() as raw:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                raw.connect(("127.0.0.1", port))
        await asyncio.sleep(0)


@case
async def requests_abandoned(prey: Prey) -> None:
    """A hundred turns whose client is gone before the answer."""
    body = b'{"queryInput":{"text":{"text":"Hello."},"languageCode":"en"}}'

    async def one() -> None:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", prey.http)
            head = f"POST /v3/{prey.session()}:detectIntent HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body)
            await writer.drain()
            writer.transport.abort()

    for _ in range(10):
        await prey.together(10, one)


@case
async def headers_large(prey: Prey) -> None:
    """A header of a megabyte, and one without an end."""
    await prey.raw("GET", "/healthz", each([]), {"X-A": "a" * 1_000_000}, patience_s=10)
    _, writer = await asyncio.open_connection("127.0.0.1", prey.http)
    await pour(writer, [b"GET /healthz HTTP/1.1\r\nX-A: ", *[b"a" * 2**20] * 100])
    writer.transport.abort()


@case
async def headers_many(prey: Prey) -> None:
    """A hundred thousand headers, and without an end."""
    await prey.raw("GET", "/healthz", each([]), {f"X-{n}": "a" for n in range(100_000)}, patience_s=10)
    _, writer = await asyncio.open_connection("127.0.0.1", prey.http)
    await pour(writer, [b"GET /healthz HTTP/1.1\r\n", *[b"X-A: a\r\n" * 50_000] * 100])
    writer.transport.abort()


@case
async def request_line_large(prey: Prey) -> None:
    """A path of 20 MB."""
    await prey.raw("GET", "/" + "a" * 20_000_000, each([]), {}, patience_s=20)


@case
async def garbage(prey: Prey) -> None:
    """Ten megabytes of zeros, and TLS where none is spoken, to both ports."""
    for port in (prey.http, prey.grpc):
        for sent in (bytes(2**20), b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 10_000):
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                await pour(writer, [sent] * 10)
                writer.transport.abort()


@case
async def h2_pings(prey: Prey) -> None:
    """A flood of 500,000 pings."""
    async with connection(prey.grpc) as writer:
        await pour(writer, [frame(PING, payload=b"12345678") * 1_000] * 500)


@case
async def h2_settings(prey: Prey) -> None:
    """A flood of 300,000 settings."""
    one = frame(SETTINGS, payload=struct.pack(">HI", 3, 100))
    async with connection(prey.grpc) as writer:
        await pour(writer, [one * 1_000] * 300)


@case
async def h2_window_updates(prey: Prey) -> None:
    """A flood of 500,000 window updates."""
    async with connection(prey.grpc) as writer:
        await pour(writer, [frame(WINDOW_UPDATE, payload=struct.pack(">I", 1)) * 1_000] * 500)


@case
async def h2_rapid_reset(prey: Prey) -> None:
    """100,000 calls that are reset as soon as they are begun."""
    block = call_fields(_TURN)

    def pieces() -> list[bytes]:
        return [
            b"".join(
                frame(HEADERS, END_HEADERS, stream, block) + frame(RST_STREAM, 0, stream, struct.pack(">I", 8))
                for stream in range(first, first + 400, 2)
            )
            for first in range(1, 200_000, 400)
        ]

    async with connection(prey.grpc) as writer:
        await pour(writer, pieces())


@case
async def h2_many_streams(prey: Prey) -> None:
    """Twenty thousand calls on ten connections that send a head and nothing more."""
    block = call_fields(_TURN)

    async def one() -> None:
        async with connection(prey.grpc) as writer:
            await pour(writer, [frame(HEADERS, END_HEADERS, stream, block) for stream in range(1, 4_000, 2)])
            await asyncio.sleep(_HELD_S)

    await prey.together(10, one)


@case
async def h2_continuations(prey: Prey) -> None:
    """Headers that go on for 100 MB of continuations."""
    async with connection(prey.grpc) as writer:
        piece = fields([(b"x-a", b"a" * 100)]) * 100
        begun = frame(HEADERS, 0, 1, call_fields(_TURN))
        await pour(writer, [begun, *[frame(CONTINUATION, 0, 1, piece)] * 9_000])


@case
async def h2_headers_bomb(prey: Prey) -> None:
    """A header of 4 kB that is remembered once and said 50,000 times."""
    table = b"\x40" + b"\x03x-a" + b"\x7f" + b"\x81\x1e" + b"a" * 4_000
    async with connection(prey.grpc) as writer:
        block = call_fields(_TURN) + table + b"\xbe" * 8_000
        await pour(writer, [frame(HEADERS, END_HEADERS | END_STREAM, stream, block) for stream in range(1, 200, 2)])


@case
async def h2_empty_frames(prey: Prey) -> None:
    """A million empty frames of data in one call."""
    async with connection(prey.grpc) as writer:
        begun = frame(HEADERS, END_HEADERS, 1, call_fields(_TURN))
        await pour(writer, [begun, *[frame(DATA, 0, 1) * 1_000] * 1_000])


@case
async def h2_slow_message(prey: Prey) -> None:
    """Five hundred messages that say 90 MB and never come."""
    begun = b"\x00" + struct.pack(">I", 90_000_000)

    async def one() -> None:
        async with connection(prey.grpc) as writer:
            await pour(
                writer,
                [
                    frame(HEADERS, END_HEADERS, stream, call_fields(_TURN)) + frame(DATA, 0, stream, begun)
                    for stream in range(1, 100, 2)
                ],
            )
            await asyncio.sleep(_HELD_S)

    await prey.together(10, one)


@case
async def grpc_metadata(prey: Prey) -> None:
    """Metadata of 7 kB in two hundred calls at once, and of a megabyte."""
    rpc = "google.cloud.dialogflow.cx.v3.Agents.GetAgent"
    await prey.together(200, lambda: prey.rpc(rpc, {"name": prey.agent}, metadata=[("x-a", "a" * 7_000)]))
    await prey.rpc(rpc, {"name": prey.agent}, metadata=[("x-a", "a" * 1_000_000)])
