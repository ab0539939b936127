"""Environments: every agent has one, the draft. Others need flow versions, which this server does not have."""

from collections.abc import Mapping

from openplaybook.resources.names import DRAFT, AgentName, EnvironmentName
from openplaybook.resources.page_tokens import page_size
from openplaybook.services.collection import Collection
from openplaybook.services.errors import not_found
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import AGENT
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import UnaryHandler

SERVICE = "google.cloud.dialogflow.cx.v3beta1.Environments"


class Environments:
    """Get and list."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._agents = Collection(AGENT, parts)

    def methods(self) -> Mapping[str, UnaryHandler]:
        """Handlers by the RPC's name."""
        return {"GetEnvironment": self.get, "ListEnvironments": self.list}

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The draft; NOT_FOUND for any other."""
        name = EnvironmentName.parse(request.name)
        draft = await self._draft(name.agent)
        if not name.is_draft:
            raise not_found("Environment", request.name)
        return draft

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The draft alone."""
        page_size(request.page_size)
        response = self._parts.cx("ListEnvironmentsResponse")
        response.environments.append(await self._draft(AgentName.parse(request.parent)))
        return response

    async def _draft(self, agent: AgentName) -> ApiMessage:
        stored = await self._agents.read(str(agent))
        draft = self._parts.cx("Environment")
        draft.name = str(EnvironmentName(agent, DRAFT))
        draft.display_name = "Draft"
        draft.description = "The current draft of the agent."
        draft.update_time.FromMicroseconds(stored.record.updated_us)
        return draft
