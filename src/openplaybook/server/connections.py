"""HTTP connections that a client can neither fill without end nor hold without sending.

uvicorn bounds neither how long a request takes to arrive nor how large its head is.
"""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD_BYTES = 64 * 1024
"""Request line and headers. What comes with the last piece of the head is read before anybody counts, so a head may
be longer by what one read brings."""

HEAD_S = 30.0
"""Seconds for the head of a request, from its first byte, or from the connection for the first."""

BODY_PAUSE_S = 60.0
"""Seconds between two pieces of a body."""

_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class BoundedHttp(HttpToolsProtocol):
    """uvicorn's protocol with limits on size and time of what is received."""

    _head_bytes = 0
    _in_head = True
    _is_whole = False
    """Whether the latest request has come in full; between requests uvicorn's own limit holds."""
    _heard_at = 0.0
    """When the head began, or the latest piece of a body came, on the loop's clock."""
    _watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to count time."""
        super().connection_made(transport)
        self._heard_at = self.loop.time()
        self._watch = self.loop.call_later(HEAD_S, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._watch is not None:
            self._watch.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came; close the connection when its head has become too large."""
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
        self._heard_at = self.loop.time()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Its body follows."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """It is here."""
        self._is_whole = True
        super().on_message_complete()

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
