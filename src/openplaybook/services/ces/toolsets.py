"""Toolsets: create, get, list, patch, delete."""

from openplaybook.resources.ces.tools import TOOLSET_KINDS, ces_path, kind_of, toolset_resource
from openplaybook.services.ces.kinds import TOOLSET
from openplaybook.services.ces.within_app import AppResources
from openplaybook.services.errors import invalid
from openplaybook.services.parts import Parts
from openplaybook.services.tool_checks import Sent, check_tool
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class Toolsets(AppResources):
    """The standard methods of toolsets. One that cannot work is refused with all that is wrong with it."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(TOOLSET, parts)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """INVALID_ARGUMENT with every error that the toolset's kind finds in it; its remarks become warnings."""
        await super().settle(resource, stored, context)
        self.parts.inline_secrets.keep(resource, stored, field="toolset")
        self.parts.inline_secrets.refuse_new(resource, field="toolset")
        document = await self.parts.json_of(resource)
        kind = kind_of(document, TOOLSET_KINDS)
        if not kind:
            raise invalid(("toolset", f"has no kind; set one of {', '.join(TOOLSET_KINDS)}"))
        members = resource.DESCRIPTOR.fields_by_camelcase_name
        sent = Sent("toolset", members, f"{kind}.openApiSchema", lambda path: ces_path(document, path))
        await check_tool(self.parts, toolset_resource(document), sent, context)
