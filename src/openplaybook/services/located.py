"""Resources that stand directly under a location: agents, and apps."""

from openplaybook.jsonvalues import JsonValue
from openplaybook.resources.names import LOCATIONS
from openplaybook.services.documented_bounds import check_location
from openplaybook.services.locations import ANY, locations_in_use, remember_location
from openplaybook.services.resource_service import ResourceService
from openplaybook.storage.base import Change
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class LocatedResources(ResourceService):
    """The standard methods where the parent is a location; of a list, `-` stands for every project or location."""

    async def insert(self, resource: ApiMessage, *others: Change, like: JsonValue = None) -> ApiMessage:
        """As for every kind; the location can be listed from then on."""
        location = LOCATIONS.parse(self.kind.names.parse(resource.name).parent)
        check_location(location)
        listed = await remember_location(self.parts.store, location)
        return await super().insert(resource, *others, *listed, like=like)

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of a location's resources, or of several locations'."""
        page = self.page_of(request)
        location = LOCATIONS.parse(page.parent)
        if ANY not in (location.project, location.id):
            return await self.list_response(await self.records.page(page), context)
        found = await locations_in_use(self.parts.store, location.project)
        parents = [str(one) for one in found if location.id in (ANY, one.id)]
        return await self.list_response(await self.records.page_across(page, parents), context)
