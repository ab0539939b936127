"""Messages of HTTP/1.1: the head of a request, and the body of an answer, read to a limit and unpacked."""

import asyncio
import io
import re
import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from functools import lru_cache

from yarl import URL

from openplaybook.egress.base import is_framing
from openplaybook.egress.http_connection import BodyUnreadable, Connection, NotHttp

_USUAL = (
    ("user-agent", "User-Agent: openplaybook"),
    ("accept-encoding", "Accept-Encoding: gzip, deflate"),
    ("accept", "Accept: */*"),
)
"""Names in lower case, and the lines of requests that do not set them themselves."""

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""Methods and names of headers (RFC 9110 §5.6.2)."""
_CONTROLS = bytes([*range(9), *range(10, 32), 127])
"""All but the tab."""
_KEPT_NAMES = 1024
_WITHOUT_BODY = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""Methods whose requests have no body, and so no length of it."""

_PACKED = (b"gzip", b"deflate")
_NEVER_ASKED_FOR = (b"br", b"zstd")
_UNPACKED_AT_ONCE = 2**18
"""Bytes."""
_LARGE = 2**20
"""Bytes of an answer that are read as they come."""


class Pace:
    """Lets one piece of a large answer pass in each round of the event loop, whichever it belongs to.

    What is not read meanwhile waits in the network: a connection stops receiving when its buffer is full.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def keep(self, size: int) -> None:
        """Return when the next piece of an answer of which `size` bytes are read may be taken."""
        if size > _LARGE:
            async with self._turn:
                await asyncio.sleep(0)


def head_of(method: str, url: URL, headers: Sequence[tuple[str, str]], body: bytes | None) -> bytes:
    """The head of a request with `headers`, and with those that are usual where these have none of the name.

    Raises `ValueError` for what would be read as something else.
    """
    if method not in _WITHOUT_BODY and not _TOKEN.fullmatch(method):
        raise ValueError("the method is none")
    lines = [f"{method} {url.raw_path_qs} HTTP/1.1", f"Host: {url.host_port_subcomponent}"]
    names = {_lower(name) for name, _ in headers}
    lines += [line for name, line in _USUAL if name not in names]
    lines += [f"{name}: {value}" for name, value in headers]
    if body is not None:
        if "content-type" not in names:
            lines.append("Content-Type: application/octet-stream")
        lines.append(f"Content-Length: {len(body)}")
    elif method not in _WITHOUT_BODY:
        lines.append("Content-Length: 0")
    head = "\r\n".join(lines).encode()
    if len(head) - len(head.translate(None, _CONTROLS)) != 2 * (len(lines) - 1):
        raise ValueError("a header does not fit its line")
    return head + b"\r\n\r\n"


@lru_cache(_KEPT_NAMES)
def _lower(name: str) -> str:
    """The name of a header in lower case. Raises `ValueError` for what is none, or is not for requests to choose."""
    if not _TOKEN.fullmatch(name) or is_framing(name):
        raise ValueError("the name of a header is none, or one of the connection's own")
    return name.lower()


async def body_of(connection: Connection, max_bytes: int, pace: Pace) -> tuple[bytes, bool]:
    """The body of the answer that `connection` has begun, unpacked, and whether it was cut at `max_bytes`.

    A cut one costs the connection. Raises what reading raises, `BodyUnreadable` for what cannot be unpacked, and
    `NotHttp` for a packing that was not asked for.
    """
    unpacking = _unpacking_of(connection)
    piece = await connection.piece()
    if unpacking is None and connection.is_complete:
        # Most answers are small, and come whole with their heads.
        more = await connection.piece()
        return _cut(piece + more if more else piece, max_bytes)
    # What is put together in one go keeps all others waiting.
    body = io.BytesIO()
    while piece and body.tell() <= max_bytes:
        for part in (piece,) if unpacking is None else unpacking.parts(piece):
            body.write(part)
            if body.tell() > max_bytes:
                connection.abort()
                break
            await pace.keep(body.tell())
        else:
            piece = await connection.piece()
    if not piece:
        _check_end(unpacking)
    return _cut(body.getvalue(), max_bytes)


async def parts_of(connection: Connection) -> AsyncIterator[bytes]:
    """The body of the answer that `connection` has begun, as it comes, unpacked; raises what `body_of` raises."""
    unpacking = _unpacking_of(connection)
    while piece := await connection.piece():
        for part in (piece,) if unpacking is None else unpacking.parts(piece):
            yield part
    _check_end(unpacking)


class _Unpacking:
    """Unpacks a body as its pieces come, each only as far as it is read: little can become very much."""

    def __init__(self, packing: bytes) -> None:
        self._is_begun = False
        self._may_be_bare = packing == b"deflate"
        self._bits = zlib.MAX_WBITS if self._may_be_bare else zlib.MAX_WBITS + 16
        self._unpacker = zlib.decompressobj(self._bits)

    @property
    def is_broken_off(self) -> bool:
        """Whether more should have come. Gzip without its end is taken, as browsers take it."""
        return self._is_begun and self._may_be_bare and not self._unpacker.eof

    def parts(self, piece: bytes) -> Iterator[bytes]:
        """What a piece holds; raises `BodyUnreadable` where it is not packed in the way that was said."""
        if not self._is_begun:
            self._is_begun = True
            # Some services send what belongs into zlib's format (RFC 1950) without its frame.
            if self._may_be_bare and piece[0] & 0x0F != zlib.DEFLATED:
                self._bits = -zlib.MAX_WBITS
                self._unpacker = zlib.decompressobj(self._bits)
        may_hold_more = False
        while piece or may_hold_more:
            if piece and self._unpacker.eof:
                # Several may stand one after the other (RFC 1952 §2.2).
                self._unpacker = zlib.decompressobj(self._bits)
            try:
                part = self._unpacker.decompress(piece, _UNPACKED_AT_ONCE)
            except zlib.error as error:
                raise BodyUnreadable("the body cannot be unpacked") from error
            # At the end, the tail is still what was left the time before.
            piece = self._unpacker.unused_data if self._unpacker.eof else self._unpacker.unconsumed_tail
            may_hold_more = len(part) == _UNPACKED_AT_ONCE and not self._unpacker.eof
            if part:
                yield part


def _unpacking_of(connection: Connection) -> _Unpacking | None:
    packing = connection.packing
    if not packing:
        return None
    if packing in _NEVER_ASKED_FOR:
        raise NotHttp(f"the encoding {packing.decode()} was not asked for")
    return _Unpacking(packing) if packing in _PACKED else None


def _check_end(unpacking: _Unpacking | None) -> None:
    if unpacking is not None and unpacking.is_broken_off:
        raise BodyUnreadable("the body cannot be unpacked to its end")


def _cut(body: bytes, max_bytes: int) -> tuple[bytes, bool]:
    return (body, False) if len(body) <= max_bytes else (body[:max_bytes], True)
