"""Serving an ASGI app on a socket, in the running loop, ready and drained when we say so."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from math import ceil
from socket import socket
from ssl import SSLContext

import uvicorn
from starlette.types import ASGIApp

from openplaybook.server.bounded_http import BoundedHttp

_DRAIN_S = 25.0
_ACCEPTED_AT_ONCE = 16
"""Connections that one round of the loop takes. The loop takes one from each handle of a socket, and a round may take
milliseconds: with one handle, whoever comes behind a thousand silent connections would wait for seconds."""


class HttpPort:
    """An ASGI app on a listening socket."""

    def __init__(
        self, app: ASGIApp, listener: socket, *, tls: SSLContext | None = None, max_connections: int = 10_000
    ) -> None:
        self._tls = tls
        # The same socket, listened on so many times.
        self._handles = [listener, *(listener.dup() for _ in range(_ACCEPTED_AT_ONCE - 1))]
        self._config = uvicorn.Config(
            app,
            http=type("Http", (BoundedHttp,), {"max_connections": max_connections}),
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
        )
        self._server = uvicorn.Server(self._config)
        self._ticking: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Take requests; when this returns, they are answered."""
        self._config.load()
        self._config.ssl = self._tls
        # `Server.serve` would also take the signals and hide when it is ready; these are the steps it takes.
        self._server.lifespan = self._config.lifespan_class(self._config)
        await self._server.startup(sockets=self._handles)
        self._ticking = asyncio.create_task(self._server.main_loop())

    async def close(self, drain_s: float = _DRAIN_S) -> None:
        """Close the socket, finish requests under way (in at most `drain_s` seconds), and close kept connections."""
        if self._ticking is None:
            return
        # It only watches for `should_exit`, ten times a second: why wait for it to look.
        self._ticking.cancel()
        self._config.timeout_graceful_shutdown = ceil(drain_s)
        await self._server.shutdown(sockets=self._handles)


@asynccontextmanager
async def listening(app: ASGIApp, listener: socket) -> AsyncGenerator[None]:
    """`app` takes requests on `listener` inside the block."""
    port = HttpPort(app, listener)
    await port.open()
    try:
        yield
    finally:
        await port.close()
