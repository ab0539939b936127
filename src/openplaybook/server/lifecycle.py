"""A server from start to drain."""

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from importlib import import_module

import uvloop

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.resources.tool_kinds import register_when_asked
from openplaybook.server.access.entrance_guards import EntranceGuards, entrance_guards
from openplaybook.server.assembly import assemble
from openplaybook.server.drain import Drain
from openplaybook.server.errors import SettingsError
from openplaybook.server.masked_settings import files_of
from openplaybook.server.ports import Addresses, Entrance, http_address, open_ports
from openplaybook.server.process_memory import share_heaps, spared_collection, trimmed_memory
from openplaybook.server.settings import Settings, unknown_variables
from openplaybook.server.sockets import bind
from openplaybook.server.tls import ServerTls
from openplaybook.server.transports import LateTransport
from openplaybook.storage.data_directory import DataDirectory, ServerAddress
from openplaybook.telemetry.logs import configure_logging
from openplaybook.telemetry.own_paths import hide_own
from openplaybook.tools.kind_registry import register

_LOG = logging.getLogger("openplaybook.server")


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that takes requests."""

    settings: Settings
    address: ServerAddress
    """Where this machine reaches it, and how it is let in."""
    stop: Callable[[], None]
    """Tells it to drain and end; may be called from any thread, and more than once."""
    reload: Callable[[], None]
    """Reads certificate and key again; in the server's own thread."""

    @property
    def http(self) -> str:
        """Base URL by which this machine reaches it."""
        return self.address.http

    @property
    def grpc(self) -> str:
        """`host:port`; empty where gRPC is not served."""
        return self.address.grpc


READY = "READY=1"
STOPPING = "STOPPING=1"
"""States of sd_notify(3)."""

_SWITCH_S = 0.0001
"""How long a thread computes while the event loop wants to go on. Python's own 5 ms are waited for at each of the
dozens of steps of a turn, its statements of SQLite among them, as long as some description is read beside it."""

OnReady = Callable[[RunningServer], Awaitable[None]]
"""Told once, when requests are taken."""


def run(settings: Settings, on_ready: OnReady) -> None:
    """Serve until SIGTERM or SIGINT, then drain. Raises what keeps the server from starting."""

    async def body(drain: Drain) -> None:
        async with AsyncExitStack() as stack:

            async def ready(running: RunningServer) -> None:
                await stack.enter_async_context(spared_collection())
                await stack.enter_async_context(trimmed_memory())
                if settings.tls_cert is not None or not _is_at_terminal():
                    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, running.reload)
                await on_ready(running)
                tell_service_manager(READY)

            await serve(settings, ready, drain=drain)

    run_until_signal(body, settings)


def _is_at_terminal() -> bool:
    """Whether SIGHUP may mean that somebody closed the window that the server runs in, which is to end it."""
    return sys.stdin is not None and sys.stdin.isatty()


def run_until_signal(body: Callable[[Drain], Coroutine[None, None, None]], settings: Settings) -> None:
    """Run `body` on a fast loop; its drain begins with SIGTERM and SIGINT. A second signal ends it at once.

    The process is taken to be this server's: its logging is set up too.
    """
    configure_logging(settings.log_level, form=settings.log_format)
    for sentence in unknown_variables(os.environ):
        _LOG.warning("%s", sentence)
    sys.setswitchinterval(_SWITCH_S)
    share_heaps()

    async def main() -> None:
        drain = Drain(settings.drain_seconds)
        task = asyncio.create_task(body(drain))

        def signalled() -> None:
            if drain.is_begun:
                drain.hurry()
                task.cancel()
            else:
                tell_service_manager(STOPPING)
                drain.begin()

        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, signalled)
        try:
            await task
        except asyncio.CancelledError:
            _LOG.warning("ended without draining")

    uvloop.run(main())


async def serve(
    settings: Settings,
    on_ready: OnReady,
    *,
    drain: Drain | None = None,
    with_grpc: bool = True,
    local_services: Sequence[str] = (),
) -> None:
    """Serve in the running loop until `drain` begins or `RunningServer.stop` is called.

    `local_services` are origins on this machine that tools may call besides what the settings allow.
    Raises `ServerError`, `StoreUnusable` or `ModelNotConfigured` when it cannot start.
    """
    register_when_asked(register)
    drain = drain or Drain(settings.drain_seconds)
    directory = DataDirectory(settings.data_dir)
    hide_own(files_of(settings))
    async with AsyncExitStack() as stack:
        everywhere = LateTransport(AddressPolicy(parse_allow("0.0.0.0/0,::/0")))
        stack.push_async_callback(everywhere.aclose)
        guards = entrance_guards(settings, everywhere)
        directory.acquire()
        stack.callback(directory.release)
        if directory.staging.exists():
            # Few servers ever start after a restoration that was killed.
            from openplaybook.server.backups.restoration import finish_restoration

            finish_restoration(directory)
        listener = stack.enter_context(bind(settings.host, settings.port))
        issuer_url = settings.public_url or http_address(settings, listener)
        assembly = await stack.enter_async_context(assemble(settings, directory, local_services, issuer_url, drain))
        entrance = Entrance(settings, listener, guards, with_grpc, drain)
        addresses = await stack.enter_async_context(open_ports(assembly, entrance))
        assembly.info.reached_at(addresses.http, addresses.grpc)
        publish = partial(_publish, directory, addresses, guards)
        address = publish()
        _LOG.info("ready", extra={"http": address.http, "grpc": address.grpc})
        stop = _stopper(asyncio.get_running_loop(), drain)
        await on_ready(RunningServer(settings, address, stop, partial(_reload, guards.tls, publish)))
        # The first tool call would have to wait for it otherwise.
        warming = asyncio.create_task(asyncio.to_thread(import_module, "openplaybook.egress.http_transport"))
        await drain.begun()
        await warming
        _LOG.info("draining", extra={"delay_s": settings.drain_delay, "seconds": settings.drain_seconds})
        assembly.registry.health.set_serving(False)
        # Whoever balances servers is to see it and send no more, before connections are refused.
        await asyncio.sleep(settings.drain_delay)
        drain.start_clock()


def _publish(directory: DataDirectory, addresses: Addresses, guards: EntranceGuards) -> ServerAddress:
    return directory.publish(
        http=addresses.http,
        grpc=addresses.grpc,
        certificate=guards.tls.certificate.leaf if guards.tls else "",
        key=guards.authenticator.local_key if guards.authenticator else "",
    )


def _reload(tls: ServerTls | None, publish: Callable[[], ServerAddress]) -> None:
    if tls is None:
        return
    try:
        tls.reload()
    except SettingsError as error:
        _LOG.error("the certificate was not reloaded: %s", error)
        return
    publish()
    _LOG.info("certificate reloaded", extra={"expires": tls.certificate.expires.isoformat()})


def _stopper(loop: asyncio.AbstractEventLoop, drain: Drain) -> Callable[[], None]:
    def stop() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(drain.begin)

    return stop


def tell_service_manager(state: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send a state to the socket that `NOTIFY_SOCKET` names; nothing happens where there is none.

    Raises nothing: the server serves without it, too.
    """
    address = environment.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sending:
        try:
            # `@` stands for the zero byte of an abstract address.
            sending.sendto(state.encode(), f"\0{address[1:]}" if address.startswith("@") else address)
        except OSError:
            _LOG.warning("the service manager at %s does not listen", address)
