"""gRPC handlers behind a check that needs the call itself, which interceptors do not see."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeAlias, cast

import grpc

from openplaybook.wire.errors import RpcError
from openplaybook.wire.grpc_calls import Handler, refuse
from openplaybook.wire.grpc_streams import Call

Check: TypeAlias = Callable[[Call], None]
"""Raises `RpcError` to refuse."""

_Unary: TypeAlias = "Callable[[AsyncIterator[bytes], Call], Awaitable[bytes]]"
_Streaming: TypeAlias = "Callable[[AsyncIterator[bytes], Call], AsyncIterator[bytes]]"


def checked(handler: Handler, check: Check) -> Handler:
    """The same handler, asked only for calls that pass."""
    if handler.stream_unary is not None:
        return grpc.stream_unary_rpc_method_handler(_unary(cast(_Unary, handler.stream_unary), check))
    return grpc.stream_stream_rpc_method_handler(_streaming(cast(_Streaming, handler.stream_stream), check))


def _unary(answer: _Unary, check: Check) -> _Unary:
    async def serve(requests: AsyncIterator[bytes], call: Call) -> bytes:
        await _admit(call, check)
        return await answer(requests, call)

    return serve


def _streaming(answer: _Streaming, check: Check) -> _Streaming:
    async def serve(requests: AsyncIterator[bytes], call: Call) -> AsyncIterator[bytes]:
        await _admit(call, check)
        async for response in answer(requests, call):
            yield response

    return serve


async def _admit(call: Call, check: Check) -> None:
    try:
        check(call)
    except RpcError as error:
        await refuse(call, error)
