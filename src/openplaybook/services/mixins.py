"""What every API of Google's has beside its own services: long-running operations, and locations.

Every location name is served; listed are the usual ones and those in use.
"""

from google.protobuf.struct_pb2 import Struct

from openplaybook.resources.names import LOCATIONS, OPERATIONS, ResourceName
from openplaybook.resources.page_tokens import page_size, read_token
from openplaybook.resources.unseen_fields import is_extension
from openplaybook.services.errors import invalid
from openplaybook.services.large_messages import done_aside
from openplaybook.services.listings import Listing, PageBuilder
from openplaybook.services.locations import locations_in_use
from openplaybook.services.parts import ServiceParts
from openplaybook.services.stored_records import RecordReader
from openplaybook.wire.context import RpcContext
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
