"""What every API of Google's has beside its own services: long-running operations, and locations.

Every location name is served; listed are the usual ones and those in use.
"""

from collections.abc import AsyncGenerator

from google.protobuf.struct_pb2 import Struct

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.names import LOCATIONS, OPERATIONS, ResourceName
from openplaybook.resources.page_tokens import page_size, read_token
from openplaybook.resources.unseen_fields import is_extension
from openplaybook.services.errors import REFUSALS, invalid, to_rpc_error
from openplaybook.services.large_messages import done_aside
from openplaybook.services.listings import Listing, PageBuilder
from openplaybook.services.locations import locations_in_use
from openplaybook.services.parts import ServiceParts
from openplaybook.services.stored_records import RecordReader
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code
from openplaybook.wire.messages import ApiMessage

_USUAL = ("global", "us-central1", "europe-west1")


class Locations:
    """Get and list."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The location: any well-formed name is one."""
        return self._location(LOCATIONS.parse(request.name))

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """All locations of a project on one page."""
        page_size(request.page_size)
        project = LOCATIONS.parse(f"{request.name.removesuffix('/locations')}/locations/global").project
        used = await locations_in_use(self._parts.store, project)
        ids = list(dict.fromkeys([*_USUAL, *(location.id for location in used)]))
        response = self._parts.api.message("google.cloud.location.ListLocationsResponse")()
        response.locations.extend(self._location(LOCATIONS.child(f"projects/{project}", location)) for location in ids)
        return response

    def _location(self, name: ResourceName) -> ApiMessage:
        location = self._parts.api.message("google.cloud.location.Location")()
        location.name = str(name)
        location.location_id = name.id
        location.display_name = name.id
        return location


_GOOGLES_CLIENTS = "x-goog-api-client"
"""The header by which Google's client libraries say who they are."""
_DIALOGFLOW = ("v3", "v3beta1")
"""Versions whose operations have a Struct for metadata, if any."""
_LONGEST_WAIT_S = 60.0
"""WaitOperation answers by then, whatever the request says."""


class Operations:
    """Get, list, cancel, delete and wait."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The operation as it stands."""
        return self._as_known(await self._parts.operations.get(request.name, context), context)

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Operations of a location, oldest first; over the REST paths of Dialogflow CX its own, as its clients cannot
        read what those of apps say. Filters are refused rather than ignored."""
        if request.filter:
            raise invalid(("filter", "is not supported; leave it empty"))
        parent = request.name.removesuffix("/operations")
        query = (OPERATIONS.kind, parent)
        size, after = page_size(request.page_size), read_token(query, request.page_token)
        page = PageBuilder(size, query)
        reader = RecordReader(self._parts.store, [parent], OPERATIONS.kind, after=after, most=size + 1)
        while not page.is_full and (records := await reader.next()):
            for record in records:
                # What an operation resulted in may be a large package.
                if not page.takes(len(record.body)):
                    break
                operation = self._as_known(await self._parts.operations.read(record), context)
                if context.version not in _DIALOGFLOW or not _is_of_an_app(operation):
                    page.add(record.position, operation, len(record.body))
        return await self._response(page.listing(), context)

    async def cancel(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Stop it if it still runs."""
        await self._parts.operations.cancel(request.name)
        return self._parts.empty()

    async def delete(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Forget it."""
        await self._parts.operations.delete(request.name)
        return self._parts.empty()

    async def wait(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The operation when it is done, or after the timeout."""
        timeout = request.timeout.ToNanoseconds() / 1e9 if request.HasField("timeout") else _LONGEST_WAIT_S
        waited = await self._parts.operations.wait(request.name, max(0.0, min(timeout, _LONGEST_WAIT_S)), context)
        return self._as_known(waited, context)

    def _as_known(self, operation: ApiMessage, context: RpcContext) -> ApiMessage:
        """For Google's own clients without our fields of the metadata: over REST they refuse unknown ones in an Any."""
        packed = operation.metadata
        if _GOOGLES_CLIENTS not in context.metadata or not packed.type_url or packed.Is(Struct.DESCRIPTOR):
            return operation
        metadata = self._parts.api.message(packed.type_url.rpartition("/")[2])()
        packed.Unpack(metadata)
        for field, _ in metadata.ListFields():
            if is_extension(field):
                metadata.ClearField(field.name)
        packed.Pack(metadata)
        return operation

    async def _response(self, listing: Listing, context: RpcContext) -> ApiMessage:
        def filled() -> ApiMessage:
            response = self._parts.api.message("google.longrunning.ListOperationsResponse")()
            response.operations.extend(listing.messages)
            response.next_page_token = listing.token
            return response

        context.answer_bytes = listing.size
        return await done_aside(filled, listing.size)


def _is_of_an_app(operation: ApiMessage) -> bool:
    return bool(operation.metadata.type_url) and not operation.metadata.Is(Struct.DESCRIPTOR)


_LOOK_S = 0.5
"""Between two looks: what works on it reports as often as it wants, also on another server."""


class OperationWatch:
    """An operation as it goes, in our own API (WatchOperation)."""

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
