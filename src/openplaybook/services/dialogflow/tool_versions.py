"""Versions of tools: a snapshot of a tool, which can be brought back."""

from openplaybook.resources.message_fields import copy_of
from openplaybook.resources.names import TOOL_VERSIONS
from openplaybook.services.collection import Collection
from openplaybook.services.dialogflow.agent_tools import check_sent_tool
from openplaybook.services.optimistic import retried
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import TOOL, TOOL_VERSION
from openplaybook.services.resource_service import ResourceService
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class ToolVersions(ResourceService):
    """Create, get, list, delete, restore.

    A client may send the snapshot itself in `tool`; without one the tool as it stands is taken. A snapshot is never
    in use, so `force` makes no difference to deletion.
    """

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(TOOL_VERSION, parts, parent=TOOL)
        self._tools = Collection(TOOL, parts)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Take the snapshot, or check the one that was sent."""
        now = (await self._tools.read(TOOL_VERSIONS.parse(resource.name).parent)).message
        if not resource.HasField("tool"):
            resource.tool.CopyFrom(now)
            return
        resource.tool.name = now.name
        resource.tool.tool_type = now.tool_type
        self.parts.inline_secrets.keep(resource.tool, now, field="tool_version.tool")
        await check_sent_tool(self.parts, resource.tool, context, field="tool_version.tool")

    async def restore(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Make the tool what it was; its other versions stay."""
        tool = await retried(lambda: self._bring_back(request.name))
        response = self.parts.cx("RestoreToolVersionResponse")
        response.tool.CopyFrom(tool)
        return response

    async def _bring_back(self, name: str) -> ApiMessage:
        version = (await self.records.read(name)).message
        now = await self._tools.read(version.tool.name)
        put = self._tools.replacing(now.record, copy_of(version.tool))
        [record] = await self.parts.store.apply([put])
        return self._tools.shown(self._tools.message_of(record))
