"""A server of the command's own, for the time it runs."""

import asyncio
import threading
from collections.abc import Coroutine, Generator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace

from openplaybook.jsonvalues import JsonObject
from openplaybook.server.lifecycle import RunningServer, serve
from openplaybook.server.settings import Settings

_ITS_OWN: JsonObject = {
    "host": "127.0.0.1",
    "port": 0,
    "tls_cert": None,
    "tls_key": None,
    "tls_passphrase_file": None,
    "api_key_file": None,
    "oidc_issuer": "",
    "oidc_audience": "",
    "oidc_role_map": "",
    "rate_limit": "",
    "rate_limit_turns": "",
    "cors_origins": "",
    "drain_delay": 0,
    "conversation_retention": None,
    "log_level": "warning",
}
"""Settings that are not for a server which nobody but its command knows of."""


class LocalServer:
    """A server on a free loopback port, in a thread with a loop of its own; REST only."""

    def __init__(self, settings: Settings) -> None:
        self._settings = replace(settings, **_ITS_OWN)
        self._ready: Future[RunningServer] = Future()

    @contextmanager
    def running(self) -> Generator[RunningServer, None, None]:
        """Start, hand out the address, and stop. Raises what keeps the server from starting."""
        thread = threading.Thread(target=self._run, name="openplaybook-server")
        thread.start()
        try:
            running = self._ready.result()
            try:
                yield running
            finally:
                running.stop()
        finally:
            thread.join()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            # Whoever waits for the server is told; after that nobody is there to hear.
            if self._ready.done():
                raise
            self._ready.set_exception(error)

    def _serve(self) -> Coroutine[None, None, None]:
        async def ready(running: RunningServer) -> None:
            self._ready.set_result(running)

        return serve(self._settings, ready, with_grpc=False)
