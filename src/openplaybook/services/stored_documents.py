"""What is in records, as JSON."""

from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, as_object, loads
from openplaybook.services.large_messages import done_aside
from openplaybook.storage.base import Record


async def documents_in(records: Sequence[Record]) -> list[JsonObject]:
    """The documents in records; large ones are read beside the event loop."""
    size = sum(len(record.body) for record in records)
    return await done_aside(lambda: [as_object(loads(record.body)) for record in records], size)
