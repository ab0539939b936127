"""Versions of playbooks and tools: snapshots, of a playbook with its examples, which can be brought back."""

from openplaybook.resources.message_fields import copy_of
from openplaybook.resources.names import EXAMPLES, PLAYBOOK_VERSIONS, TOOL_VERSIONS
from openplaybook.resources.token_counts import example_tokens, playbook_tokens
from openplaybook.services.collection import Collection
from openplaybook.services.dialogflow.agent_tools import check_sent_tool
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import EXAMPLE, PLAYBOOK, PLAYBOOK_VERSION, TOOL, TOOL_VERSION
from openplaybook.services.resource_service import ResourceService
from openplaybook.services.stored_records import retried
from openplaybook.storage.base import Change, Delete
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class PlaybookVersions(ResourceService):
    """Create, get, list, delete, restore."""

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(PLAYBOOK_VERSION, parts, parent=PLAYBOOK)
        self._playbooks = Collection(PLAYBOOK, parts)
        self._examples = Collection(EXAMPLE, parts)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Take the snapshot."""
        playbook = PLAYBOOK_VERSIONS.parse(resource.name).parent
        resource.playbook.CopyFrom((await self._playbooks.read(playbook)).message)
        resource.ClearField("examples")
        resource.examples.extend(await self._examples.all(playbook))

    def shown(self, message: ApiMessage) -> ApiMessage:
        """With how many tokens playbook and examples are, about, as they themselves are shown."""
        shown = super().shown(message)
        self._count(shown.playbook)
        for example in shown.examples:
            example.token_count = example.token_count or example_tokens(self.parts.api.codec.to_json(example))
        return shown

    async def restore(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Make the playbook and its examples what they were, all or nothing; its other versions stay."""
        playbook = await retried(lambda: self._bring_back(request.name))
        response = self.parts.cx("RestorePlaybookVersionResponse")
        response.playbook.CopyFrom(playbook)
        self._count(response.playbook)
        return response

    def _count(self, playbook: ApiMessage) -> None:
        playbook.token_count = playbook.token_count or playbook_tokens(self.parts.api.codec.to_json(playbook))

    async def _bring_back(self, name: str) -> ApiMessage:
        version = (await self.records.read(name)).message
        now = await self._playbooks.read(version.playbook.name)
        playbook = copy_of(version.playbook)
        playbook.update_time.FromMicroseconds(self.parts.now_us())
        records = await self.parts.store.list(playbook.name, EXAMPLES.kind)
        changes: list[Change] = [self._playbooks.replacing(now.record, playbook)]
        changes += [Delete(record.name, expect=record.version) for record in records]
        changes += [self._examples.put(example, expect=0) for example in version.examples]
        record, *_ = await self.parts.store.apply(changes)
        return self._playbooks.message_of(record)


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
