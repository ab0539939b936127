"""Versions of playbooks: a snapshot of a playbook with its examples, which can be brought back."""

from openplaybook.resources.message_fields import copy_of
from openplaybook.resources.names import EXAMPLES, PLAYBOOK_VERSIONS
from openplaybook.resources.token_counts import example_tokens, playbook_tokens
from openplaybook.services.collection import Collection
from openplaybook.services.optimistic import retried
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import EXAMPLE, PLAYBOOK, PLAYBOOK_VERSION
from openplaybook.services.resource_service import ResourceService
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
