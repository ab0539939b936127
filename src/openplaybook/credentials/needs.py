"""What a stored tool names and gets elsewhere: versions of secrets, private services."""

from collections.abc import AsyncIterator, Iterator

from openplaybook.credentials.base import CredentialSources
from openplaybook.credentials.errors import CredentialError
from openplaybook.credentials.secret_fields import secret_places
from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.tool_kinds import tool_kinds


async def unmet_needs(tool: JsonObject, sources: CredentialSources) -> AsyncIterator[tuple[str, str]]:
    """JSON path and reason of each name in a tool (v3beta1, JSON form) that gives nothing now; values are let go."""
    for place in secret_places(tool):
        key = place.field.version_key
        if key and (version := place.holder.get(key)):
            try:
                await sources.secrets.access(str(version))
            except CredentialError as error:
                yield f"{place.path.removesuffix(place.field.key)}{key}", str(error)
    for path, service in _services(tool):
        try:
            await sources.directory.endpoints(service)
        except CredentialError as error:
            yield path, str(error)


def _services(tool: JsonObject) -> Iterator[tuple[str, str]]:
    """JSON path and name of the private service that a tool is reached through, where there is one."""
    field = tool_kinds().field(tool)
    if field is None or not field.service:
        return
    *above, last = (field.name, *field.service)
    holder = tool
    for key in above:
        holder = as_object(holder.get(key))
    if name := holder.get(last):
        yield ".".join(("$", *above, last)), str(name)
