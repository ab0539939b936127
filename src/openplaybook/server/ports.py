"""Both ports of a server, opened and drained together."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from socket import socket

from openplaybook.server.assembly import Assembly
from openplaybook.server.browsers import BrowserGuard
from openplaybook.server.errors import CannotBind
from openplaybook.server.grpc_keys import RequireKey
from openplaybook.server.http import HttpApp
from openplaybook.server.issuer_routes import IssuerRoutes
from openplaybook.server.keys import ApiKeys
from openplaybook.server.listening import DRAIN_S, HttpPort
from openplaybook.server.settings import Settings
from openplaybook.server.sockets import authority, bind, port_of, reachable_host
from openplaybook.wire.errors import AddressUnusable
from openplaybook.wire.grpc_server import GrpcServer
from openplaybook.wire.rest import RestApp


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where this machine reaches the server."""

    http: str
    """Base URL."""
    grpc: str
    """`host:port`; empty where gRPC is not served."""


@dataclass(frozen=True, slots=True)
class Entrance:
    """How a server is to be reached, and by whom."""

    settings: Settings
    listener: socket
    """For HTTP, bound already."""
    keys: ApiKeys | None
    with_grpc: bool
    is_draining: Callable[[], bool]


@asynccontextmanager
async def open_ports(assembly: Assembly, entrance: Entrance) -> AsyncGenerator[Addresses]:
    """The API is served inside the block; at its end both ports are closed at once and drained side by side.

    Raises `CannotBind` when the gRPC port cannot be had.
    """
    settings, grpc = entrance.settings, _grpc_server(assembly, entrance)
    grpc_port = await _started(grpc, settings) if entrance.with_grpc else 0
    api = RestApp(assembly.registry, max_body_bytes=settings.max_body_bytes)
    # A key is what a web page does not have; without one, its headers have to tell.
    doorkeeper = entrance.keys or BrowserGuard(host=settings.host, public_url=settings.public_url)
    http = HttpPort(
        HttpApp(
            api,
            assembly.metrics,
            doorkeeper=doorkeeper,
            is_draining=entrance.is_draining,
            issuer=IssuerRoutes(assembly.issuer),
        ),
        entrance.listener,
    )
    await http.open()
    try:
        yield Addresses(
            http=http_address(settings, entrance.listener),
            grpc=authority(reachable_host(settings.host), grpc_port) if grpc_port else "",
        )
    finally:
        assembly.registry.health.set_serving(False)
        await asyncio.gather(http.close(), grpc.stop(DRAIN_S))


def http_address(settings: Settings, listener: socket) -> str:
    """Base URL by which this machine reaches the server."""
    return f"http://{authority(reachable_host(settings.host), port_of(listener))}"


def _grpc_server(assembly: Assembly, entrance: Entrance) -> GrpcServer:
    settings = entrance.settings
    return GrpcServer(
        assembly.registry,
        address=authority(settings.host, settings.grpc_port),
        max_message_bytes=settings.max_body_bytes,
        interceptors=[RequireKey(entrance.keys)] if entrance.keys else [],
    )


async def _started(server: GrpcServer, settings: Settings) -> int:
    # Tried first on a socket of our own: gRPC would write lines of its own to standard error and not say why.
    bind(settings.host, settings.grpc_port, option="--grpc-port").close()
    try:
        return await server.start()
    except AddressUnusable as error:
        raise CannotBind(f"{error}; choose another --grpc-port, or 0 for a free one") from error
