"""gRPC handlers behind a check that needs the call itself, which interceptors do not see."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeAlias, cast

import grpc

from openplaybook.wire.errors import RpcError
from openplaybook.wire.grpc_calls import Call, Handler, refuse

Check: TypeAlias = Callable[[Call], None]
"""Raises `RpcError` to refuse."""

_Unary: TypeAlias = "Callable[[bytes, Call], Awaitable[bytes]]"
_Streaming: TypeAlias = "Callable[[bytes, Call], AsyncIterator[bytes]]"
_Bidi: TypeAlias = "Callable[[AsyncIterator[bytes], Call], AsyncIterator[bytes]]"


def checked(handler: Handler, check: Check) -> Handler:
    """The same handler, asked only for calls that pass."""
    if handler.unary_unary is not None:
        return grpc.unary_unary_rpc_method_handler(_unary(cast(_Unary, handler.unary_unary), check))
    if handler.unary_stream is not None:
        return grpc.unary_stream_rpc_method_handler(_streaming(cast(_Streaming, handler.unary_stream), check))
    return grpc.stream_stream_rpc_method_handler(_bidi(cast(_Bidi, handler.stream_stream), check))


def _unary(answer: _Unary, check: Check) -> _Unary:
    async def serve(data: bytes, call: Call) -> bytes:
        await _admit(call, check)
        return await answer(data, call)

    return serve


def _streaming(answer: _Streaming, check: Check) -> _Streaming:
    async def serve(data: bytes, call: Call) -> AsyncIterator[bytes]:
        await _admit(call, check)
        async for response in answer(data, call):
            yield response

    return serve


def _bidi(answer: _Bidi, check: Check) -> _Bidi:
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
