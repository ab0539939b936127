"""RPCs, counted and timed, whichever port they came in by."""

import asyncio
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, contextmanager

from openplaybook.telemetry.metrics import Metrics
from openplaybook.wire.api import Api, Method
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry


class MeasuredRegistry(Registry):
    """A registry that reports every call it answers."""

    def __init__(self, api: Api, metrics: Metrics) -> None:
        super().__init__(api)
        self._metrics = metrics

    async def call(self, method: Method, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """As `Registry.call`."""
        with self._measured(method):
            return await super().call(method, request, context)

    async def call_streaming(
        self, method: Method, request: ApiMessage, context: RpcContext
    ) -> AsyncGenerator[ApiMessage, None]:
        """As `Registry.call_streaming`; timed until the stream has ended."""
        with self._measured(method):
            async with aclosing(super().call_streaming(method, request, context)) as responses:
                async for response in responses:
                    yield response

    @contextmanager
    def _measured(self, method: Method) -> Generator[None, None, None]:
        begun, code = time.perf_counter(), Code.OK
        try:
            yield
        except RpcError as error:
            code = error.code
            raise
        except (asyncio.CancelledError, GeneratorExit):
            # The client is gone; an answer that is still worked on is kept for when it asks again.
            code = Code.CANCELLED
            raise
        finally:
            self._metrics.rpc_ended(method.full_name, code.name, time.perf_counter() - begun)
