"""A long-running operation as it goes: WatchOperation."""

from collections.abc import AsyncGenerator

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.services.errors import REFUSALS, to_rpc_error
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code
from openplaybook.wire.messages import ApiMessage

_LOOK_S = 0.5
"""Between two looks: what works on it reports as often as it wants, also on another server."""


class OperationWatch:
    """Watches operations."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._update = parts.api.message("openplaybook.v1.OperationUpdate")

    async def watch(self, request: ApiMessage, context: RpcContext) -> AsyncGenerator[ApiMessage]:
        """The operation as it is, and whenever it is otherwise, until it is done. NOT_FOUND: there is none."""
        told: JsonObject | None = None
        is_done = False
        try:
            while not is_done:
                operation = await self._parts.operations.get(request.name)
                is_done = operation.done
                metadata = self._metadata(operation)
                if is_done or metadata != told:
                    told = metadata
                    yield self._shown(operation, metadata)
                if not is_done:
                    await self._parts.operations.wait(request.name, _LOOK_S)
        except REFUSALS as refusal:
            raise to_rpc_error(refusal) from refusal

    def _metadata(self, operation: ApiMessage) -> JsonObject:
        if not operation.HasField("metadata"):
            return {}
        # Of all that an operation holds, its response alone is large.
        copied = type(operation)(name=operation.name, metadata=operation.metadata)
        return as_object(as_object(self._parts.api.codec.to_json(copied)).get("metadata"))

    def _shown(self, operation: ApiMessage, metadata: JsonObject) -> ApiMessage:
        update = self._update(name=operation.name, done=operation.done)
        self._parts.api.codec.from_json(metadata, update.metadata)
        if operation.HasField("error"):
            update.error.code, update.error.message = Code(operation.error.code).name, operation.error.message
        return update
