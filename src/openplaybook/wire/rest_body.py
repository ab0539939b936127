"""The body of a REST request, read within limits of size, of time, and of what the server holds at once.

Limits count decompressed bytes. A body that is declared too large is refused before any of it is read, another as soon
as it is; no compressed body is inflated beyond its limit.
"""

import asyncio
from collections.abc import Mapping

from starlette.types import Receive

from openplaybook.wire.aside import Aside
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


async def read_body(
    headers: Mapping[str, str], receive: Receive, most: int, reservation: Reservation, aside: Aside
) -> bytes | bytearray:
    """The body, decompressed. `most`: bytes that it may have; its room is taken from the reservation before.

    Raises `RpcError`: `BodyRefused` with 413 or 408, RESOURCE_EXHAUSTED where the server holds too much already,
    INVALID_ARGUMENT for a compression that is not gzip, or not whole; and `Disconnected`.
    """
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip", "x-gzip"):
        sentence = f"The content encoding {encoding[:100]!r} is not supported; send JSON as it is, or with gzip."
        raise RpcError(Code.INVALID_ARGUMENT, sentence)

    # What cannot be made smaller grows a little.
    most_sent = most if encoding == "identity" else most + most // 1000 + 64

    def check_size(size: int, limit: int = most) -> None:
        if size > limit:
            sentence = f"Request payload size exceeds the limit: {most} bytes."
            raise BodyRefused(Code.INVALID_ARGUMENT, sentence, PAYLOAD_TOO_LARGE)

    declared = _declared(headers)
    check_size(declared, most_sent)
    # What is declared is taken at once, so that bodies are refused rather than stopped half way.
    reservation.grow(declared)
    # A body that grows is moved again and again.
    arrival, body, size = _Arrival(receive), bytearray(declared), 0
    while arrival.is_on_its_way:
        piece = await arrival.piece()
        end = size + len(piece)
        check_size(end, most_sent)
        reservation.grow(end)
        body[size:end] = piece
        size = end
    del body[size:]
    if encoding == "identity" or not body:
        return body
    return await Inflation("body", "gzip", reservation, aside).plain(body, check_size)


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
