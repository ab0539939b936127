"""The service: answers the two requests that are right, and refuses all others. Port: the process' only argument."""

import asyncio
import sys
from typing import cast

import httptools
import uvloop

from benchmarks.openapi_call.pets import ANSWER, PET, TARGET
from openplaybook.jsonvalues import dumps, loads

_BODY = dumps(ANSWER)
_RIGHT = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(_BODY), _BODY)
_WRONG = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"


class _Connection(asyncio.Protocol):
    def __init__(self) -> None:
        self._parser = httptools.HttpRequestParser(self)
        self._target, self._body = b"", b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_message_begin(self) -> None:
        self._target, self._body = b"", b""

    def on_url(self, url: bytes) -> None:
        self._target += url

    def on_body(self, body: bytes) -> None:
        self._body += body

    def on_message_complete(self) -> None:
        is_get = self._parser.get_method() == b"GET" and self._target.decode() == TARGET
        self._transport.write(_RIGHT if is_get or self._is_post() else _WRONG)

    def _is_post(self) -> bool:
        return self._parser.get_method() == b"POST" and self._target == b"/v1/pets" and loads(self._body) == PET


async def _run(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(_Connection, "127.0.0.1", port, backlog=1024)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(_run(int(sys.argv[1])))
