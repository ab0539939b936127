"""Connections that are kept between requests, and how new ones are made: resolved, dialled, TLS begun."""

import asyncio
import socket
import ssl
from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from functools import partial
from ipaddress import ip_address
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from openplaybook.egress.base import Endpoint, Resolver
from openplaybook.egress.errors import AddressRefused, ConnectFailed, NameUnknown
from openplaybook.egress.http_connection import Alarm, Connection

_IDLE_S = 30.0
_RESOLVED_S = 10.0
"""Addresses of a name are good for so long."""
_KEPT_NAMES = 1024
_NEXT_ADDRESS_S = 0.25
"""After which the next address is tried too (RFC 8305 §5)."""

_Address: TypeAlias = tuple[str, int]
"""An IP address and a port."""


class Unreachable(Exception):
    """No connection came about; its cause says why."""


class ConnectTooSlow(Exception):
    """No connection came about in time."""


class Peer(NamedTuple):
    """Where requests go: what two of them must have in common to share a connection."""

    host: str
    """A name or an address, as the URL has it, without brackets."""
    port: int
    context: ssl.SSLContext | None = None
    """None: no TLS."""
    endpoints: tuple[Endpoint, ...] = ()
    """Dialled in their order, in place of the host. The certificate is checked against the host all the same."""


class HttpConnectionPool:
    """The connections of one event loop. How many there are at once is its callers' matter."""

    def __init__(self, resolver: Resolver, idle_s: float = _IDLE_S) -> None:
        """`resolver` judges what it finds: its addresses are dialled as they are.

        A connection that was not used for `idle_s` seconds is closed.
        """
        self._resolver = resolver
        self._idle_s = idle_s
        self._idle: dict[Peer, list[Connection]] = {}
        self._open = set[Connection]()
        self._names: OrderedDict[tuple[str, int], tuple[float, list[str]]] = OrderedDict()
        self._lookups: dict[tuple[str, int], asyncio.Task[Sequence[str]]] = {}
        self._sweep: asyncio.TimerHandle | None = None
        self._is_closed = False

    async def take(self, peer: Peer, connect_s: float) -> Connection:
        """A connection to `peer`, a kept one where there is one.

        Raises `Unreachable`, `ConnectTooSlow`, `NameUnknown`, `ConnectFailed` once the pool is closed, and what the
        resolver raises against an address.
        """
        idle = self._idle.get(peer)
        while idle:
            connection = idle.pop()
            if connection.is_open:
                return connection
            self._open.discard(connection)
            self._open.discard(connection)
        if self._is_closed:
            raise ConnectFailed("the transport is closed")
        try:
            with Alarm(connect_s):
                connection = await self._dialled(peer)
        except TimeoutError as error:
            raise ConnectTooSlow from error
        except OSError as error:
            raise Unreachable from error
        if self._is_closed:
            connection.abort()
            raise ConnectFailed("the transport is closed")
        self._open.add(connection)
        return connection

    def give_back(self, peer: Peer, connection: Connection) -> None:
        """Keep a connection whose exchange is over, or close it where the exchange was left or nothing may follow."""
        if not connection.is_complete or not connection.is_open or self._is_closed:
            connection.abort()
            self._open.discard(connection)
            return
        connection.rest()
        if not connection.is_open:
            self._open.discard(connection)
            return
        self._idle.setdefault(peer, []).append(connection)
        if self._sweep is None:
            self._sweep = asyncio.get_running_loop().call_later(self._idle_s, self._close_unused)

    async def aclose(self) -> None:
        """Close every connection, those in use too."""
        self._is_closed = True
        if self._sweep is not None:
            self._sweep.cancel()
        for lookup in self._lookups.values():
            lookup.cancel()
        for connection in self._open:
            connection.abort()
        self._open.clear()
        self._idle.clear()
        # What was closed is told so in the next round of the loop.
        await asyncio.sleep(0)

    def _close_unused(self) -> None:
        loop = asyncio.get_running_loop()
        used_since = loop.time() - self._idle_s
        for peer, idle in list(self._idle.items()):
            recent = [each for each in idle if each.is_open and each.idle_since > used_since]
            for connection in set(idle) - set(recent):
                connection.abort()
                self._open.discard(connection)
            if recent:
                self._idle[peer] = recent
            else:
                del self._idle[peer]
        self._sweep = loop.call_later(self._idle_s / 2, self._close_unused) if self._idle else None

    async def _dialled(self, peer: Peer) -> Connection:
        """A new connection, to the first address that answers; raises the error of the last one."""
        left = _taking_turns(await self._addresses(peer))
        while True:
            reached, address = await _reached(left)
            try:
                return await _begun(reached, peer)
            except OSError:
                left.remove(address)
                if not left:
                    raise

    async def _addresses(self, peer: Peer) -> list[_Address]:
        if peer.endpoints:
            return [(endpoint.address, endpoint.port) for endpoint in peer.endpoints]
        if _is_address(peer.host):
            return [(peer.host, peer.port)]
        return [(address, peer.port) for address in await self._resolved(peer.host, peer.port)]

    async def _resolved(self, host: str, port: int) -> Sequence[str]:
        """The addresses of a name; each time another one comes first."""
        key, now = (host, port), asyncio.get_running_loop().time()
        until, addresses = self._names.get(key, (0.0, list[str]()))
        if until <= now:
            addresses = list(await self._looked_up(key))
            self._names[key] = now + _RESOLVED_S, addresses
            if len(self._names) > _KEPT_NAMES:
                self._names.popitem(last=False)
            return list(addresses)
        addresses.append(addresses.pop(0))
        return list(addresses)

    async def _looked_up(self, key: tuple[str, int]) -> Sequence[str]:
        """Asks the resolver, once for all who want to know the same at the same time."""
        task = self._lookups.get(key)
        if task is None:
            task = self._lookups[key] = asyncio.ensure_future(self._resolver.resolve(*key))
            task.add_done_callback(partial(self._found, key))
        # Each gets an error of its own: the callers note in it what became of their own calls.
        try:
            addresses = await asyncio.shield(task)
        except AddressRefused as error:
            raise AddressRefused(str(error), rule=error.rule) from error
        except OSError as error:
            raise NameUnknown(f"the host name {key[0]} is unknown") from error
        except asyncio.CancelledError:
            if task.cancelled() and self._is_closed:
                raise ConnectFailed("the transport is closed") from None
            raise
        if not addresses:
            raise NameUnknown(f"the host name {key[0]} is unknown")
        return addresses

    def _found(self, key: tuple[str, int], task: asyncio.Task[Sequence[str]]) -> None:
        self._lookups.pop(key, None)
        if not task.cancelled():
            # Who asked may be gone; its error is then nobody's.
            task.exception()


def _taking_turns(addresses: Sequence[_Address]) -> list[_Address]:
    """In their order, but IPv6 and IPv4 take turns (RFC 8305 §4)."""
    of_first = [each for each in addresses if _is_six(each) == _is_six(addresses[0])]
    others = [each for each in addresses if _is_six(each) != _is_six(addresses[0])]
    pairs = zip_longest(of_first, others)
    return [each for pair in pairs for each in pair if each is not None]


async def _reached(addresses: Sequence[_Address]) -> tuple[socket.socket, _Address]:
    """A socket to the address that answers first. Each is tried when the one before has failed, or takes too long.

    Raises the `OSError` of the last one when none answers.
    """
    waiting, running = deque(addresses), set[asyncio.Task[tuple[socket.socket, _Address]]]()
    while True:
        if waiting:
            running.add(asyncio.ensure_future(_connected(waiting.popleft())))
        try:
            done, running = await asyncio.wait(
                running, timeout=_NEXT_ADDRESS_S if waiting else None, return_when=asyncio.FIRST_COMPLETED
            )
        except asyncio.CancelledError:
            _give_up(running)
            raise
        won = next((task for task in done if task.exception() is None), None)
        if won is not None:
            _give_up((running | done) - {won})
            return won.result()
        if done and not running and not waiting:
            return done.pop().result()


def _give_up(tries: Iterable[asyncio.Task[tuple[socket.socket, _Address]]]) -> None:
    for task in tries:
        if not task.cancel() and not task.cancelled() and task.exception() is None:
            task.result()[0].close()


async def _connected(address: _Address) -> tuple[socket.socket, _Address]:
    reached = socket.socket(socket.AF_INET6 if _is_six(address) else socket.AF_INET, socket.SOCK_STREAM)
    try:
        reached.setblocking(False)
        await asyncio.get_running_loop().sock_connect(reached, address)
    except BaseException:
        reached.close()
        raise
    return reached, address


def _is_six(address: _Address) -> bool:
    return ":" in address[0]


async def _begun(reached: socket.socket, peer: Peer) -> Connection:
    """The connection over a socket, TLS begun where there is any."""
    reached.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    loop, name = asyncio.get_running_loop(), peer.host.rstrip(".") if peer.context is not None else None
    _, connection = await loop.create_connection(Connection, sock=reached, ssl=peer.context, server_hostname=name)
    return connection


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
