"""The REST front door: an ASGI application made from the API's HTTP rules.

It answers as Google's servers do: errors are google.rpc statuses in JSON, an unknown path is NOT_FOUND, a stream is a
JSON array.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing, nullcontext
from typing import TypeVar
from urllib.parse import quote

from starlette.types import Receive, Scope, Send

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.api import Method
from openplaybook.wire.bytes_in_flight import MESSAGE_AT_ONCE, BytesInFlight, Reservation
from openplaybook.wire.codec import JsonError
from openplaybook.wire.context import RpcContext, deadline_exceeded, timeout_of
from openplaybook.wire.errors import Code, RpcError, internal_error
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry
from openplaybook.wire.rest_reply import AnswerForm, RestReply, answer_form, tell_delivered
from openplaybook.wire.rest_request import BodyRefused, Disconnected, RestBody, parse_query, read_request
from openplaybook.wire.router import RouteMatch, Router

T = TypeVar("T")

_UNTIMED = nullcontext()


class RestApp:
    """Serves every RPC that has an HTTP rule. Content types of requests are not looked at: a body is JSON."""

    def __init__(
        self,
        registry: Registry,
        *,
        max_body_bytes: int,
        admit: Callable[[Method], None] = lambda method: None,
        in_flight: BytesInFlight | None = None,
    ) -> None:
        """`admit` is asked before a request's body is read; it raises `RpcError` to refuse. `max_body_bytes` is the
        ceiling of all limits; `in_flight` is shared with other ports."""
        self._registry = registry
        self._in_flight = in_flight or BytesInFlight()
        self._admit = admit
        self._codec = registry.api.codec
        self._max_body_bytes = max_body_bytes
        self._router = Router(registry.api.methods.values())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one HTTP request; other connections are refused with `ValueError`."""
        if scope["type"] != "http":
            raise ValueError(f"the API is served over HTTP, not {scope['type']}")
        reply = RestReply(send, without_body=scope["method"] == "HEAD")
        try:
            await self._answer(scope, receive, reply)
        except Disconnected:
            return
        except BodyRefused as error:
            await reply.error(error, status=error.http_status)
        except RpcError as error:
            await reply.error(error)
        except Exception as error:  # noqa: BLE001 - the edge: a fault of ours is logged and answered as INTERNAL
            await reply.error(internal_error(f"{scope['method']} {scope['path']}", error))

    async def _answer(self, scope: Scope, receive: Receive, reply: RestReply) -> None:
        path = _path(scope)
        verb = _verb(scope)
        match = self._router.match(verb, path)
        if match is None:
            await self._without_route(verb, path, reply)
            return
        self._admit(match.route.method)
        room = self._in_flight.reserve(caller=_caller(scope))
        try:
            await self._answer_match(match, scope, receive, reply, room)
        finally:
            room.release()

    async def _answer_match(
        self, match: RouteMatch, scope: Scope, receive: Receive, reply: RestReply, room: Reservation
    ) -> None:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        method = match.route.method
        most = self._registry.limits(method).body
        most = min(most or self._max_body_bytes, self._max_body_bytes)
        arriving = RestBody(headers, most, room, self._registry.aside)
        await arriving.arrive(receive)
        requested = timeout_of(headers)
        begun = asyncio.get_running_loop().time()
        seconds = self._registry.limits(method).allowed_s(requested)
        try:
            # A small one is read at once: there is nothing that a clock could interrupt.
            async with asyncio.timeout(seconds) if arriving.takes_time else _UNTIMED:
                body = await arriving.plain()
                parameters, in_body = _parameters(scope, headers, body)
                form = _form(parameters, headers, method)
                request, sent = await self._read(match, b"" if in_body else body, parameters)
        except TimeoutError as error:
            raise deadline_exceeded(seconds or 0.0, requested) from error
        size = len(body)
        # A handler may take a while, and a body be large.
        del body
        context = RpcContext(
            method=method.full_name,
            version=method.version or match.route.version,
            transport="rest",
            metadata=headers,
            timeout_s=requested,
            spent_s=asyncio.get_running_loop().time() - begun,
            sent_fields=sent,
            request_bytes=size,
            room=room,
        )
        reply.warnings = context.warnings
        if method.server_streaming:
            await self._stream(match, request, context, reply, form)
        else:
            response = await self._registry.call(method, request, context)
            del request
            body, how = await self._written(form.whole, response, context, form)
            await reply.written(200, body, how)
        await tell_delivered(scope, context)

    async def _read(
        self, match: RouteMatch, body: bytes | bytearray, parameters: Sequence[tuple[str, str]]
    ) -> tuple[ApiMessage, frozenset[str]]:
        if len(body) <= MESSAGE_AT_ONCE:
            return read_request(self._codec, match, body, parameters)

        def read() -> tuple[ApiMessage, frozenset[str]]:
            request, sent = read_request(self._codec, match, body, parameters)
            return self._registry.taken(match.route.method, request), sent

        return await self._registry.aside(read, len(body))

    async def _written(
        self, form: Callable[[JsonObject], T], response: ApiMessage, context: RpcContext, wished: AnswerForm
    ) -> T:
        def write() -> T:
            return form(self._codec.for_client(response, enums_as_ints=wished.enums_as_ints))

        return (
            write()
            if context.answer_bytes <= MESSAGE_AT_ONCE
            else await self._registry.aside(write, context.answer_bytes)
        )

    async def _stream(
        self, match: RouteMatch, request: ApiMessage, context: RpcContext, reply: RestReply, form: AnswerForm
    ) -> None:
        """Writes a stream as it comes. An error before the first answer is the reply; a later one ends the array."""
        reply.as_events = form.as_events

        async def written() -> AsyncGenerator[bytes]:
            async with aclosing(self._registry.call_streaming(match.route.method, request, context)) as responses:
                async for response in responses:
                    yield await self._written(form.item, response, context, form)

        async with aclosing(written()) as items:
            async for item in items:
                await reply.item(item)
        await reply.end()

    async def _without_route(self, verb: str, path: str, reply: RestReply) -> None:
        allowed = self._router.allowed(path)
        if allowed and verb == "OPTIONS":
            await reply.empty(204, {"allow": ", ".join([*allowed, "OPTIONS"])})
            return
        hint = f" It takes {', '.join(allowed)}." if allowed else ""
        raise RpcError(Code.NOT_FOUND, f"There is no RPC at {verb} {path}.{hint}")


def _path(scope: Scope) -> str:
    """The path as it was sent, below the prefix that the application is mounted under."""
    raw: bytes = scope.get("raw_path") or quote(scope["path"]).encode("ascii")
    return raw.partition(b"?")[0].decode("latin-1").removeprefix(quote(scope.get("root_path", "")))


def _caller(scope: Scope) -> str:
    """The connection, as far as the server says whose it is."""
    host, port = scope.get("client") or ("", 0)
    return f"{host}:{port}"


def _verb(scope: Scope) -> str:
    """The method that is meant: proxies that let only GET and POST through have another one in a header."""
    sent: str = scope["method"]
    if sent == "HEAD":
        return "GET"
    if sent != "POST":
        return sent
    meant = [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == _OVERRIDE]
    if meant and meant[0].upper() not in _VERBS:
        raise RpcError(Code.INVALID_ARGUMENT, f"X-HTTP-Method-Override must be one of {', '.join(_VERBS)}.")
    return meant[0].upper() if meant else sent


_OVERRIDE = b"x-http-method-override"
_VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_FORM = "application/x-www-form-urlencoded"


def _parameters(
    scope: Scope, headers: Mapping[str, str], body: bytes | bytearray
) -> tuple[Sequence[tuple[str, str]], bool]:
    """Those of the query, and of a form in the body, which a GET may have that is sent as a POST because it is long;
    and whether the body was one."""
    is_form = headers.get("content-type", "").partition(";")[0].strip().lower() == _FORM
    in_body = is_form and scope["method"] == "POST" and _verb(scope) == "GET"
    try:
        return [*parse_query(scope["query_string"]), *(parse_query(bytes(body)) if in_body else ())], in_body
    except JsonError as error:
        raise RpcError(Code.INVALID_ARGUMENT, error.message) from error


def _form(parameters: Sequence[tuple[str, str]], headers: Mapping[str, str], method: Method) -> AnswerForm:
    try:
        return answer_form(parameters, headers, method.output, is_stream=method.server_streaming)
    except JsonError as error:
        raise RpcError(Code.INVALID_ARGUMENT, f"Invalid system parameter: {error.message}.") from error
