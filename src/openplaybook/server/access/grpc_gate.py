"""The questions of the gate on the gRPC port, where some need the call itself, which interceptors do not see."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeAlias, TypeVar, cast

import grpc
import grpc.aio
from grpc import HandlerCallDetails

from openplaybook.server.access.authenticator import CallerAuthenticator
from openplaybook.server.access.gate import Gate
from openplaybook.server.access.principals import Principal, enter
from openplaybook.server.access.proxies import Proxies
from openplaybook.server.access.refusals import Report
from openplaybook.wire.errors import RpcError
from openplaybook.wire.grpc_arrival import Call
from openplaybook.wire.grpc_calls import Handler, refuse, refusing

_HEALTH = "/grpc.health.v1.Health/"

RequestT = TypeVar("RequestT")
ResponseT = TypeVar("ResponseT")

_CallCheck: TypeAlias = Callable[[Call], None]
"""Raises `RpcError` to refuse."""

_Unary: TypeAlias = "Callable[[AsyncIterator[bytes], Call], Awaitable[bytes]]"
_Streaming: TypeAlias = "Callable[[AsyncIterator[bytes], Call], AsyncIterator[bytes]]"


class GrpcGate(grpc.aio.ServerInterceptor):
    """Answers in place of the method where a caller is not let in; health may be asked by everybody."""

    def __init__(self, authenticator: CallerAuthenticator | None, gate: Gate, proxies: Proxies, report: Report) -> None:
        """`report` is told of everyone who is not let in."""
        self._report = report
        self._authenticator = authenticator
        self._gate = gate
        self._proxies = proxies

    async def intercept_service(
        self,
        continuation: "Callable[[HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[RequestT, ResponseT] | None]]",
        handler_call_details: HandlerCallDetails,
    ) -> "grpc.RpcMethodHandler[RequestT, ResponseT] | None":
        """The method's own handler, or one that refuses."""
        handler = await continuation(handler_call_details)
        if handler_call_details.method.startswith(_HEALTH):
            return handler
        method = _method_of(handler_call_details.method)
        guarded = await self._guarded(cast(Handler, handler), method, handler_call_details)
        return cast("grpc.RpcMethodHandler[RequestT, ResponseT]", guarded)

    async def _guarded(self, handler: Handler, method: str, details: HandlerCallDetails) -> Handler:
        if self._authenticator is None:
            # Where nobody is asked who they are, only the call itself tells the address to count by.
            return (
                _checked(handler, lambda call: self._admit_client(call, method)) if self._gate.is_limiting else handler
            )
        principal: Principal | None = None
        texts = {key: value for key, value in details.invocation_metadata if isinstance(value, str)}
        try:
            principal = await self._authenticator.principal(texts)
            self._gate.admit(method, principal, "")
        except RpcError as error:
            self._report(method, error, "grpc", principal, "")
            return refusing(error)
        # Interceptors and the method run in one task, so that it sees who called.
        enter(principal, "")
        return handler

    def _admit_client(self, call: Call, method: str) -> None:
        metadata = call.invocation_metadata() or ()
        forwarded = [str(value) for key, value in metadata if key == "x-forwarded-for"]
        client = self._proxies.client(address_of(call.peer()), ",".join(forwarded))
        try:
            self._gate.admit(method, None, client)
        except RpcError as error:
            self._report(method, error, "grpc", None, client)
            raise
        enter(None, client)


def address_of(peer: str) -> str:
    """The IP address in gRPC's name of a peer, such as `ipv4:127.0.0.1:5000` or `ipv6:%5B::1%5D:5000`."""
    address = peer.partition(":")[2].rpartition(":")[0]
    return address.removeprefix("%5B").removesuffix("%5D").strip("[]")


def _method_of(path: str) -> str:
    """The full name of the RPC at a gRPC path."""
    return path.removeprefix("/").replace("/", ".")


def _checked(handler: Handler, check: _CallCheck) -> Handler:
    """The same handler, asked only for calls that pass."""
    if handler.stream_unary is not None:
        return grpc.stream_unary_rpc_method_handler(_unary(cast(_Unary, handler.stream_unary), check))
    return grpc.stream_stream_rpc_method_handler(_streaming(cast(_Streaming, handler.stream_stream), check))


def _unary(answer: _Unary, check: _CallCheck) -> _Unary:
    async def serve(requests: AsyncIterator[bytes], call: Call) -> bytes:
        await _admit(call, check)
        return await answer(requests, call)

    return serve


def _streaming(answer: _Streaming, check: _CallCheck) -> _Streaming:
    async def serve(requests: AsyncIterator[bytes], call: Call) -> AsyncIterator[bytes]:
        await _admit(call, check)
        async for response in answer(requests, call):
            yield response

    return serve


async def _admit(call: Call, check: _CallCheck) -> None:
    try:
        check(call)
    except RpcError as error:
        await refuse(call, error)
