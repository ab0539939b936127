"""The standard gRPC health service (grpc.health.v1)."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, suppress

from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage

CHECK = "grpc.health.v1.Health.Check"
WATCH = "grpc.health.v1.Health.Watch"

MOST_WATCHERS = 1000
"""At the same time: whoever reaches the server may watch, without a key and for ever."""

_LOOK_S = 2.0
"""Seconds between two looks on behalf of those who watch."""


class Health:
    """Whether the server takes requests: one state for all its services."""

    def __init__(self, api: Api) -> None:
        self._response = api.message("grpc.health.v1.HealthCheckResponse")
        self._services = {method.service for method in api.methods.values()} | {""}
        self._serving = True
        self._ready = True
        self._look: Callable[[], Awaitable[bool]] | None = None
        self._changed = asyncio.Event()
        self._ended = False
        self._watchers = 0

    def set_serving(self, serving: bool) -> None:
        """Says whether requests are welcome; watchers hear of a change at once."""
        if serving != self._serving:
            self._serving = serving
            self._changed.set()
            self._changed = asyncio.Event()

    def follow(self, look: Callable[[], Awaitable[bool]]) -> None:
        """From here on `look` says whether requests can be served, asked whenever somebody asks for health."""
        self._look = look

    def end(self) -> None:
        """Serves no more: watchers are told and their streams ended, for they would hold up a server that drains."""
        self._ended = True
        self._serving = False
        self._changed.set()

    async def check(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Health.Check; NOT_FOUND for a service that the API lacks."""
        if request.service not in self._services:
            raise RpcError(Code.NOT_FOUND, f"There is no service {request.service!r} here.")
        await self._looked()
        return self._state()

    async def watch(self, request: ApiMessage, context: RpcContext) -> AsyncIterator[ApiMessage]:
        """Health.Watch: the state now and after each change, until the server ends.

        RESOURCE_EXHAUSTED when too many watch.
        """
        if self._watchers >= MOST_WATCHERS:
            raise RpcError(Code.RESOURCE_EXHAUSTED, f"{MOST_WATCHERS} clients are already watching; use Check.")
        self._watchers += 1
        try:
            async with aclosing(self._states(request)) as states:
                async for state in states:
                    yield state
        finally:
            self._watchers -= 1

    async def _states(self, request: ApiMessage) -> AsyncGenerator[ApiMessage]:
        known = request.service in self._services
        sent: ApiMessage | None = None
        while True:
            changed = self._changed
            if known:
                await self._looked()
            state = self._state() if known else self._response(status="SERVICE_UNKNOWN")
            if state != sent:
                yield state
                # It may have changed while this was sent.
                sent = state
            elif self._ended:
                return
            else:
                # A change of what is looked at is not told, so it is looked at again.
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), None if self._look is None else _LOOK_S)

    async def _looked(self) -> None:
        if self._look is not None and not self._ended:
            self._ready = await self._look()

    def _state(self) -> ApiMessage:
        return self._response(status="SERVING" if self._serving and self._ready else "NOT_SERVING")
