"""The body of a REST request, read within limits of size, of time, and of what the server holds at once.

Limits count decompressed bytes. A body that is declared too large is refused before any of it is read, another as soon
as it is; no compressed body is inflated beyond its limit.
"""

import asyncio
import zlib
from collections.abc import Iterator, Mapping

from starlette.types import Receive

from openplaybook.wire.bytes_in_flight import Reservation
from openplaybook.wire.errors import Code, RpcError

PAYLOAD_TOO_LARGE = 413
REQUEST_TIMEOUT = 408

ARRIVAL_S = 30.0
"""Seconds that any body has to arrive."""

SLOWEST_BYTES_S = 256 * 1024
"""Bytes a second of the slowest sender of a large one, which has that much more time."""

_PIECE = 256 * 1024
"""Bytes that are inflated at once."""

_GZIP = 16 + zlib.MAX_WBITS


class BodyRefused(RpcError):
    """A body that is not read; `http_status` is what REST answers."""

    def __init__(self, code: Code, message: str, http_status: int) -> None:
        super().__init__(code, message)
        self.http_status = http_status


class Disconnected(Exception):
    """The client is gone; nobody is answered."""


async def read_body(headers: Mapping[str, str], receive: Receive, most: int, reservation: Reservation) -> bytearray:
    """The body, decompressed. `most`: bytes that it may have; its room is taken from the reservation before.

    Raises `RpcError`: `BodyRefused` with 413 or 408, RESOURCE_EXHAUSTED where the server holds too much already,
    INVALID_ARGUMENT for a compression that is not gzip, or not whole; and `Disconnected`.
    """
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip", "x-gzip"):
        sentence = f"The content encoding {encoding[:100]!r} is not supported; send JSON as it is, or with gzip."
        raise RpcError(Code.INVALID_ARGUMENT, sentence)
    declared = _declared(headers)
    if declared > most:
        raise _too_large(most)
    # What is declared is taken at once, so that bodies are refused rather than stopped half way.
    reservation.grow(declared)
    inflater = None if encoding == "identity" else _Inflater()
    arrival, body = _Arrival(receive, declared), bytearray()
    while arrival.is_on_its_way:
        piece = await arrival.piece()
        if inflater is None:
            _add(piece, body, most, reservation)
            continue
        for plain in inflater.pieces(piece):
            _add(plain, body, most, reservation)
            # Little may become much: others have their turn in between.
            await asyncio.sleep(0)
    if inflater is not None:
        inflater.end()
    return body


def _add(piece: bytes, body: bytearray, most: int, reservation: Reservation) -> None:
    size = len(body) + len(piece)
    if size > most:
        raise _too_large(most)
    reservation.grow(size)
    body += piece


def _declared(headers: Mapping[str, str]) -> int:
    text = headers.get("content-length", "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0


class _Arrival:
    """Pieces of a body as they come, in the time that they have."""

    def __init__(self, receive: Receive, declared: int) -> None:
        self.is_on_its_way = True
        self._receive = receive
        self._size = declared
        self._arrived = 0
        self._begun = asyncio.get_running_loop().time()

    async def piece(self) -> bytes:
        seconds = ARRIVAL_S + max(self._arrived, self._size) // SLOWEST_BYTES_S
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


class _Inflater:
    """What pieces of gzip come to, a little at a time."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(_GZIP)
        self._is_begun = False

    def pieces(self, piece: bytes) -> Iterator[bytes]:
        self._is_begun = self._is_begun or bool(piece)
        while piece and not self._zlib.eof:
            try:
                yield self._zlib.decompress(piece, _PIECE)
            except zlib.error as error:
                raise RpcError(Code.INVALID_ARGUMENT, "The request's body is not gzip.") from error
            piece = self._zlib.unconsumed_tail
        if piece or self._zlib.unused_data:
            raise RpcError(Code.INVALID_ARGUMENT, "The request's body goes on behind the end of its gzip.")

    def end(self) -> None:
        if self._is_begun and not self._zlib.eof:
            raise RpcError(Code.INVALID_ARGUMENT, "The request's body ends within its gzip.")


def _too_large(most: int) -> BodyRefused:
    sentence = f"Request payload size exceeds the limit: {most} bytes."
    return BodyRefused(Code.INVALID_ARGUMENT, sentence, PAYLOAD_TOO_LARGE)
