"""One connection: writes a request and reads its answer, bounded in what comes beside the answer's body.

Extensions of chunks and trailers (RFC 9112 §7.1) and interim responses (RFC 9110 §15.2) may go on for ever, as fast as
the network is. Their reader never sees them, so no limit of the body counts them.
"""

import asyncio
from types import TracebackType
from typing import cast

import httptools

_MOST_BESIDE = 2**18
"""Bytes of heads, trailers and the like."""
_MOST_TIMES = 2
"""So many bytes may come for each byte of the body, beyond that: enough for chunks of six bytes and more. Smaller ones
cost a thousand times what they bring."""
_MOST_HEADERS, _LONGEST_HEADER = 128, 8_190
"""Of one head, and bytes of a name or a value."""
_READ_AHEAD = 2**17
"""Bytes of a body that are received before somebody reads them; what is beyond waits in the network."""
_AT_ONCE, _PIECE = 2**20, 2**16
"""Bytes of a request's body that are written in one go, and of a piece of a larger one: the loop goes on between."""
_INTERIM, _SWITCHING = 100, 101


class ConnectionBroken(Exception):
    """The connection ended before the answer did."""


class NotHttp(Exception):
    """What came is no answer of HTTP/1.1."""


class BodyUnreadable(Exception):
    """An answer has a body that cannot be read: its chunks or its packing are broken."""


class ExcessiveOverhead(Exception):
    """What came beside an answer's body is out of proportion."""


class PeerSilent(Exception):
    """No further piece of the answer came in time."""


class Alarm:
    """`asyncio.timeout` for less than half its cost to every call.

    Cancels what its block awaits after some seconds, and raises `TimeoutError` in place of the cancellation. A
    cancellation from elsewhere passes as it is.
    """

    __slots__ = ("_cancelling", "_handle", "_rang", "_task")

    def __init__(self, seconds: float) -> None:
        # Only coroutines of a task come here.
        self._task = cast("asyncio.Task[object]", asyncio.current_task())
        self._cancelling = self._task.cancelling()
        self._rang = False
        self._handle = asyncio.get_running_loop().call_later(max(seconds, 0.0), self._ring)

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._handle.cancel()
        if self._rang and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def _ring(self) -> None:
        self._rang = True
        self._task.cancel()


class Connection(asyncio.Protocol):
    """For one exchange at a time: `send`, then `piece` until there is no more.

    What fails raises `ConnectionBroken`, `NotHttp`, `BodyUnreadable`, `ExcessiveOverhead` or `PeerSilent`, and costs
    the connection; so does an answer that is not read to its end.
    """

    def __init__(self) -> None:
        self.status = 0
        """Of the answer; 0 until its head is there."""
        self.headers: list[tuple[bytes, bytes]] = []
        self.packing = b""
        """How the body is packed (`Content-Encoding`), in lower case."""
        self.is_complete = False
        """Whether the answer is here, to its end."""
        self.is_reusable = True
        """Whether another exchange may follow, once this one is complete."""
        self.idle_since = 0.0
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        parser = httptools.HttpResponseParser(self)
        # As lenient as browsers are, where nothing becomes ambiguous.
        parser.set_dangerous_leniencies(
            lenient_headers=True, lenient_optional_cr_before_lf=True, lenient_spaces_after_chunk_size=True
        )
        self._parser: httptools.HttpResponseParser | None = parser
        self._is_busy = False
        self._is_head = False
        self._pieces: list[bytes] = []
        self._waiting = self._body = self._received = 0
        self._is_reading, self._is_writable = True, True
        self._failure: Exception | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._read_s: float | None = None
        self._heard = 0.0

    @property
    def is_open(self) -> bool:
        """Whether a request can be sent over it now."""
        return self.is_reusable and self._transport is not None and not self._transport.is_closing()

    async def send(self, head: bytes, body: bytes | None, *, is_head: bool, read_s: float | None) -> None:
        """Send a request, and return when the head of its answer is there.

        `is_head`: whether the answer has no body, whatever its head says. `read_s`: seconds between two pieces of the
        answer; None: as long as it takes.
        """
        transport = self._transport
        if transport is None:
            raise ConnectionBroken
        self.status, self.headers, self.packing, self.is_complete, self._failure = 0, [], b"", False, None
        self._waiting = self._body = self._received = 0
        self._is_busy, self._is_head, self._read_s = True, is_head, read_s
        if body is None:
            transport.write(head)
        elif len(body) <= _AT_ONCE:
            transport.write(head + body)
        else:
            transport.write(head)
            await self._write(transport, body)
        while not self.status:
            await self._news()

    async def piece(self) -> bytes:
        """The next bytes of the answer's body, as they came; empty at its end."""
        while not self._pieces:
            if self.is_complete:
                return b""
            await self._news()
        piece = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
        self._pieces.clear()
        self._waiting = 0
        if not self._is_reading and self._transport is not None:
            self._is_reading = True
            self._transport.resume_reading()
        return piece

    def rest(self) -> None:
        """Wait for the next exchange; the answer of this one is complete."""
        self._is_busy, self.headers, self.idle_since = False, [], self._loop.time()
        # What nobody read of this answer must not become the beginning of the next one.
        self._pieces.clear()
        if self._transport is not None and self._transport.get_write_buffer_size():
            # It answered before it had read the request, and may never read it.
            self.abort()

    def abort(self) -> None:
        """Close it now."""
        self.is_reusable = False
        if self._is_busy and not self.is_complete and self._failure is None:
            # What is cut off here has not come to its end, even where only the connection's would tell.
            self._failure = ConnectionBroken()
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is there, TLS included."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Read a part of the answer; what comes without a request, or after its answer, is nobody's."""
        if not self._is_busy or self._parser is None or self.is_complete:
            self.abort()
            return
        self._received += len(data)
        self._heard = self._loop.time()
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self.is_reusable = False
            if not self.is_complete:
                self._fail(BodyUnreadable(str(error)) if self.status else NotHttp(str(error)))
        else:
            if not self.is_complete and self._received > _MOST_BESIDE + _MOST_TIMES * self._body:
                self._fail(ExcessiveOverhead())
        if self._waiting > _READ_AHEAD and self._is_reading and not self.is_complete and self._transport is not None:
            self._is_reading = False
            self._transport.pause_reading()
        if self.status or self._failure is not None:
            self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone: the end of an answer that says of no other, else a failure."""
        self._transport = self._parser = None
        self.is_reusable = False
        if self._is_busy and not self.is_complete and self._failure is None:
            if exc is None and self.status and self._ends_with_connection():
                self.is_complete = True
            else:
                self._failure = ConnectionBroken()
                self._failure.__cause__ = exc
        self._wake()

    def pause_writing(self) -> None:
        """The other side does not read as fast as we write."""
        self._is_writable = False

    def resume_writing(self) -> None:
        """It has caught up."""
        self._is_writable = True
        self._wake()

    def on_message_begin(self) -> None:
        """An answer begins: the one that is awaited, perhaps after interim ones, or one that nobody asked for."""
        if self.is_complete:
            self.is_reusable = False

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, or a trailer, which nobody reads."""
        if self.status or self.is_complete:
            return
        is_long = len(name) > _LONGEST_HEADER or len(value) > _LONGEST_HEADER
        if is_long or len(self.headers) >= _MOST_HEADERS or b"\0" in value:
            raise NotHttp
        # The parser leaves the blanks behind a value, which are none of it (RFC 9110 §5.5).
        value = value.rstrip(b" \t")
        self.headers.append((name, value))
        if name.lower() == b"content-encoding" and value.lower() != b"identity":
            self.packing = value.lower()

    def on_headers_complete(self) -> None:
        """The end of a head; that of an interim answer counts for nothing."""
        status = 0 if self._parser is None or self.is_complete else self._parser.get_status_code()
        if status >= 200 or status == _SWITCHING:
            self.status = status
            if self._is_head:
                # The parser would wait for the body that the head tells of.
                self.is_complete, self.is_reusable = True, False
        elif not self.is_complete:
            if status < _INTERIM:
                raise NotHttp
            self.headers, self.packing = [], b""

    def on_body(self, body: bytes) -> None:
        """A piece of the body."""
        if not self.is_complete:
            self._pieces.append(body)
            self._waiting += len(body)
            self._body += len(body)

    def on_message_complete(self) -> None:
        """The end of an answer."""
        if self.status and not self.is_complete and self._parser is not None:
            self.is_complete = True
            self.is_reusable = self.is_reusable and self._parser.should_keep_alive()

    async def _write(self, transport: asyncio.Transport, body: bytes) -> None:
        for at in range(0, len(body), _PIECE):
            if self._failure is not None:
                raise _again(self._failure)
            if self.status:
                # Who answers before it has read all will not read the rest.
                self.is_reusable = False
                return
            transport.write(body[at : at + _PIECE])
            if self._is_writable:
                await asyncio.sleep(0)
            while not self._is_writable and not self.status:
                await self._news(is_writing=True)

    async def _news(self, *, is_writing: bool = False) -> None:
        """Return when anything has changed; raises what has gone wrong."""
        if self._failure is not None:
            raise _again(self._failure)
        self._waiter = waiter = self._loop.create_future()
        if self._read_s is not None and not is_writing:
            self._heard = self._loop.time()
            self._timer = self._loop.call_later(self._read_s, self._listen, self._read_s)
        try:
            await waiter
        finally:
            self._waiter = None
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        if self._failure is not None:
            raise _again(self._failure)

    def _listen(self, read_s: float) -> None:
        """Give up where nothing was heard for so long, else go on listening."""
        left = self._heard + read_s - self._loop.time()
        if left > 0 and self._waiter is not None:
            self._timer = self._loop.call_later(left, self._listen, read_s)
        elif self._failure is None and not self.is_complete:
            self._fail(PeerSilent())
            self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _ends_with_connection(self) -> bool:
        """Whether its head says of no other end (RFC 9112 §6.3)."""
        lengths = (b"content-length", b"transfer-encoding")
        last = {name.lower(): value.lower() for name, value in self.headers if name.lower() in lengths}
        coding = last.get(b"transfer-encoding", b"").rpartition(b",")[2].strip(b" \t")
        return b"content-length" not in last and coding != b"chunked"

    def _fail(self, failure: Exception) -> None:
        self._failure = failure
        self.abort()


def _again(failure: Exception) -> Exception:
    """The same failure, to be raised: a connection that held it would, by its traceback, hold itself."""
    again = type(failure)(*failure.args)
    again.__cause__ = failure.__cause__
    return again
