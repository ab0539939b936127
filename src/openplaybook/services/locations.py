"""Which projects and locations hold agents, so that agents can be listed across them.

The store lists records by parent; these two records make the parents themselves listable.
"""

from openplaybook.jsonvalues import dumps
from openplaybook.resources.names import LOCATIONS, ResourceName
from openplaybook.services.collection import every_record
from openplaybook.storage.base import Change, Put, Store

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
