"""What the services of v2 share: the messages in which connections answer, and the audit of what is written."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

from openplaybook.connectors.base import Entity, SystemConnection
from openplaybook.connectors.errors import WriteInDoubt
from openplaybook.jsonvalues import JsonObject, JsonValue, rough_size
from openplaybook.services.connectors.names_within import segment_of
from openplaybook.services.connectors.opened_systems import OpenedSystems
from openplaybook.services.large_messages import done_aside
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

PACKAGE = "google.cloud.connectors.v2."
_AUDIT = logging.getLogger("openplaybook.audit")
_MOST_COUNTED = 16 * 1024 * 1024
"""Beyond it an answer is as large as any."""
_VALUE = "type.googleapis.com/google.protobuf.Value"


class SystemService:
    """What handlers of v2 have in common."""

    def __init__(self, parts: ServiceParts, systems: OpenedSystems) -> None:
        self.parts = parts
        self.systems = systems

    def message(self, name: str, value: JsonObject) -> ApiMessage:
        """A message of v2 from its JSON form."""
        return self.parts.api.codec.from_json(value, self.parts.api.message(PACKAGE + name)())

    async def answer(self, context: RpcContext, name: str, value: JsonObject) -> ApiMessage:
        """The same for an answer that may be large: it is made beside the event loop then."""
        context.answer_bytes = rough_size(value, _MOST_COUNTED)
        return await done_aside(partial(self.message, name, value), context.answer_bytes)

    def audit(self, connection: str, operation: str, rows: int, *, event: str = "connection write") -> None:
        """Note who did what to how many rows, without values."""
        told = {"connection": connection, "caller": self.parts.caller(), "operation": operation, "rows": rows}
        _AUDIT.info(event, extra=told)

    @asynccontextmanager
    async def written(self, connection: str, operation: str) -> AsyncGenerator[SystemConnection]:
        """The system behind a connection for something that may write: what was sent is noted also where no answer
        came. Raises what `opened` raises."""
        async with self.systems.opened(connection) as system:
            try:
                yield system
            except WriteInDoubt:
                self.audit(connection, operation, 0, event="connection write in doubt")
                raise


def metadata_of(notes: JsonObject) -> JsonObject:
    """Notes of a reply as its `metadata`: whatever they are, each is a `Value` in an Any."""
    return {name: {"@type": _VALUE, "value": value} for name, value in notes.items()}


def entity_json(entity_type: str, entity: Entity, notes: JsonObject | None = None) -> JsonObject:
    """An `Entity`; `entity_type` is the name of its type. One without a key has no name."""
    made: dict[str, JsonValue] = {"fields": entity.fields}
    if entity.key:
        made["name"] = f"{entity_type}/entities/{segment_of(entity.key)}"
    return {**made, "metadata": metadata_of(notes)} if notes else made


def entity_type_name(connection: str, entity_type: str) -> str:
    """The name of an entity type of a connection."""
    return f"{connection}/entityTypes/{segment_of(entity_type)}"
