"""The standard gRPC health service (grpc.health.v1)."""

import asyncio
from collections.abc import AsyncIterator

from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage

CHECK = "grpc.health.v1.Health.Check"
WATCH = "grpc.health.v1.Health.Watch"


class Health:
    """Whether the server takes requests: one state for all its services."""

    def __init__(self, api: Api) -> None:
        self._response = api.message("grpc.health.v1.HealthCheckResponse")
        self._services = {method.service for method in api.methods.values()} | {""}
        self._serving = True
        self._changed = asyncio.Event()

    def set_serving(self, serving: bool) -> None:
        """Says whether requests are welcome; watchers hear of a change at once."""
        if serving != self._serving:
            self._serving = serving
            self._changed.set()
            self._changed = asyncio.Event()

    async def check(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Health.Check; NOT_FOUND for a service that the API lacks."""
        if request.service not in self._services:
            raise RpcError(Code.NOT_FOUND, f"There is no service {request.service!r} here.")
        return self._state()

    async def watch(self, request: ApiMessage, context: RpcContext) -> AsyncIterator[ApiMessage]:
        """Health.Watch: the state now and after each change, without end."""
        known = request.service in self._services
        while True:
            changed = self._changed
            yield self._state() if known else self._response(status="SERVICE_UNKNOWN")
            await changed.wait()

    def _state(self) -> ApiMessage:
        return self._response(status="SERVING" if self._serving else "NOT_SERVING")
