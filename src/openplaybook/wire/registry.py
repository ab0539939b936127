"""Which handler answers which RPC. Both transports call through here.

A handler registered for a beta RPC answers the stable one as well: it always sees beta messages. Handlers of unary
RPCs run to their end even when the client is gone, so that a turn that began is finished and its answer kept; a stream
is closed when its client goes. No answer comes later than the limits of its RPC say, nor than its caller waits.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeAlias, cast

from google.protobuf.descriptor import Descriptor

from openplaybook.wire.api import Api, Method, OperationVersions, beta_name, converted
from openplaybook.wire.bytes_in_flight import MESSAGE_AT_ONCE, Aside, at_once
from openplaybook.wire.context import Limits, RpcContext, RpcLimit, deadline_exceeded, unlimited
from openplaybook.wire.errors import Code, RpcError, internal_error
from openplaybook.wire.health import CHECK, WATCH, Health
from openplaybook.wire.messages import ApiMessage, message_class

UnaryHandler: TypeAlias = Callable[[ApiMessage, RpcContext], Awaitable[ApiMessage]]
"""Answers one request; raises `RpcError` for what the caller is to know."""

StreamingHandler: TypeAlias = Callable[[ApiMessage, RpcContext], AsyncIterator[ApiMessage]]
"""Answers one request with a stream."""

BidiHandler: TypeAlias = Callable[[AsyncIterator[ApiMessage], RpcContext], AsyncIterator[ApiMessage]]
"""Answers a stream with a stream."""

Handler: TypeAlias = UnaryHandler | StreamingHandler | BidiHandler


@dataclass(frozen=True, slots=True)
class _Endpoint:
    method: Method
    handler: Handler
    request: type[ApiMessage] | None
    """What the handler takes where that is another class than the client sends."""
    response: Descriptor
    """What the handler gives."""
    converted_to: type[ApiMessage] | None
    """What the client gets where that is another class."""
    limit: RpcLimit


_LATE = "late"

LATE_S = 0.5
"""What a handler that ends by its own rules has beyond its time, to say so itself."""


class Registry:
    """The RPCs that this server implements."""

    def __init__(self, api: Api, limits: Limits = unlimited, aside: Aside = at_once) -> None:
        """`aside` is where work on large messages is done."""
        self.api = api
        self.limits = limits
        self.aside = aside
        self.operations = OperationVersions(api)
        """Restates operations for clients of another version; services that keep operations need it for gRPC, where a
        poll does not say which version it speaks."""
        self.health = Health(api)
        """The health that gRPC probes ask for."""
        self._handlers: dict[str, Handler] = {}
        self._endpoints: dict[str, _Endpoint] = {}
        self._running: set[asyncio.Task[ApiMessage]] = set()
        self.unary(CHECK, self.health.check)
        self.server_streaming(WATCH, self.health.watch)

    def unary(self, method: str, handler: UnaryHandler) -> None:
        """Registers the handler of a unary RPC by its full name, with dots throughout.

        `KeyError` for an RPC that the API lacks, `ValueError` for one of another kind or registered already."""
        self._add(method, handler, client_streaming=False, server_streaming=False)

    def server_streaming(self, method: str, handler: StreamingHandler) -> None:
        """Registers the handler of an RPC that answers with a stream; errors as for `unary`."""
        self._add(method, handler, client_streaming=False, server_streaming=True)

    def stream(self, method: str, handler: BidiHandler) -> None:
        """Registers the handler of an RPC with streams both ways; errors as for `unary`."""
        self._add(method, handler, client_streaming=True, server_streaming=True)

    def _add(self, name: str, handler: Handler, *, client_streaming: bool, server_streaming: bool) -> None:
        method = self.api.methods[name]
        if (method.client_streaming, method.server_streaming) != (client_streaming, server_streaming):
            raise ValueError(f"{name} streams in another way than its handler")
        if name in self._handlers:
            raise ValueError(f"{name} has a handler already")
        self._handlers[name] = handler
        self._endpoints.clear()

    def taken(self, method: Method, request: ApiMessage) -> ApiMessage:
        """A request as the handler of an RPC takes it: where that is of another version, another message."""
        return _as(request, self._endpoint(method).request)

    async def call(self, method: Method, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Answers a unary RPC. Every failure is an `RpcError`: UNIMPLEMENTED without a handler, INTERNAL with an id
        that the log knows for a fault of ours."""
        endpoint = self._endpoint(method)
        handler = cast(UnaryHandler, endpoint.handler)
        task = asyncio.create_task(_guarded(handler, _as(request, endpoint.request), context, method))
        self._running.add(task)
        task.add_done_callback(self._finished)
        del request
        try:
            response = await self._in_time(task, endpoint.limit, context)
        finally:
            # It has its failure, which has this function, which would have the task: a circle, with the request in it.
            del task
        if context.is_large and not context.answer_bytes:
            # Most answers are what was asked to be stored.
            context.answer_bytes = response.ByteSize()
        if context.answer_bytes <= MESSAGE_AT_ONCE:
            return self._checked(endpoint, response, context)
        return await self.aside(lambda: self._checked(endpoint, response, context), context.answer_bytes)

    async def _in_time(self, task: "asyncio.Task[ApiMessage]", limit: RpcLimit, context: RpcContext) -> ApiMessage:
        """What a handler gives. One that is late is given up, or left to its own rules, and its caller told so."""
        requested = context.timeout_s
        seconds = limit.allowed_s(requested)
        try:
            if seconds is None:
                return await asyncio.shield(task)
            left = max(0.0, seconds - context.spent_s)
            if limit.is_cancelled:
                # Of the task, not of this wait: also when its caller is gone by then.
                giving_up = asyncio.get_running_loop().call_later(left, task.cancel, _LATE)
                task.add_done_callback(lambda _: giving_up.cancel())
            await asyncio.wait((task,), timeout=left if limit.is_cancelled else left + LATE_S)
            if not task.done():
                raise deadline_exceeded(seconds, requested)
            return task.result()
        except asyncio.CancelledError as error:
            if seconds is not None and _LATE in error.args:
                raise deadline_exceeded(seconds, requested) from error
            raise
        finally:
            del task

    async def call_streaming(
        self, method: Method, request: ApiMessage, context: RpcContext
    ) -> AsyncGenerator[ApiMessage]:
        """Answers an RPC with a stream; failures as for `call`, before the first answer or after any."""
        endpoint = self._endpoint(method)
        handler = cast(StreamingHandler, endpoint.handler)
        async with aclosing(self._streamed(endpoint, handler(_as(request, endpoint.request), context), context)) as out:
            async for response in out:
                yield response

    async def call_bidi(
        self, method: Method, requests: AsyncIterator[ApiMessage], context: RpcContext
    ) -> AsyncGenerator[ApiMessage]:
        """Answers a stream with a stream; failures as for `call`."""
        endpoint = self._endpoint(method)
        handler = cast(BidiHandler, endpoint.handler)

        async def taken() -> AsyncIterator[ApiMessage]:
            async for request in requests:
                yield _as(request, endpoint.request)

        async with aclosing(self._streamed(endpoint, handler(taken(), context), context)) as out:
            async for response in out:
                yield response

    async def drain(self, timeout_s: float) -> int:
        """Waits until the unary handlers that run have ended; returns how many still do after `timeout_s`."""
        if self._running:
            await asyncio.wait(self._running, timeout=timeout_s)
        return len(self._running)

    async def _streamed(
        self, endpoint: _Endpoint, responses: AsyncIterator[ApiMessage], context: RpcContext
    ) -> AsyncGenerator[ApiMessage]:
        try:
            async for response in _until(responses, endpoint.limit, context):
                yield self._checked(endpoint, response, context)
        except RpcError:
            raise
        except Exception as error:
            raise internal_error(endpoint.method.full_name, error) from error
        finally:
            close = getattr(responses, "aclose", None)
            if close is not None:
                await close()

    def _endpoint(self, method: Method) -> _Endpoint:
        endpoint = self._endpoints.get(method.full_name)
        if endpoint is None:
            endpoint = self._endpoints[method.full_name] = self._resolve(method)
        return endpoint

    def _resolve(self, method: Method) -> _Endpoint:
        handler = self._handlers.get(method.full_name)
        if handler is not None:
            return _Endpoint(method, handler, None, method.output, None, self.limits(method))
        beta = beta_name(method.full_name)
        handler = self._handlers.get(beta) if beta else None
        if beta is None or handler is None:
            raise RpcError(Code.UNIMPLEMENTED, f"{method.full_name} is not implemented by this server.")
        source = self.api.methods[beta]
        request = message_class(source.input) if source.input is not method.input else None
        response = message_class(method.output) if source.output is not method.output else None
        return _Endpoint(method, handler, request, source.output, response, self.limits(method))

    def _checked(self, endpoint: _Endpoint, response: ApiMessage, context: RpcContext) -> ApiMessage:
        if response.DESCRIPTOR is not endpoint.response:
            wrong = TypeError(f"the handler gave a {type(response).__name__}, not a {endpoint.response.full_name}")
            raise internal_error(endpoint.method.full_name, wrong)
        if endpoint.converted_to is not None:
            return converted(response, endpoint.converted_to)
        return self.operations.restate(response, context.version)

    def _finished(self, task: "asyncio.Task[ApiMessage]") -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # seen, so that a failure whose caller is gone is not reported as forgotten


async def _guarded(handler: UnaryHandler, request: ApiMessage, context: RpcContext, method: Method) -> ApiMessage:
    try:
        return await handler(request, context)
    except RpcError:
        raise
    except Exception as error:
        raise internal_error(method.full_name, error) from error


async def _until(
    responses: AsyncIterator[ApiMessage], limit: RpcLimit, context: RpcContext
) -> AsyncGenerator[ApiMessage]:
    """The responses of a handler, as long as its time lasts."""
    requested = context.timeout_s
    seconds = limit.allowed_s(requested)
    if seconds is None:
        async for response in responses:
            yield response
        return
    end = asyncio.get_running_loop().time() + max(0.0, seconds - context.spent_s) + LATE_S
    while True:
        clock = asyncio.timeout_at(end)
        try:
            async with clock:
                response = await anext(responses, None)
        except TimeoutError as error:
            if clock.expired():
                raise deadline_exceeded(seconds, requested) from error
            raise
        if response is None:
            return
        yield response


def _as(request: ApiMessage, target: type[ApiMessage] | None) -> ApiMessage:
    if target is None or isinstance(request, target):
        return request
    return target.FromString(request.SerializeToString())
