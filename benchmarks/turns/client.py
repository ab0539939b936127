"""A kept HTTP/1.1 connection to loopback, cheap beside the servers it measures."""

import asyncio
from typing import cast

import httptools

from openplaybook.jsonvalues import JsonValue, dumps, loads

_Answer = tuple[int, bytes]


class Connection(asyncio.Protocol):
    """One request at a time."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._waiter: asyncio.Future[_Answer] | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._body: list[bytes] = []

    @classmethod
    async def open(cls, port: int) -> "Connection":
        """A connection to a port of 127.0.0.1."""
        _, connection = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port)
        return connection

    @property
    def origin(self) -> str:
        """Of the server; `ConnectionError` when it has hung up."""
        if self._transport is None:
            raise ConnectionError("the server closed the connection")
        host, port = self._transport.get_extra_info("peername")
        return f"http://{host}:{port}"

    async def request(self, method: str, path: str, body: JsonValue = None) -> tuple[int, JsonValue]:
        """Status and parsed body of the answer. Raises `ConnectionError` when the server hangs up."""
        if self._transport is None:
            raise ConnectionError("the server closed the connection")
        payload = b"" if body is None else dumps(body)
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(payload)}\r\n\r\n"
        )
        self._waiter = asyncio.get_running_loop().create_future()
        self._transport.write(head.encode() + payload)
        status, answer = await self._waiter
        return status, _parsed(answer)

    async def must(self, method: str, path: str, body: JsonValue = None) -> JsonValue:
        """The answer of a request that has to succeed; `RuntimeError` when it does not."""
        status, answer = await self.request(method, path, body)
        if status != 200:
            raise RuntimeError(f"{method} {path} was answered {status}: {str(answer)[:300]}")
        return answer

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(exc or ConnectionError("the server closed the connection"))

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_body(self, body: bytes) -> None:
        self._body.append(body)

    def on_message_complete(self) -> None:
        body, self._body = b"".join(self._body), []
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result((self._parser.get_status_code(), body))


def _parsed(answer: bytes) -> JsonValue:
    try:
        return loads(answer)
    except ValueError:
        return answer.decode(errors="replace")
