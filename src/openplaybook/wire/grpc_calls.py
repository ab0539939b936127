"""RPCs as grpc.aio handlers.

Requests come as bytes and are parsed here: what cannot be read is the caller's error, not an internal one. How many
values a large message has is counted before anything is built of it.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing, suppress
from typing import Never, TypeAlias, cast
from urllib.parse import quote

import grpc
import grpc.aio
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import DecodeError

from openplaybook.wire.api import Method
from openplaybook.wire.bytes_in_flight import MESSAGE_AT_ONCE, Inflation, Reservation, compression_of
from openplaybook.wire.codec.json_parser import MAX_VALUES
from openplaybook.wire.context import WARNING_HEADER, RpcContext, deadline_exceeded, header_texts
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.grpc_arrival import Arrivals, Call, MessageStream
from openplaybook.wire.messages import ApiMessage, Doors, message_class
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

_STATUS_CODES: Mapping[int, grpc.StatusCode] = {code.value[0]: code for code in grpc.StatusCode}


class GrpcCalls:
    """Makes the handlers of one port.

    All of them read their requests themselves, as streams do: a limit is there before anything is read.
    """

    def __init__(self, registry: Registry, arrivals: Arrivals) -> None:
        self._registry = registry
        self._arrivals = arrivals

    def handler(self, method: Method) -> Handler:
        """The handler of an RPC."""
        if method.client_streaming:
            return self._bidi(method)
        return self._streaming(method) if method.server_streaming else self._unary(method)

    def _unary(self, method: Method) -> Handler:
        """One request, one answer."""

        async def serve(requests: AsyncIterator[bytes], call: Call) -> bytes:
            context = _context(method, call)
            try:
                answer = await self._answer(method, call, context)
            except RpcError as error:
                failure = _bare(error)
            else:
                _ended(call, context)
                return answer
            await _fail(call, failure, context)

        return grpc.stream_unary_rpc_method_handler(serve)

    async def _answer(self, method: Method, call: Call, context: RpcContext) -> bytes:
        try:
            response = await self._registry.call(method, await self._request(method, call, context), context)
            return await self._written(response, context)
        finally:
            _release(context)

    def _streaming(self, method: Method) -> Handler:
        """One request, a stream of answers."""

        async def serve(requests: AsyncIterator[bytes], call: Call) -> AsyncIterator[bytes]:
            context = _context(method, call)
            try:
                async with aclosing(self._answers(method, call, context)) as answers:
                    async for answer in answers:
                        yield answer
            except RpcError as error:
                failure = _bare(error)
            else:
                _ended(call, context)
                return
            await _fail(call, failure, context)

        return grpc.stream_stream_rpc_method_handler(serve)

    async def _answers(self, method: Method, call: Call, context: RpcContext) -> AsyncGenerator[bytes]:
        try:
            request = await self._request(method, call, context)
            async with aclosing(self._registry.call_streaming(method, request, context)) as responses:
                async for response in responses:
                    yield await self._written(response, context)
        finally:
            _release(context)

    def _bidi(self, method: Method) -> Handler:
        """Streams both ways."""

        async def serve(requests: AsyncIterator[bytes], call: Call) -> AsyncIterator[bytes]:
            context = _context(method, call)
            try:
                with self._arrivals.streams.opened(call) as stream:
                    messages = self._requests(method, stream, call, context)
                    async with aclosing(self._registry.call_bidi(method, messages, context)) as responses:
                        async for response in responses:
                            yield await self._written(response, context)
            except RpcError as error:
                failure = _bare(error)
            else:
                _ended(call, context)
                return
            finally:
                _release(context)
            await _fail(call, failure, context)

        return grpc.stream_stream_rpc_method_handler(serve)

    async def _requests(
        self, method: Method, stream: MessageStream, call: Call, context: RpcContext
    ) -> AsyncIterator[ApiMessage]:
        while (sent := await stream.message()) is not None:
            yield await self._taken(method, sent, call, context)
            _release(context)

    async def _request(self, method: Method, call: Call, context: RpcContext) -> ApiMessage:
        """The one request of a call."""
        sent = await self._arrivals.message(call, _cut)
        if sent is None:
            raise RpcError(Code.INVALID_ARGUMENT, "The call has no request.")
        seconds = self._registry.limits(method).allowed_s(context.timeout_s)
        begun = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(seconds):
                request = await self._taken(method, sent, call, context)
        except TimeoutError as error:
            raise deadline_exceeded(seconds or 0.0, context.timeout_s) from error
        context.spent_s = asyncio.get_running_loop().time() - begun
        return request

    async def _taken(self, method: Method, sent: bytes, call: Call, context: RpcContext) -> ApiMessage:
        """A message that has come, whose room has to be released."""
        context.room = self._arrivals.in_flight.reserve(caller=call.peer())
        data = await self._inflated(method, sent, context.room)
        context.request_bytes = max(context.request_bytes, len(data))
        return await self._parsed(method, data)

    async def _inflated(self, method: Method, sent: bytes, room: Reservation) -> bytes:
        """A message as it was before it was compressed, within the limit of its RPC; its room is taken."""
        ours = self._registry.limits(method).body or self._arrivals.max_message_bytes
        most = min(ours, self._arrivals.max_message_bytes)

        def check_size(size: int) -> None:
            if size > most:
                raise RpcError(Code.INVALID_ARGUMENT, f"Request payload size exceeds the limit: {most} bytes.")

        kind = compression_of(sent)
        if kind is None:
            check_size(len(sent))
        room.grow(len(sent))
        if kind is None:
            return sent
        return await Inflation("message", kind, room, self._registry.aside).plain(sent, check_size)

    async def _parsed(self, method: Method, data: bytes) -> ApiMessage:
        doors = self._registry.api.doors
        if len(data) <= MESSAGE_AT_ONCE:
            return _parsed(doors, message_class(method.input), data)

        def read() -> ApiMessage:
            check_shape(data, method.input)
            return self._registry.taken(method, _parsed(doors, message_class(method.input), data))

        return await self._registry.aside(read, len(data))

    async def _written(self, response: ApiMessage, context: RpcContext) -> bytes:
        doors = self._registry.api.doors
        if context.answer_bytes <= MESSAGE_AT_ONCE:
            return doors.write(response)
        return await self._registry.aside(lambda: doors.write(response), context.answer_bytes)


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
        add(lambda _: context.delivered())


def _warnings(context: RpcContext) -> list[tuple[str, str]]:
    return [(WARNING_HEADER, text) for text in header_texts(context.warnings)]


def _release(context: RpcContext) -> None:
    if context.room is not None:
        context.room.release()
        context.room = None


async def _cut(call: Call, error: RpcError) -> None:
    """Ends a call from outside, while its handler waits for its request."""
    with suppress(grpc.aio.AbortError):
        await refuse(call, error)


def _bare(error: RpcError) -> RpcError:
    """An error without the way that it came: gRPC keeps how a call was aborted until the collector comes by, and what
    all functions on that way held with it, the request above all."""
    error.__traceback__ = error.__context__ = error.__cause__ = None
    return error


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
    characters, size = 0, 0
    while size <= _MAX_MESSAGE:
        size += len(quote(message[characters], safe=_UNENCODED))
        characters += 1
    return f"{message[: characters - 1]}…"


_WIDTHS = {1: 8, 5: 4}
"""Bytes of a value, by wire type, where all have as many."""
_VARINT, _DELIMITED = 0, 2


def check_shape(data: bytes, descriptor: Descriptor) -> None:
    """Count the values of a message, those of messages within it too. INVALID_ARGUMENT for more than `MAX_VALUES`.

    What is no message passes, and fails where it is read."""
    try:
        _count(data, descriptor)
    except IndexError:
        return


def _count(data: bytes, descriptor: Descriptor) -> None:
    values = 0
    parts: list[tuple[Descriptor, int, int]] = [(descriptor, 0, len(data))]
    while parts:
        kind, at, end = parts.pop()
        while at < end:
            tag, at = _varint(data, at)
            values += 1
            wire_type, field = tag & 7, kind.fields_by_number.get(tag >> 3)
            if wire_type == _VARINT:
                _, at = _varint(data, at)
            elif wire_type in _WIDTHS:
                at += _WIDTHS[wire_type]
            elif wire_type == _DELIMITED:
                length, at = _varint(data, at)
                if field is not None and field.message_type is not None:
                    parts.append((field.message_type, at, min(at + length, end)))
                elif field is not None and _is_packed(field):
                    values += length
                at += length
            else:
                return  # a group: no message of the API has any
            if values > MAX_VALUES:
                raise RpcError(Code.INVALID_ARGUMENT, f"The request has more than {MAX_VALUES:,} values.")


def _is_packed(field: FieldDescriptor) -> bool:
    """Whether bytes under the field's number are many numbers, of one byte at least."""
    return field.type not in (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number and where it ends; `IndexError` beyond the end."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
        if shift > 63:
            raise IndexError
