"""A server from start to drain."""

import asyncio
import gc
import logging
import signal
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib import import_module

import uvloop

from openplaybook.server.assembly import assemble
from openplaybook.server.keys import read_api_keys
from openplaybook.server.ports import Entrance, http_address, open_ports
from openplaybook.server.settings import Settings
from openplaybook.server.sockets import bind, check_exposure
from openplaybook.storage.lock import DataDirectory
from openplaybook.telemetry.logs import configure_logging

_LOG = logging.getLogger("openplaybook.server")


@dataclass(frozen=True, slots=True)
class Running:
    """A server that takes requests."""

    settings: Settings
    http: str
    """Base URL by which this machine reaches it."""
    grpc: str
    """`host:port`; empty where gRPC is not served."""
    stop: Callable[[], None]
    """Tells it to drain and end; may be called from any thread, and more than once."""


OnReady = Callable[[Running], Awaitable[None]]
"""Told once, when requests are taken."""


def run(settings: Settings, on_ready: OnReady) -> None:
    """Serve until SIGTERM or SIGINT, then drain. Raises what keeps the server from starting."""

    async def ready(running: Running) -> None:
        # All that is there by now stays. Looking it over for garbage takes 40 ms, in which no turn goes on.
        gc.freeze()
        await on_ready(running)

    run_until_signal(lambda stop: serve(settings, ready, stop=stop), log_level=settings.log_level)


def run_until_signal(body: Callable[[asyncio.Event], Coroutine[None, None, None]], *, log_level: str) -> None:
    """Run `body` on a fast loop; its event is set by SIGTERM and SIGINT. A second signal cancels it.

    The process is taken to be this server's: its logging is set up too.
    """
    configure_logging(log_level)

    async def main() -> None:
        stop = asyncio.Event()
        task = asyncio.create_task(body(stop))

        def signalled() -> None:
            task.cancel() if stop.is_set() else stop.set()

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
    stop: asyncio.Event | None = None,
    with_grpc: bool = True,
    local_services: Sequence[str] = (),
) -> None:
    """Serve in the running loop until `stop` is set or `Running.stop` called.

    `local_services` are origins on this machine that tools may call besides what the settings allow.
    Raises `ServerError`, `StoreUnusable` or `ModelNotConfigured` when it cannot start.
    """
    loop, stop = asyncio.get_running_loop(), stop or asyncio.Event()
    keys = read_api_keys(settings.api_key_file) if settings.api_key_file else None
    check_exposure(settings.host, has_keys=keys is not None, insecure=settings.insecure)
    directory = DataDirectory(settings.data_dir)
    async with AsyncExitStack() as stack:
        directory.acquire()
        stack.callback(directory.release)
        listener = stack.enter_context(bind(settings.host, settings.port))
        issuer_url = settings.public_url or http_address(settings, listener)
        assembly = await stack.enter_async_context(assemble(settings, directory, local_services, issuer_url))
        entrance = Entrance(settings, listener, keys, with_grpc, stop.is_set)
        addresses = await stack.enter_async_context(open_ports(assembly, entrance))
        directory.publish(http=addresses.http, grpc=addresses.grpc)
        _LOG.info("ready", extra={"http": addresses.http, "grpc": addresses.grpc})
        await on_ready(Running(settings, addresses.http, addresses.grpc, _stopper(loop, stop)))
        # The first tool call would have to wait for it otherwise.
        warming = asyncio.create_task(asyncio.to_thread(import_module, "openplaybook.egress.http"))
        await stop.wait()
        await warming
        _LOG.info("draining")


def _stopper(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> Callable[[], None]:
    def tell() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(stop.set)

    return tell
