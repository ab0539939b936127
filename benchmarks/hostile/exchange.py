"""HTTP/1.1 and gRPC as a hostile client speaks them: whatever bytes it likes, sent until an answer comes."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from typing import cast

import grpc
import grpc.aio
import httptools

SLICE = 256 * 1024
"""Bytes of a body that are written at a time."""
_SHOWN = 600
_DONE = b'"done":true'
_LOST = "Internal error from Core"
"""What grpc's client says when a call ends in a way that it has no status for: its connection went."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a request."""

    status: str
    """An HTTP status, a gRPC code's name, `CUT` where the server hung up, `SILENT` where it never answered."""
    seconds: float
    """From the first byte of the request to the end of the answer."""
    text: str = ""
    """The beginning of the answer."""
    size: int = 0
    """Bytes of the answer's body."""
    sent_s: float | None = None
    """When the last byte of the request had been sent, from the first; None where it never was."""
    is_done: bool = False
    """Whether the answer, wherever in it, says that an operation has ended."""


class _Head:
    """Reads one answer."""

    def __init__(self) -> None:
        self.is_over = False
        self.size = 0
        self.shown = b""
        self.is_done = False
        self._last = b""
        self.parser = httptools.HttpResponseParser(self)

    def on_body(self, body: bytes) -> None:
        self.size += len(body)
        if len(self.shown) < _SHOWN:
            self.shown += body[: _SHOWN - len(self.shown)]
        self.is_done |= _DONE in self._last + body
        self._last = body[-len(_DONE) :]

    def on_message_complete(self) -> None:
        # An interim answer (100 Continue) is a message without an end to what was asked.
        self.is_over = self.parser.get_status_code() >= 200


def sliced(body: bytes) -> Iterable[memoryview]:
    """A body in pieces that share its memory."""
    view = memoryview(body)
    return (view[start : start + SLICE] for start in range(0, len(view), SLICE))


async def each(pieces: Iterable[bytes | memoryview]) -> AsyncIterator[bytes | memoryview]:
    """The pieces, one after the other."""
    for piece in pieces:
        yield piece


async def send(port: int, head: bytes, body: AsyncIterable[bytes | memoryview], patience_s: float) -> Reply:
    """Send a request's head and body on a connection of its own, and read the answer; its time counts from here."""
    begun, sent = time.monotonic(), list[float]()
    answer = _Head()

    def came(status: str, text: str = "", size: int = 0) -> Reply:
        return Reply(status, time.monotonic() - begun, text, size, sent[0] - begun if sent else None, answer.is_done)

    try:
        async with asyncio.timeout(patience_s):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            sending = asyncio.create_task(_write(writer, head, body, sent))
            try:
                while not answer.is_over and (data := await reader.read(SLICE)):
                    answer.parser.feed_data(data)
            finally:
                sending.cancel()
                writer.transport.abort()
    except TimeoutError:
        return came("SILENT")
    except (OSError, httptools.HttpParserError) as error:
        if not answer.is_over:
            return came("CUT", str(error))
    if not answer.is_over:
        return came("CUT")
    return came(str(answer.parser.get_status_code()), answer.shown.decode(errors="replace"), answer.size)


async def _write(
    writer: asyncio.StreamWriter, head: bytes, body: AsyncIterable[bytes | memoryview], sent: list[float]
) -> None:
    # A server that has refused the request does not read the rest of it; its answer is read all the same.
    with contextlib.suppress(OSError):
        writer.write(head)
        async for piece in body:
            writer.write(piece)
            await writer.drain()
        sent.append(time.monotonic())


_OPTIONS = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]


async def call(
    port: int,
    path: str,
    requests: AsyncIterable[bytes],
    patience_s: float,
    compression: grpc.Compression = grpc.Compression.NoCompression,
    metadata: Iterable[tuple[str, str]] = (),
) -> Reply:
    """Call an RPC of any kind on a channel of its own; answers are counted, none is kept."""
    begun = time.monotonic()
    size, status, text = 0, "OK", ""
    options = [*_OPTIONS, ("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options, compression) as channel:
        # The stubs ask for an iterator, where grpc takes whatever can be iterated, and leave types of messages out.
        start = cast("Callable[..., AsyncIterator[bytes]]", channel.stream_stream(path))
        stream = start(requests, timeout=patience_s, metadata=tuple(metadata))
        try:
            async for message in stream:
                size += len(message)
        except grpc.aio.AioRpcError as error:
            status, text = error.code().name, (error.details() or "")[:_SHOWN]
            if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED and time.monotonic() - begun >= patience_s - 0.5:
                status = "SILENT"
            if status == "INTERNAL" and text == _LOST:
                status = "CUT"
    return Reply(status, time.monotonic() - begun, text, size, 0.0)


async def one(message: bytes) -> AsyncIterator[bytes]:
    """A request stream of one message."""
    yield message
