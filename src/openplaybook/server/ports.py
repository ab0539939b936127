"""Both ports of a server, opened and drained together."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from socket import socket

from openplaybook.console.site import ConsoleSite
from openplaybook.credentials.session_tokens import SessionTokens
from openplaybook.jsonvalues import JsonObject
from openplaybook.server.access.console_sessions import ConsoleSessions
from openplaybook.server.access.entrance_guards import EntranceGuards
from openplaybook.server.access.gate import admit_current
from openplaybook.server.access.grpc_gate import GrpcGate
from openplaybook.server.access.refusals import Report, reporting
from openplaybook.server.access.session_callers import SessionCallers
from openplaybook.server.assembly import Assembly
from openplaybook.server.browser_guard import BrowserGuard
from openplaybook.server.drain import Drain
from openplaybook.server.errors import CannotBind
from openplaybook.server.http_app import HttpApp
from openplaybook.server.http_port import HttpPort
from openplaybook.server.public_pages import IssuerRoutes
from openplaybook.server.settings import Settings
from openplaybook.server.sockets import authority, bind, is_loopback, port_of, reachable_host
from openplaybook.wire.bytes_in_flight import BytesInFlight
from openplaybook.wire.errors import AddressUnusable
from openplaybook.wire.grpc_server import GrpcServer
from openplaybook.wire.rest import RestApp

OPEN_TO_ALL = (
    "This server can be reached from other machines and asks nobody who they are, so it shows no console. "
    "Start it with api_key_file or oidc_issuer, and the console asks for a key."
)


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where this machine reaches the server."""

    http: str
    """Base URL."""
    grpc: str
    """`host:port`; empty where gRPC is not served."""


@dataclass(frozen=True, slots=True)
class Entrance:
    """Where a server is to be reached, and by whom."""

    settings: Settings
    listener: socket
    """For HTTP, bound already."""
    guarding: EntranceGuards
    with_grpc: bool
    drain: Drain


@asynccontextmanager
async def open_ports(assembly: Assembly, entrance: Entrance) -> AsyncGenerator[Addresses]:
    """The API is served inside the block; at its end both ports are closed at once and drained side by side.

    Raises `CannotBind` when the gRPC port cannot be had.
    """
    settings, drain = entrance.settings, entrance.drain
    in_flight = BytesInFlight(max(settings.max_bytes_in_flight, settings.max_body_bytes))
    grpc = _grpc_server(assembly, entrance, in_flight)
    grpc_port = await _started(grpc, settings) if entrance.with_grpc else 0
    http = HttpPort(
        _http_app(assembly, entrance, in_flight),
        entrance.listener,
        tls=entrance.guarding.tls.context if entrance.guarding.tls else None,
        max_connections=settings.max_connections,
    )
    await http.open()
    try:
        yield Addresses(
            http=http_address(settings, entrance.listener),
            grpc=authority(reachable_host(settings.host), grpc_port) if grpc_port else "",
        )
    finally:
        assembly.registry.health.end()
        await asyncio.gather(drain.give(http.close), drain.give(grpc.stop))


def http_address(settings: Settings, listener: socket) -> str:
    """Base URL by which this machine reaches the server."""
    scheme = "http" if settings.tls_cert is None else "https"
    return f"{scheme}://{authority(reachable_host(settings.host), port_of(listener))}"


def _http_app(assembly: Assembly, entrance: Entrance, in_flight: BytesInFlight) -> HttpApp:
    settings, guarding = entrance.settings, entrance.guarding
    report = _report(assembly)
    admit = partial(admit_current, guarding.gate, report)

    async def details() -> JsonObject:
        return {"code_interpreter": await assembly.code.health()}

    return HttpApp(
        RestApp(assembly.registry, max_body_bytes=settings.max_body_bytes, admit=admit, in_flight=in_flight),
        assembly.metrics,
        # A key is what a web page does not have; without one, its headers have to tell.
        doorkeeper=guarding.authenticator
        or BrowserGuard(host=settings.host, public_url=settings.public_url, cors=guarding.cors),
        readiness=assembly.readiness,
        issuer=IssuerRoutes(assembly.issuer),
        console=ConsoleSite(closed="" if guarding.authenticator or is_loopback(settings.host) else OPEN_TO_ALL),
        sessions=guarding.authenticator
        and ConsoleSessions(
            assembly.sealer,
            guarding.authenticator.principal,
            login=guarding.login(assembly.sealer) if guarding.login else None,
            public_url=settings.public_url,
        ),
        pages=SessionCallers(SessionTokens(assembly.sealer)),
        cors=guarding.cors,
        proxies=guarding.proxies,
        report=report,
        details=details,
    )


def _report(assembly: Assembly) -> Report:
    return reporting(assembly.metrics, assembly.registry.api.methods)


def _grpc_server(assembly: Assembly, entrance: Entrance, in_flight: BytesInFlight) -> GrpcServer:
    settings, guarding = entrance.settings, entrance.guarding
    is_open = guarding.authenticator is None and not guarding.gate.is_limiting
    gate = GrpcGate(guarding.authenticator, guarding.gate, guarding.proxies, _report(assembly))
    return GrpcServer(
        assembly.registry,
        address=authority(settings.host, settings.grpc_port),
        max_message_bytes=min(settings.max_grpc_message_bytes, settings.max_body_bytes),
        interceptors=[] if is_open else [gate],
        credentials=guarding.tls.grpc_credentials() if guarding.tls else None,
        max_connections=settings.max_connections,
        in_flight=in_flight,
    )


async def _started(server: GrpcServer, settings: Settings) -> int:
    # Tried first on a socket of our own: gRPC would write lines of its own to standard error and not say why.
    bind(settings.host, settings.grpc_port, option="--grpc-port").close()
    try:
        return await server.start()
    except AddressUnusable as error:
        raise CannotBind(f"{error}; choose another --grpc-port, or 0 for a free one") from error
