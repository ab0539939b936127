"""RPCs as grpc.aio handlers.

Requests come as bytes and are parsed here: what cannot be read is the caller's error, not an internal one.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Never, TypeAlias, cast
from urllib.parse import quote

import grpc
import grpc.aio
from google.protobuf.message import DecodeError

from openplaybook.wire.api import Method
from openplaybook.wire.as_written import Doors
from openplaybook.wire.context import WARNING_HEADER, RpcContext, header_texts
from openplaybook.wire.delivery import told
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage, message_class
from openplaybook.wire.registry import Registry

STATUS_DETAILS = "grpc-status-details-bin"
"""Trailing metadata that carries a google.rpc.Status."""

_MAX_DETAILS = 2_000
"""Bytes of a google.rpc.Status that fit beside message and warnings into 8 kB of trailers; base64 adds a third."""

_MAX_MESSAGE = 2_000
"""Bytes of a message as it is sent, percent-encoded."""

_UNENCODED = " !\"#$&'()*+,/:;<=>?@[\\]^`{|}"
"""What stands for itself in `grpc-message` beside letters, digits and `_.-~` (gRPC over HTTP/2)."""

Handler: TypeAlias = "grpc.RpcMethodHandler[bytes, bytes]"
Call: TypeAlias = grpc.aio.ServicerContext[bytes, bytes]

_STATUS_CODES: Mapping[int, grpc.StatusCode] = {code.value[0]: code for code in grpc.StatusCode}


def unary(registry: Registry, method: Method) -> Handler:
    """One request, one answer."""
    request_class, doors = message_class(method.input), registry.api.doors

    async def serve(data: bytes, call: Call) -> bytes:
        context = _context(method, call)
        try:
            response = await registry.call(method, _parsed(doors, request_class, data), context)
        except RpcError as error:
            await _fail(call, error, context)
        _ended(call, context)
        return doors.write(response)

    return grpc.unary_unary_rpc_method_handler(serve)


def streaming(registry: Registry, method: Method) -> Handler:
    """One request, a stream of answers."""
    request_class, doors = message_class(method.input), registry.api.doors

    async def serve(data: bytes, call: Call) -> AsyncIterator[bytes]:
        context = _context(method, call)
        try:
            async for response in registry.call_streaming(method, _parsed(doors, request_class, data), context):
                yield doors.write(response)
        except RpcError as error:
            await _fail(call, error, context)
        _ended(call, context)

    return grpc.unary_stream_rpc_method_handler(serve)


def bidi(registry: Registry, method: Method) -> Handler:
    """Streams both ways."""
    request_class, doors = message_class(method.input), registry.api.doors

    async def serve(requests: AsyncIterator[bytes], call: Call) -> AsyncIterator[bytes]:
        context = _context(method, call)

        async def parsed() -> AsyncIterator[ApiMessage]:
            async for data in requests:
                yield _parsed(doors, request_class, data)

        try:
            async for response in registry.call_bidi(method, parsed(), context):
                yield doors.write(response)
        except RpcError as error:
            await _fail(call, error, context)
        _ended(call, context)

    return grpc.stream_stream_rpc_method_handler(serve)


def unknown(path: str) -> Handler:
    """A path that is no RPC of the API, whatever its streaming kind."""

    async def serve(requests: AsyncIterator[bytes], call: Call) -> AsyncIterator[bytes]:
        await call.abort(grpc.StatusCode.UNIMPLEMENTED, f"There is no RPC {path} in this API.")
        yield b""

    return grpc.stream_stream_rpc_method_handler(serve)


def refusing(error: RpcError) -> Handler:
    """What answers a call that is not admitted. As a stream it does so before anything is read, whatever the kind."""

    async def serve(requests: AsyncIterator[bytes], call: Call) -> AsyncIterator[bytes]:
        await refuse(call, error)
        yield b""

    return grpc.stream_stream_rpc_method_handler(serve)


async def refuse(call: Call, error: RpcError) -> Never:
    """Ends a call that is not admitted."""
    await _fail(call, error, RpcContext(method="", version="", transport="grpc"))


def _parsed(doors: Doors, request_class: type[ApiMessage], data: bytes) -> ApiMessage:
    try:
        return doors.read(request_class, data)
    except DecodeError as error:
        raise RpcError(Code.INVALID_ARGUMENT, f"The request is not a {request_class.DESCRIPTOR.full_name}.") from error


def _context(method: Method, call: Call) -> RpcContext:
    metadata = {key: value for key, value in call.invocation_metadata() or () if isinstance(value, str)}
    return RpcContext(
        method=method.full_name,
        version=method.version,
        transport="grpc",
        metadata=metadata,
        timeout_s=call.time_remaining(),
    )


def _ended(call: Call, context: RpcContext) -> None:
    """The handler has given its whole answer."""
    call.set_trailing_metadata(_warnings(context))
    if context.on_delivered:
        # The callback comes when the answer was handed to the connection. A client that had gone before would have
        # cancelled the handler.
        # The stubs ask for a class that does not exist.
        add = cast("Callable[[Callable[[Call], None]], None]", call.add_done_callback)
        add(lambda _: told(context))


def _warnings(context: RpcContext) -> list[tuple[str, str]]:
    return [(WARNING_HEADER, text) for text in header_texts(context.warnings)]


async def _fail(call: Call, error: RpcError, context: RpcContext) -> Never:
    trailing: list[tuple[str, str | bytes]] = [*_warnings(context)]
    status = error.to_status() if error.details else b""
    if 0 < len(status) <= _MAX_DETAILS:
        trailing.append((STATUS_DETAILS, status))
    await call.abort(_STATUS_CODES[error.code], _sendable(error.message), tuple(trailing))
    raise AssertionError("abort raises")


def _sendable(message: str) -> str:
    """A message that clients take: they end the call with an error of their own where trailers exceed 8 kB."""
    if len(quote(message, safe=_UNENCODED)) <= _MAX_MESSAGE:
        return message
    kept, size = 0, 0
    while size <= _MAX_MESSAGE:
        size += len(quote(message[kept], safe=_UNENCODED))
        kept += 1
    return f"{message[: kept - 1]}…"
