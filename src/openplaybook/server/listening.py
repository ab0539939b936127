"""Serving an ASGI app on a socket, in the running loop, ready and drained when we say so."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from socket import socket

import uvicorn
from starlette.types import ASGIApp

from openplaybook.server.connections import BoundedHttp

DRAIN_S = 25
"""Seconds that requests under way have left when the server is told to stop; orchestrators kill after 30."""


class HttpPort:
    """An ASGI app on a listening socket."""

    def __init__(self, app: ASGIApp, listener: socket) -> None:
        self._listener = listener
        self._config = uvicorn.Config(
            app,
            http=BoundedHttp,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=DRAIN_S,
        )
        self._server = uvicorn.Server(self._config)
        self._ticking: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Take requests; when this returns, they are answered."""
        self._config.load()
        # `Server.serve` would also take the signals and hide when it is ready; these are the steps it takes.
        self._server.lifespan = self._config.lifespan_class(self._config)
        await self._server.startup(sockets=[self._listener])
        self._ticking = asyncio.create_task(self._server.main_loop())

    async def close(self) -> None:
        """Close the socket, finish requests under way (at most `DRAIN_S`), and close kept connections."""
        if self._ticking is None:
            return
        # It only watches for `should_exit`, ten times a second: why wait for it to look.
        self._ticking.cancel()
        await self._server.shutdown(sockets=[self._listener])


@asynccontextmanager
async def listening(app: ASGIApp, listener: socket) -> AsyncGenerator[None]:
    """`app` takes requests on `listener` inside the block."""
    port = HttpPort(app, listener)
    await port.open()
    try:
        yield
    finally:
        await port.close()
