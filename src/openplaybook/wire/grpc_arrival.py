"""Messages over gRPC as they arrive: how many may take their time at once, and how much they hold.

gRPC hands over whole messages and tells nobody how large one is that is on its way; it only refuses what is larger than
the limit of the whole port. What a call has sent and nobody has asked for is bounded by HTTP/2's windows. So only some
messages are asked for at once: each may become as large as the port allows. A small one comes with its call and is here
at once; one that takes longer moves to one of a few places for slow ones, or has to come again.

A stream may be silent for minutes, so it has no place to lose while it is. One that falls silent in the midst of a
message looks the same. But the kernel counts what each connection has received (`tcpi_bytes_received`, tcp(7)): what is
beyond its whole messages is held, or was: calls that ended in the midst of a message count too, while a stream of their
connection waits. It is looked at while more streams wait than may have a message of the largest size each.
"""

import asyncio
import errno
import os
import socket
import sys
from collections.abc import Callable, Collection, Coroutine, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TypeAlias, cast
from urllib.parse import unquote

import grpc.aio

from openplaybook.wire.bytes_in_flight import BytesInFlight, FairTurns
from openplaybook.wire.errors import Code, RpcError, retry_later

Call: TypeAlias = grpc.aio.ServicerContext[bytes, bytes]

Received: TypeAlias = Callable[[Collection[str], int], Mapping[str, int]]
"""How many bytes each of these peers has sent to a port; a peer whose connection is not found is left out."""

HELD_BYTES = 64 * 1024 * 1024
"""That unfinished messages of all streams may have together, beside what the few had that waited before anybody
looked: as much again, or two of the largest messages."""

LOOK_S = 0.05
"""Between two looks, at least, where no new connection waits for one."""
_LOOKING = 5
"""Between two such looks there is so many times what the last one took: there may be thousands of connections."""

_STREAM_RETRY_S = 1

_OVERHEAD = 1024
"""Bytes that come with a whole message at most: its call's metadata, heads of frames, answers to pings."""
_FRAMES = 256
"""One in so many bytes is the head of a frame, or TLS's."""

_TCP_INFO_SIZE = 136
_BYTES_RECEIVED = slice(128, 136)
"""Where `struct tcp_info` has it, since Linux 4.1."""


@dataclass(slots=True)
class _Connection:
    """One client's, while a stream of it is open."""

    streams: int = 0
    waiting: set[asyncio.Timeout] = field(default_factory=set[asyncio.Timeout])
    """The waits for a message; each ends when it is told to."""
    is_watched: bool = False
    whole: int = 0
    """Bytes of the messages that have come."""
    other: int | None = None
    """Bytes that were received beside those when nothing was held; None where the kernel does not tell."""

    def looked_at(self, received: int | None, whole: int, max_message_bytes: int) -> int:
        """Bytes of messages that have begun, as well as one can know, where so many were whole before the look."""
        if not self.is_watched or not self.waiting or self.other is None:
            self._begin(received, whole)
        most = len(self.waiting) * max_message_bytes
        if received is None or self.other is None:
            return most
        # What is allowed for and did not come is no credit for later.
        self.other = min(self.other, received - whole)
        return min(most, received - whole - self.other)

    def came(self, size: int) -> None:
        """A message has come whole."""
        self.whole += size + size // _FRAMES + _OVERHEAD

    def refuse(self, received: int | None, whole: int) -> None:
        """End all that wait: which of them holds much, nobody can tell."""
        now = asyncio.get_running_loop().time()
        for clock in self.waiting:
            clock.reschedule(now)
        self.waiting.clear()
        self._begin(received, whole)

    def _begin(self, received: int | None, whole: int) -> None:
        self.is_watched, self.other = True, None if received is None else received - whole


class MessageStream:
    """The messages of one call."""

    __slots__ = ("_call", "_connection", "_port")

    def __init__(self, port: "UnfinishedMessages", call: Call, connection: _Connection) -> None:
        self._port = port
        self._call = call
        self._connection = connection

    async def message(self) -> bytes | None:
        """The next one; None at the end.

        Raises RESOURCE_EXHAUSTED where the messages that have begun are too much together, and this stream's
        connection has the most of them.
        """
        with self._port.waited():
            # Nothing but what fits into HTTP/2's windows comes before it is asked for. One look may just miss this one.
            while self._port.is_watching and not self._connection.is_watched:
                await self._port.look_soon()
            try:
                data = await self._read()
            except TimeoutError as error:
                raise retry_later("This server receives as many large messages as it can", _STREAM_RETRY_S) from error
        if data is not None:
            self._connection.came(len(data))
        return data

    async def _read(self) -> bytes | None:
        async with asyncio.timeout(None) as clock:
            self._connection.waiting.add(clock)
            try:
                data = cast(object, await self._call.read())
            finally:
                self._connection.waiting.discard(clock)
        # At the end it gives something else, which the stubs leave out.
        return data if isinstance(data, bytes) else None


class UnfinishedMessages:
    """Those of one port."""

    def __init__(self, max_message_bytes: int, received: Received | None = None) -> None:
        """`max_message_bytes`: what the port takes; `received` is the kernel's word, unless another is given."""
        self.port = 0
        """The number of the port, once it is known."""
        self._max_message_bytes = max_message_bytes
        self._few = max(2, HELD_BYTES // max_message_bytes)
        self._received = received or bytes_received
        # Of its own: the loop's threads may all wait for something else.
        self._thread = ThreadPoolExecutor(1, "openplaybook-connections")
        self._connections: dict[str, _Connection] = {}
        self._waiting = 0
        self._watching: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()
        self._looked = asyncio.Condition()

    @property
    def is_watching(self) -> bool:
        """Whether so many streams wait that one looks at what they hold."""
        return self._watching is not None

    @contextmanager
    def opened(self, call: Call) -> Generator[MessageStream]:
        """A call that streams, until it ends."""
        peer = call.peer()
        connection = self._connections.setdefault(peer, _Connection())
        connection.streams += 1
        try:
            yield MessageStream(self, call, connection)
        finally:
            connection.streams -= 1
            if not connection.streams:
                del self._connections[peer]

    @contextmanager
    def waited(self) -> Generator[None]:
        """While a stream waits for a message."""
        self._waiting += 1
        if self._waiting > self._few and self._watching is None:
            self._watching = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            self._waiting -= 1

    async def look_soon(self) -> None:
        """Wait for the next look."""
        async with self._looked:
            self._wanted.set()
            await self._looked.wait()

    def came(self, peer: str, size: int) -> None:
        """A message has come whole, over a stream or not."""
        if (connection := self._connections.get(peer)) is not None:
            connection.came(size)

    async def _watch(self) -> None:
        try:
            while self._waiting > self._few:
                self._wanted.clear()
                seconds = await self._look()
                # Half of the time at most, however many come.
                await asyncio.sleep(seconds)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._wanted.wait(), max(LOOK_S, _LOOKING * seconds))
        finally:
            self._watching = None
            for connection in self._connections.values():
                connection.is_watched = False
            async with self._looked:
                self._looked.notify_all()

    async def _look(self) -> float:
        """Look at all connections; how many seconds it took."""
        begun = asyncio.get_running_loop().time()
        whole = {peer: (connection, connection.whole) for peer, connection in self._connections.items()}
        loop = asyncio.get_running_loop()
        received = await loop.run_in_executor(self._thread, self._received, tuple(whole), self.port)
        looks = [
            (connection, received.get(peer), before)
            for peer, (connection, before) in whole.items()
            if self._connections.get(peer) is connection
        ]
        self._judge(looks)
        async with self._looked:
            self._looked.notify_all()
        return asyncio.get_running_loop().time() - begun

    def _judge(self, looks: "list[tuple[_Connection, int | None, int]]") -> None:
        sizes = [
            connection.looked_at(received, whole, self._max_message_bytes) for connection, received, whole in looks
        ]
        excess = sum(sizes) - HELD_BYTES
        for size, (connection, received, whole) in sorted(zip(sizes, looks, strict=True), key=lambda pair: -pair[0]):
            if excess <= 0:
                return
            connection.refuse(received, whole)
            excess -= size


def bytes_received(peers: Collection[str], port: int) -> Mapping[str, int]:
    """What the kernel says of this process's TCP connections at a port of it; `peers` as gRPC writes them. It says
    nothing where there is no Linux, or no descriptor left to list the others."""
    wanted = {_address(peer): peer for peer in peers}
    sizes = dict[str, int]()
    with suppress(OSError):
        for descriptor in os.listdir("/proc/self/fd"):
            # Not each is a socket that is connected, and any may be closed meanwhile.
            with suppress(OSError):
                name, own_port, received = _received(int(descriptor))
                if name in wanted and own_port == port:
                    sizes[wanted[name]] = received
    return sizes


def _received(descriptor: int) -> tuple[tuple[str, int], int, int]:
    """The peer of a connection, the port of this end, and what has come. Raises `OSError` for what is none."""
    # Of both families: IPv6's name has room for the other's.
    borrowed = socket.socket(socket.AF_INET6, socket.SOCK_STREAM, fileno=descriptor)
    try:
        name, (_, own_port) = _kernels(borrowed.getpeername()), _kernels(borrowed.getsockname())
        information = borrowed.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_SIZE)
    finally:
        borrowed.detach()
    if len(information) < _TCP_INFO_SIZE:
        raise OSError(errno.ENOTSUP, "this system does not count what connections receive")
    return name, own_port, int.from_bytes(information[_BYTES_RECEIVED], sys.byteorder)


def _address(peer: str) -> tuple[str, int]:
    """Host and port of `ipv4:127.0.0.1:50000` or `ipv6:%5B::1%5D:50000`."""
    host, _, port = unquote(peer).partition(":")[2].rpartition(":")
    return host.strip("[]").partition("%")[0], int(port) if port.isdecimal() else 0


def _kernels(name: object) -> tuple[str, int]:
    """The same of a socket's name: there IPv4 may be written as IPv6 (RFC 4291 §2.5.5.2); other sockets, such as Unix's
    or Netlink's, have other names."""
    if not isinstance(name, tuple):
        return "", 0
    host, port, *_ = cast("tuple[object, int]", name)
    if not isinstance(host, str):
        return "", 0
    return host.removeprefix("::ffff:").partition("%")[0], port


Cut: TypeAlias = "Callable[[Call, RpcError], Coroutine[object, object, None]]"
"""Ends a call with an error."""

_ASKED_FOR = 16
"""Messages that are waited for at once, the slow ones not counted."""

SOON_S = 0.05
"""A message that has not come by then takes its time."""

PATIENCE_S = 5.0
"""What a slow message has before it gives way to another."""

ARRIVAL_S = 120.0
"""What it has at all."""

SLOW_BYTES = 128 * 1024 * 1024
"""That slow messages may have together. Two of the largest are taken in any case."""

_RETRY_S = 1


class Arrivals:
    """Messages that are on their way to one port."""

    def __init__(self, max_message_bytes: int, in_flight: BytesInFlight | None = None) -> None:
        """`max_message_bytes`: the limit of the port; `in_flight` is shared with other ports."""
        self.max_message_bytes = max_message_bytes
        self._most = max(2, SLOW_BYTES // max_message_bytes)
        self.in_flight = in_flight or BytesInFlight()
        self.streams = UnfinishedMessages(max_message_bytes)
        """Of calls with many messages."""
        self._turns = FairTurns(_ASKED_FOR)
        self._slow: dict[_Arrival, float] = {}
        """Since when they have a place, the oldest first."""

    async def message(self, call: Call, cut: Cut) -> bytes | None:
        """The one message of a call; None when there is none. `cut` ends a call whose message takes too long."""
        # By connection: one with a hundred calls that send nothing keeps no other waiting.
        await self._turns.acquire(call.peer())
        arrival = _Arrival(self, call, cut)
        try:
            data = cast(object, await call.read())
        finally:
            arrival.ended()
        # At the end it gives something else, which the stubs leave out.
        if not isinstance(data, bytes):
            return None
        self.streams.came(call.peer(), len(data))
        return data

    def is_taken(self, arrival: "_Arrival") -> bool:
        """Whether a slow message gets a place; the oldest gives way when it has had its time."""
        now = asyncio.get_running_loop().time()
        self._turns.release()
        if len(self._slow) >= self._most:
            oldest, since = next(iter(self._slow.items()))
            if now - since < PATIENCE_S:
                return False
            self.gone(oldest, is_slow=True)
            oldest.end(retry_later("Other requests wait for this one, which arrives slowly", _RETRY_S))
        self._slow[arrival] = now
        return True

    def gone(self, arrival: "_Arrival", *, is_slow: bool) -> None:
        """A message has come, or comes no more."""
        self._slow.pop(arrival, None)
        if not is_slow:
            self._turns.release()


class _Arrival:
    """One message that a call waits for."""

    __slots__ = ("_arrivals", "_call", "_cut", "_ending", "_is_slow", "_timer")

    def __init__(self, arrivals: Arrivals, call: Call, cut: Cut) -> None:
        self._arrivals = arrivals
        self._call = call
        self._cut = cut
        self._is_slow = False
        self._ending: asyncio.Future[None] | None = None
        # Twice: while the loop was busy the message may have come, and only the next round tells.
        self._timer = asyncio.get_running_loop().call_later(SOON_S / 2, self._look_again)

    def ended(self) -> None:
        self._timer.cancel()
        self._arrivals.gone(self, is_slow=self._is_slow)

    def end(self, error: RpcError) -> None:
        self._timer.cancel()
        self._ending = asyncio.ensure_future(self._cut(self._call, error))

    def _look_again(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(SOON_S / 2, self._has_not_come)

    def _has_not_come(self) -> None:
        self._is_slow = True
        if self._arrivals.is_taken(self):
            self._timer = asyncio.get_running_loop().call_later(ARRIVAL_S, self._is_late)
        else:
            self.end(retry_later("This server receives as many large requests as it can", _RETRY_S))

    def _is_late(self) -> None:
        self.end(RpcError(Code.DEADLINE_EXCEEDED, f"The request did not arrive within {ARRIVAL_S:g} s."))
