"""The same question for a key on the gRPC port."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

import grpc
import grpc.aio
from grpc import HandlerCallDetails

from openplaybook.server.http import NO_KEY
from openplaybook.server.keys import ApiKeys

_HEALTH = "/grpc.health.v1.Health/"

RequestT = TypeVar("RequestT")
ResponseT = TypeVar("ResponseT")


class RequireKey(grpc.aio.ServerInterceptor):
    """Answers UNAUTHENTICATED to calls whose metadata carry no key; health may be asked without one."""

    def __init__(self, keys: ApiKeys) -> None:
        self._keys = keys

    async def intercept_service(
        self,
        continuation: "Callable[[HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[RequestT, ResponseT] | None]]",
        handler_call_details: HandlerCallDetails,
    ) -> "grpc.RpcMethodHandler[RequestT, ResponseT] | None":
        """The method's own handler, or one that refuses."""
        if handler_call_details.method.startswith(_HEALTH) or self._is_admitted(handler_call_details):
            return await continuation(handler_call_details)
        # As a stream the refusal goes out before anything is read, whatever kind of method was called.
        return grpc.stream_stream_rpc_method_handler(_refuse)

    def _is_admitted(self, details: HandlerCallDetails) -> bool:
        return self._keys.admits({key: value for key, value in details.invocation_metadata if isinstance(value, str)})


async def _refuse(requests: AsyncIterator[object], context: "grpc.aio.ServicerContext[object, object]") -> None:
    await context.abort(grpc.StatusCode.UNAUTHENTICATED, NO_KEY)
