"""One HTTP reply, how its client wants it to look, and whether it was delivered.

The form follows the parameters that every Google API takes beside its own, as documented
(https://cloud.google.com/apis/docs/system-parameters): `alt`, `fields` and `prettyPrint`, each also with `$` before it,
and the header `X-Goog-FieldMask`, which is `fields`; and `Accept-Encoding: gzip` (RFC 9110 §12.5.3).
"""

import gzip
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from google.protobuf.descriptor import Descriptor
from starlette.types import Scope, Send

from openplaybook.jsonvalues import JsonObject, dumps, dumps_indented
from openplaybook.wire.codec import JsonError
from openplaybook.wire.context import WARNING_HEADER, RpcContext, header_texts
from openplaybook.wire.errors import RpcError, http_status
from openplaybook.wire.field_selection import FieldSelection

_FIELDS_HEADER = "x-goog-fieldmask"
_WORTH = 1_400
"""Bytes above which an answer is compressed: fewer fit into one packet as they are."""
_LEVEL = 5


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """What a client asked for."""

    enums_as_ints: bool = False
    is_indented: bool = False
    as_events: bool = False
    """A stream as server-sent events rather than as a JSON array."""
    may_be_gzip: bool = False
    selection: FieldSelection | None = None
    """The fields that it wants; None: all."""

    def whole(self, value: JsonObject) -> tuple[bytes, Mapping[str, str]]:
        """An answer as it is sent, and the headers that say how."""
        written = self.item(value)
        if not self.may_be_gzip or len(written) < _WORTH:
            return written, _VARIES
        return gzip.compress(written, _LEVEL, mtime=0), _COMPRESSED

    def item(self, value: JsonObject) -> bytes:
        """One of a stream's answers."""
        if self.selection is not None:
            value = self.selection.of(value)
        return dumps_indented(value).encode() if self.is_indented and not self.as_events else dumps(value)


_USUAL, _USUAL_AS_GZIP = AnswerForm(), AnswerForm(may_be_gzip=True)
"""What nearly all ask for."""

_VARIES = {"Vary": "Accept-Encoding"}
_COMPRESSED = {"Content-Encoding": "gzip", **_VARIES}


def answer_form(
    parameters: Sequence[tuple[str, str]], headers: Mapping[str, str], answer: Descriptor, *, is_stream: bool
) -> AnswerForm:
    """What the parameters of a request, and its headers, whose names are in lower case, ask of its `answer`.

    Raises `JsonError` for what is not served, or not understood.
    """
    if not parameters and _FIELDS_HEADER not in headers:
        return _USUAL_AS_GZIP if _takes_gzip(headers.get("accept-encoding", "")) else _USUAL
    given = {name.removeprefix("$"): value for name, value in parameters if name.removeprefix("$") in _OURS}
    kind, *options = given.get("alt", "json").split(";")
    if kind not in ("json", "sse") or (kind == "sse" and not is_stream):
        raise JsonError(f"alt: {kind[:100]!r} is not served; it takes json, and sse for an RPC that streams")
    for option in options:
        if option not in _ENCODINGS:
            raise JsonError(f"alt: {option[:100]!r} is not known; it takes {' or '.join(_ENCODINGS)}")
    fields = given.get("fields", headers.get(_FIELDS_HEADER, ""))
    return AnswerForm(
        enums_as_ints=_AS_INTS in options,
        is_indented=_truth("prettyPrint", given.get("prettyPrint", "false")),
        as_events=kind == "sse",
        may_be_gzip=_takes_gzip(headers.get("accept-encoding", "")),
        selection=FieldSelection.read(fields, answer) if fields else None,
    )


_OURS = ("alt", "fields", "prettyPrint")
_AS_INTS = "enum-encoding=int"
_ENCODINGS = (_AS_INTS, "enum-encoding=string")


def _truth(name: str, text: str) -> bool:
    if text not in ("true", "false", "1", "0"):
        raise JsonError(f"{name}: true or false is expected, not {text[:100]!r}")
    return text in ("true", "1")


def _takes_gzip(accepted: str) -> bool:
    for each in accepted.lower().split(","):
        coding, _, weight = each.partition(";")
        if coding.strip() in ("gzip", "x-gzip"):
            return weight.replace(" ", "").rstrip("0").rstrip(".") not in ("q=", "q=0")
    return False


_JSON = (b"content-type", b"application/json; charset=UTF-8")
_EVENTS = (b"content-type", b"text/event-stream; charset=UTF-8")
_NO_SNIFF = (b"x-content-type-options", b"nosniff")


class RestReply:
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


EXTENSION = "openplaybook.delivery"
"""Of a request's scope. ASGI does not say whether an answer reached a connection that still stood: servers take what is
sent to one that is gone, and drop it. Ours says it by this; of others, every answer counts as delivered."""
IS_DELIVERED = "is_delivered"
"""Key of the `Delivery` in the extension."""

Delivery: TypeAlias = Callable[[], Awaitable[bool]]
"""To be asked when the whole answer was sent: whether it left for a connection that still stood."""


async def tell_delivered(scope: Scope, context: RpcContext) -> None:
    """Tell those who asked, if the answer that was sent has left."""
    if not context.on_delivered:
        return
    is_delivered: Delivery | None = scope.get("extensions", {}).get(EXTENSION, {}).get(IS_DELIVERED)
    if is_delivered is None or await is_delivered():
        context.delivered()
