"""What an answer takes beside its body: bytes that its reader never sees, so that no limit of the body counts them.

Extensions of chunks and trailers (RFC 9112 §7.1) and interim responses (RFC 9110 §15.2) may go on for ever, as fast as
the network is.
"""

import asyncio
from typing import cast

import aiohttp
from aiohttp.connector import Connection

_MOST_AT_FIRST, _MOST_BESIDE = 2**20, 2**18
"""Bytes of a head, trailers and the like: until the answer is begun, when some hundred kilobytes of its body may be
here already, and from then on."""
_MOST_TIMES = 2
"""So many bytes may come for each byte of the body, beyond that: enough for chunks of six bytes and more. Smaller ones
cost a thousand times what they bring."""


class Overloaded(aiohttp.ClientError):
    """What came beside an answer's body is out of proportion."""


class Meter(asyncio.Protocol):
    """Hands on what a connection receives, and aborts it when that is out of proportion to the body of its answer."""

    def __init__(self, transport: asyncio.Transport, inner: asyncio.Protocol) -> None:
        self._transport = transport
        self._inner = inner
        self.begin()

    @classmethod
    def at(cls, connection: Connection) -> "Meter | None":
        """The meter of a connection, at the beginning of an answer; None when the connection is closed already."""
        transport = connection.transport
        if transport is None:
            return None
        known = transport.get_protocol()
        if isinstance(known, Meter):
            known.begin()
            return known
        meter = cls(transport, cast(asyncio.Protocol, known))
        transport.set_protocol(meter)
        return meter

    def begin(self) -> None:
        """Count from zero."""
        self._received = 0
        self.body: aiohttp.StreamReader | None = None
        """Of the answer, when its head is there."""
        self.is_exceeded = False
        """Whether the connection was aborted."""

    def data_received(self, data: bytes) -> None:
        """Count, and hand on."""
        self._received += len(data)
        if not self.is_exceeded and self._received > self._most():
            self.is_exceeded = True
            self._transport.abort()
        if not self.is_exceeded:
            self._inner.data_received(data)

    def _most(self) -> int:
        if self.body is None:
            return _MOST_AT_FIRST
        return _MOST_BESIDE + _MOST_TIMES * self.body.total_bytes

    def eof_received(self) -> bool | None:
        """Hand on."""
        return self._inner.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """Hand on."""
        self._inner.connection_lost(exc)

    def pause_writing(self) -> None:
        """Hand on."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Hand on."""
        self._inner.resume_writing()
