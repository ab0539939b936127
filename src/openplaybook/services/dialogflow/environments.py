"""Environments: every agent has one, the draft. Others need flow versions, which this server does not have."""

from openplaybook.resources.names import AGENTS, DRAFT, ENVIRONMENTS
from openplaybook.resources.page_tokens import page_size
from openplaybook.services.collection import Collection
from openplaybook.services.errors import not_found
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import AGENT
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class Environments:
    """Get and list."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._agents = Collection(AGENT, parts)

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The draft; NOT_FOUND for any other."""
        name = ENVIRONMENTS.parse(request.name)
        draft = await self._draft(name.parent)
        if name.id != DRAFT:
            raise not_found("Environment", request.name)
        return draft

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The draft alone."""
        page_size(request.page_size)
        response = self._parts.cx("ListEnvironmentsResponse")
        response.environments.append(await self._draft(str(AGENTS.parse(request.parent))))
        return response

    async def _draft(self, agent: str) -> ApiMessage:
        stored = await self._agents.read(agent)
        draft = self._parts.cx("Environment")
        draft.name = str(ENVIRONMENTS.child(agent, DRAFT))
        draft.display_name = "Draft"
        draft.description = "The current draft of the agent."
        draft.update_time.FromMicroseconds(stored.record.updated_us)
        return draft
