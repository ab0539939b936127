"""Which projects and locations hold agents and apps, and the resources that stand directly under a location.

The store lists records by parent; two records make the parents themselves listable.
"""

from openplaybook.jsonvalues import JsonValue, dumps
from openplaybook.resources.names import LOCATIONS, ResourceName
from openplaybook.services.documented_bounds import check_location
from openplaybook.services.resource_service import ResourceService
from openplaybook.services.stored_records import every_record
from openplaybook.storage.base import Change, Put, Store
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

_PROJECTS = "projects"
_PROJECT_KIND = "project"
_LOCATION_KIND = "location"
ANY = "-"
"""Stands for every project or every location (https://google.aip.dev/159)."""


async def remember_location(store: Store, location: ResourceName) -> list[Change]:
    """The changes that make a location listable; none when it is already."""
    if await store.get(str(location)) is not None:
        return []
    project = f"{_PROJECTS}/{location.project}"
    return [
        _put(project, _PROJECT_KIND, _PROJECTS, location.project),
        _put(str(location), _LOCATION_KIND, project, location.id),
    ]


async def locations_in_use(store: Store, project: str) -> list[ResourceName]:
    """Locations of one project, or of all with `-`, that have ever held an agent, oldest first."""
    projects = await _ids(store, _PROJECTS, _PROJECT_KIND) if project == ANY else [project]
    return [
        LOCATIONS.child(f"{_PROJECTS}/{one}", location)
        for one in projects
        for location in await _ids(store, f"{_PROJECTS}/{one}", _LOCATION_KIND)
    ]


async def _ids(store: Store, parent: str, kind: str) -> list[str]:
    return [record.name.rsplit("/", 1)[1] for record in await every_record(store, parent, kind)]


def _put(name: str, kind: str, parent: str, id: str) -> Put:
    return Put(name=name, kind=kind, parent=parent, root=name, body=dumps({"id": id}))


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
        locations = await locations_in_use(self.parts.store, location.project)
        parents = [str(one) for one in locations if location.id in (ANY, one.id)]
        return await self.list_response(await self.records.page_across(page, parents), context)
