"""What a stored tool names and gets elsewhere: versions of secrets, private services."""

from collections.abc import AsyncIterator

from openplaybook.credentials.base import CredentialSources
from openplaybook.credentials.errors import CredentialError
from openplaybook.credentials.secret_fields import secret_places
from openplaybook.jsonvalues import JsonObject, as_object


async def unmet_needs(tool: JsonObject, sources: CredentialSources) -> AsyncIterator[tuple[str, str]]:
    """JSON path and reason of each name in a tool (v3beta1, JSON form) that gives nothing now; values are let go."""
    for place in secret_places(tool):
        key = place.field.version_key
        if key and (version := place.holder.get(key)):
            try:
                await sources.secrets.access(str(version))
            except CredentialError as error:
                yield f"{place.path.removesuffix(place.field.key)}{key}", str(error)
    service = as_object(as_object(tool.get("openApiSpec")).get("serviceDirectoryConfig")).get("service")
    if service:
        try:
            await sources.directory.endpoints(str(service))
        except CredentialError as error:
            yield "$.openApiSpec.serviceDirectoryConfig.service", str(error)
