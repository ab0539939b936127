"""A small HTTP/1.1 server on loopback, so that the peers cost little beside the system under test."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import cast

import httptools
import uvloop

from openplaybook.jsonvalues import JsonValue, dumps

STATS = "/stats"

Answer = Callable[[str, str, bytes], tuple[int, JsonValue]]
"""From method, path and body to status and JSON."""


@dataclass(slots=True)
class Stats:
    """What a peer was asked, apart from the requests for these figures."""

    requests: int = 0
    connections: int = 0


class _Connection(asyncio.Protocol):
    def __init__(self, answer: Answer, stats: Stats) -> None:
        self._answer = answer
        self._stats = stats
        self._parser = httptools.HttpRequestParser(self)
        self._path = b""
        self._body: list[bytes] = []
        self._is_counted = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_message_begin(self) -> None:
        self._path, self._body = b"", []

    def on_url(self, url: bytes) -> None:
        self._path += url

    def on_body(self, body: bytes) -> None:
        self._body.append(body)

    def on_message_complete(self) -> None:
        path = self._path.decode().partition("?")[0]
        if path == STATS:
            status, value = 200, asdict(self._stats)
        else:
            self._stats.requests += 1
            self._stats.connections += not self._is_counted
            self._is_counted = True
            status, value = self._answer(self._parser.get_method().decode(), path, b"".join(self._body))
        body = dumps(value)
        head = f"HTTP/1.1 {status} -\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self._transport.write(head.encode() + body)


def serve(answer: Answer) -> None:
    """Serve on the port that is the process' only argument, until it is ended."""

    async def run() -> None:
        stats = Stats()
        server = await asyncio.get_running_loop().create_server(
            lambda: _Connection(answer, stats), "127.0.0.1", int(sys.argv[1]), backlog=1024
        )
        await server.serve_forever()

    uvloop.run(run())
