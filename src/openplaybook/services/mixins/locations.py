"""google.cloud.location.Locations: every location name is served; listed are the usual ones and those in use."""

from openplaybook.resources.names import LOCATIONS, ResourceName
from openplaybook.resources.page_tokens import page_size
from openplaybook.services.locations import locations_in_use
from openplaybook.services.parts import ServiceParts
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
