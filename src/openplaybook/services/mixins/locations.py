"""google.cloud.location.Locations: every location name is served; listed are the usual ones and those in use."""

from collections.abc import Mapping

from openplaybook.resources.names import LocationName
from openplaybook.resources.page_tokens import page_size
from openplaybook.services.locations import locations_in_use
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import UnaryHandler

SERVICE = "google.cloud.location.Locations"

_USUAL = ("global", "us-central1", "europe-west1")


class Locations:
    """Get and list."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts

    def methods(self) -> Mapping[str, UnaryHandler]:
        """Handlers by the RPC's name."""
        return {"GetLocation": self.get, "ListLocations": self.list}

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The location: any well-formed name is one."""
        return self._location(LocationName.parse(request.name))

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """All locations of a project on one page."""
        page_size(request.page_size)
        project = LocationName.parse(f"{request.name.removesuffix('/locations')}/locations/global").project
        used = await locations_in_use(self._parts.store, project)
        ids = list(dict.fromkeys([*_USUAL, *(location.location for location in used)]))
        response = self._parts.api.message("google.cloud.location.ListLocationsResponse")()
        response.locations.extend(self._location(LocationName(project, location)) for location in ids)
        return response

    def _location(self, name: LocationName) -> ApiMessage:
        location = self._parts.api.message("google.cloud.location.Location")()
        location.name = str(name)
        location.location_id = name.location
        location.display_name = name.location
        return location
