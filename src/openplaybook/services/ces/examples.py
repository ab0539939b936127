"""Examples: create, get, list, patch, delete."""

from openplaybook.services.ces.kinds import EXAMPLE
from openplaybook.services.ces.references import dangling
from openplaybook.services.ces.within_app import AppResources
from openplaybook.services.parts import Parts
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class Examples(AppResources):
    """The standard methods of examples. One that names what is no longer there is invalid until it is mended."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(EXAMPLE, parts)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Tell whether it is invalid."""
        await super().settle(resource, stored, context)
        resource.invalid = bool(await dangling(self.parts.store, resource))
