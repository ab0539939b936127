"""Toolsets: create, get, list, patch, delete."""

from openplaybook.resources.ces.toolbox_forms import ces_path, toolset_resource
from openplaybook.resources.tool_kinds import ToolMessage
from openplaybook.services.ces.app_resources import AppResources
from openplaybook.services.ces.app_tools import checked_field
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP_TOOLSET
from openplaybook.services.tool_checks import SentTool, check_tool
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class Toolsets(AppResources):
    """The standard methods of toolsets. One that cannot work is refused with all that is wrong with it."""

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(APP_TOOLSET, parts)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """INVALID_ARGUMENT with every error that the toolset's kind finds in it; its remarks become warnings."""
        await super().settle(resource, stored, context)
        self.parts.inline_secrets.keep(resource, stored, field="toolset")
        self.parts.inline_secrets.refuse_new(resource, field="toolset")
        document = await self.parts.json_of(resource)
        field = checked_field(document, "toolset", ToolMessage.APP_TOOLSET)
        members = resource.DESCRIPTOR.fields_by_camelcase_name
        sent = SentTool("toolset", members, field.document, lambda path: ces_path(document, path))
        await check_tool(self.parts, toolset_resource(document), sent, context)
