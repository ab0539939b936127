"""HTTP connections that a client can neither fill without end nor hold without sending, and that know what was sent.

uvicorn bounds neither how long a request takes to arrive nor how large its head is, and tells no application whether
its answer reached a connection.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from weakref import ref

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from openplaybook.wire.rest_reply import EXTENSION, IS_DELIVERED

MAX_HEAD_BYTES = 64 * 1024
"""Request line and headers. What comes with the last piece of the head is read before anybody counts, so a head may
be longer by what one read brings."""

HEAD_S = 30.0
"""Seconds for the head of a request, from its first byte, or from the connection for the first."""

BODY_PAUSE_S = 60.0
"""Seconds between two pieces of a body."""

MAX_UNREAD_BYTES = 128 * 1024 * 1024
"""Of a body that nobody reads, because its request was answered already: so many are dropped as they come, so that the
client gets to read the answer, before its connection is cut."""

LINGER_S = 30.0
"""Seconds in which they have to come."""

_LEAVING_S = 0.002
_LONGEST_LEAVING_S = 1.0
"""Between two looks whether a large answer has left: the first, and the longest, for a client that does not read."""

_GOODBYE_S = 1.0
"""For a client to answer that its idle connection is closed, as TLS has it (RFC 8446 §6.1); asyncio waits 30 s."""

_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


_TOO_MANY = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class BoundedHttp(HttpToolsProtocol):
    """uvicorn's protocol with limits on size and time of what is received, and on the number of connections."""

    max_connections = 10_000
    """Of one port."""
    _head_bytes = 0
    _in_head = True
    _is_whole = False
    """Whether the latest request has come in full; between requests uvicorn's own limit holds."""
    _heard_at = 0.0
    """When the head began, or the latest piece of a body came, on the loop's clock."""
    _watch: asyncio.TimerHandle | None = None
    _unread = 0
    _answered_at = 0.0
    """When a request was answered whose body had not come in full."""
    _closes = False
    """Whether the client asks for the connection to be closed after the answer."""
    _lost = False
    _broken = False
    """Lost, and not because either side closed it."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to count time; turn the client away when there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self.max_connections:
            transport.write(_TOO_MANY)
            transport.close()
        self._heard_at = self.loop.time()
        self._watch = self.loop.call_later(HEAD_S, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._lost, self._broken = True, exc is not None
        if self._watch is not None:
            self._watch.cancel()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Close the connection as the server stops, once its request is answered; who is idle is not waited for."""
        super().shutdown()
        if self.transport.is_closing():
            self.loop.call_later(_GOODBYE_S, self._let_go)

    def data_received(self, data: bytes) -> None:
        """Take what came; close the connection when its head has become too large, or nobody wants its body."""
        if self._answered_at:
            self._unread += len(data)
            if self._unread > MAX_UNREAD_BYTES or self.loop.time() > self._answered_at + LINGER_S:
                self.transport.abort()
                return
        super().data_received(data)
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
                self.transport.write(_TOO_LARGE)
                self.transport.close()
        elif not self._is_whole:
            self._heard_at = self.loop.time()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._in_head, self._is_whole, self._head_bytes = True, False, 0
        self._answered_at, self._unread = 0.0, 0
        self._heard_at = self.loop.time()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Its body follows."""
        self._in_head = False
        super().on_headers_complete()
        if not self.cycle.keep_alive and _brings_much(self.headers):
            # A connection that is closed while its body comes takes the answer with it: we close it when all has come.
            self._closes = self.cycle.keep_alive = True
        # By a weak reference: a request that had itself in its scope would stay until the garbage is collected.
        self.cycle.scope["extensions"] = {EXTENSION: {IS_DELIVERED: partial(self._is_delivered, ref(self.cycle))}}

    def on_message_complete(self) -> None:
        """It is here."""
        self._is_whole = True
        super().on_message_complete()
        if self._answered_at and self._closes:
            self.transport.close()

    def on_response_complete(self) -> None:
        """It is answered."""
        super().on_response_complete()
        if not self._is_whole:
            self._answered_at = self.loop.time()
        elif self._closes and not self.pipeline:
            self.transport.close()

    async def _is_delivered(self, of: "ref[RequestResponseCycle]") -> bool:
        """Whether the whole answer left for a connection that stood. Asked by who answers; until then a cycle lives."""
        cycle = of()
        if cycle is None:
            return False
        await asyncio.sleep(0)  # uvloop writes at the end of a round
        pause = _LEAVING_S
        while not self._lost and self.transport.get_write_buffer_size():
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_LEAVING_S)
        return cycle.response_complete and not cycle.disconnected and not self._broken

    def _let_go(self) -> None:
        if self._lost:
            return
        if self.transport.get_write_buffer_size():
            self.loop.call_later(_GOODBYE_S, self._let_go)
        else:
            self.transport.abort()

    def _look(self) -> None:
        """Close the connection when its client is too slow; look again when it might be."""
        waited = self.loop.time() - self._heard_at
        limit = HEAD_S if self._in_head else BODY_PAUSE_S
        # While earlier requests of the connection are answered, we are the ones who do not read.
        is_waiting = not self._is_whole and not self.pipeline
        if is_waiting and waited >= limit:
            self.transport.close()
            return
        self._watch = self.loop.call_later(limit - waited if is_waiting else HEAD_S, self._look)


def _brings_much(headers: Sequence[tuple[bytes, bytes]]) -> bool:
    """Whether a body is announced that may not be here yet when it is answered."""
    sizes = [value for name, value in headers if name == b"content-length"]
    return any(name == b"transfer-encoding" for name, _ in headers) or any(len(size) > 4 for size in sizes)
