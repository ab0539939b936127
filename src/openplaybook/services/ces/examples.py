"""Examples: create, get, list, patch, delete."""

from openplaybook.services.ces.app_references import dangling
from openplaybook.services.ces.app_resources import AppResources
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP_EXAMPLE
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class AppExamples(AppResources):
    """The standard methods of examples. One that names what is no longer there is invalid until it is mended."""

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(APP_EXAMPLE, parts)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Tell whether it is invalid."""
        await super().settle(resource, stored, context)
        resource.invalid = bool(await dangling(self.parts.store, resource))
