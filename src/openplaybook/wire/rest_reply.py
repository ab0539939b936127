"""One HTTP reply."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from starlette.types import Send

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.wire.context import WARNING_HEADER, header_texts
from openplaybook.wire.errors import RpcError, http_status

_JSON = (b"content-type", b"application/json; charset=UTF-8")
_EVENTS = (b"content-type", b"text/event-stream; charset=UTF-8")
_NO_SNIFF = (b"x-content-type-options", b"nosniff")


class Reply:
    """Sends a whole answer, or the items of a stream as a JSON array."""

    def __init__(self, send: Send, *, without_body: bool) -> None:
        self._send = send
        self._without_body = without_body
        self._streaming = False
        self.as_events = False
        """A stream as server-sent events (the HTML standard, §9.2) rather than as a JSON array."""
        self.warnings: Sequence[str] = ()
        """What to tell the client in `x-openplaybook-warning` headers."""

    async def json(self, status: int, value: JsonObject, headers: Mapping[str, str] = MappingProxyType({})) -> None:
        """Sends one JSON object."""
        await self.written(status, dumps(value), headers)

    async def written(self, status: int, body: bytes, headers: Mapping[str, str] = MappingProxyType({})) -> None:
        """Sends one JSON object that is written already."""
        await self._start(status, [(b"content-length", str(len(body)).encode("ascii")), *_encoded(headers)])
        await self._send({"type": "http.response.body", "body": b"" if self._without_body else body})

    async def error(self, error: RpcError, *, status: int | None = None) -> None:
        """Sends an error; where items were sent already, it becomes the last of them and ends the array."""
        if self._streaming:
            await self.item(dumps(error.to_json()))
            await self.end()
        else:
            shown = http_status(error.code) if status is None else status
            await self.json(shown, error.to_json(status), error.headers)

    async def item(self, value: bytes) -> None:
        """Sends one more item of a stream, written already."""
        if self.as_events:
            await self._chunk(b"data: ", value + b"\r\n\r\n")
        else:
            await self._chunk(b",\n" if self._streaming else b"[", value)

    async def end(self) -> None:
        """Ends a stream."""
        if not self._streaming:
            await self._chunk(b"" if self.as_events else b"[", b"")
        is_over = self._without_body or self.as_events
        await self._send({"type": "http.response.body", "body": b"" if is_over else b"]"})

    async def empty(self, status: int, headers: Mapping[str, str]) -> None:
        """Sends headers only."""
        await self._start(status, _encoded(headers))
        await self._send({"type": "http.response.body", "body": b""})

    async def _chunk(self, before: bytes, item: bytes) -> None:
        if not self._streaming:
            self._streaming = True
            await self._start(200, [])
        body = b"" if self._without_body else before + item
        await self._send({"type": "http.response.body", "body": body, "more_body": True})

    async def _start(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        headers += [_EVENTS if self._streaming and self.as_events else _JSON, _NO_SNIFF]
        headers += [(WARNING_HEADER.encode("ascii"), text.encode("ascii")) for text in header_texts(self.warnings)]
        await self._send({"type": "http.response.start", "status": status, "headers": headers})


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode("ascii"), value.encode("ascii")) for name, value in headers.items()]
