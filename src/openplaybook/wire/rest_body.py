"""The body of a REST request, read within limits of size, of time, and of what the server holds at once.

Limits count decompressed bytes. A body that is declared too large is refused before any of it is read, another as soon
as it is; no compressed body is inflated beyond its limit.
"""

import asyncio
from collections.abc import Mapping

from starlette.types import Receive

from openplaybook.wire.aside import MESSAGE_AT_ONCE, Aside
from openplaybook.wire.bytes_in_flight import Reservation
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.inflation import Inflation

PAYLOAD_TOO_LARGE = 413
REQUEST_TIMEOUT = 408

ARRIVAL_S = 30.0
"""Seconds that any body has to arrive."""

SLOWEST_BYTES_S = 256 * 1024
"""Bytes a second of the slowest sender of a large one, which has that much more time."""


class BodyRefused(RpcError):
    """A body that is not read; `http_status` is what REST answers."""

    def __init__(self, code: Code, message: str, http_status: int) -> None:
        super().__init__(code, message)
        self.http_status = http_status


class Disconnected(Exception):
    """The client is gone; nobody is answered."""


class RestBody:
    """The body of one request."""

    def __init__(self, headers: Mapping[str, str], most: int, room: Reservation, aside: Aside) -> None:
        """`most`: bytes that it may have, decompressed; its room is taken before its bytes are.

        Raises INVALID_ARGUMENT for a compression that is not gzip."""
        encoding = headers.get("content-encoding", "identity").strip().lower()
        if encoding not in ("identity", "gzip", "x-gzip"):
            sentence = f"The content encoding {encoding[:100]!r} is not supported; send JSON without it, or with gzip."
            raise RpcError(Code.INVALID_ARGUMENT, sentence)
        self._is_compressed = encoding != "identity"
        self._declared = _declared(headers)
        self._most = most
        self._room = room
        self._aside = aside
        self._sent = bytearray()

    async def arrive(self, receive: Receive) -> None:
        """Take it as it was sent.

        Raises `BodyRefused` with 413 or 408, RESOURCE_EXHAUSTED where the server holds too much already, and
        `Disconnected`.
        """
        # What cannot be made smaller grows a little.
        most = self._most + self._most // 1000 + 64 if self._is_compressed else self._most
        self._check(self._declared, most)
        # What is declared is taken at once, so that bodies are refused rather than stopped half way.
        self._room.grow(self._declared)
        arrival = _Arrival(receive)
        while arrival.is_on_its_way:
            piece = await arrival.piece()
            size = len(self._sent) + len(piece)
            self._check(size, most)
            self._room.grow(size)
            # As it comes: to fill all that is declared with zeros first keeps everybody else waiting.
            self._sent += piece

    @property
    def takes_time(self) -> bool:
        """Whether what came is large, or has to be decompressed."""
        return self._is_compressed or len(self._sent) > MESSAGE_AT_ONCE

    async def plain(self) -> bytes | bytearray:
        """What came, decompressed; it is not kept here.

        Raises `BodyRefused` with 413, INVALID_ARGUMENT for what is not whole, RESOURCE_EXHAUSTED.
        """
        sent, self._sent = self._sent, bytearray()
        if not self._is_compressed or not sent:
            return sent
        return await Inflation("body", "gzip", self._room, self._aside).plain(sent, self._check)

    def _check(self, size: int, limit: int | None = None) -> None:
        if size > (self._most if limit is None else limit):
            sentence = f"Request payload size exceeds the limit: {self._most} bytes."
            raise BodyRefused(Code.INVALID_ARGUMENT, sentence, PAYLOAD_TOO_LARGE)


def _declared(headers: Mapping[str, str]) -> int:
    text = headers.get("content-length", "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0


class _Arrival:
    """Pieces of a body as they come, in the time that they have."""

    def __init__(self, receive: Receive) -> None:
        self.is_on_its_way = True
        self._receive = receive
        self._arrived = 0
        self._begun = asyncio.get_running_loop().time()

    async def piece(self) -> bytes:
        # Of what has come, not of what is said to come: who says much and sends nothing holds its room no longer.
        seconds = ARRIVAL_S + self._arrived // SLOWEST_BYTES_S
        try:
            async with asyncio.timeout_at(self._begun + seconds):
                event = await self._receive()
        except TimeoutError as error:
            sentence = f"The request's body did not arrive within {seconds:g} s."
            raise BodyRefused(Code.DEADLINE_EXCEEDED, sentence, REQUEST_TIMEOUT) from error
        if event["type"] == "http.disconnect":
            raise Disconnected
        piece: bytes = event.get("body", b"")
        self._arrived += len(piece)
        self.is_on_its_way = event.get("more_body", False)
        return piece
