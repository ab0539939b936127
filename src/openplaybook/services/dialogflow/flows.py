"""Flows of an agent, which are listed and read, not run; and its environments, which would hold versions of flows.

Every agent has one environment, the draft.
"""

from collections.abc import Mapping
from functools import partial

from openplaybook.packages.dialogflow.agent_reader import flow_names
from openplaybook.resources.errors import InvalidName
from openplaybook.resources.names import (
    AGENTS,
    DEFAULT_FLOW,
    DEFAULT_FLOW_NAME,
    DRAFT,
    ENVIRONMENTS,
    ResourceName,
    is_valid_id,
)
from openplaybook.resources.page_tokens import page_size
from openplaybook.services.collection import Collection
from openplaybook.services.errors import not_found
from openplaybook.services.package_records import PackageRest
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import AGENT
from openplaybook.storage.base import Record
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import AT_ONCE, PACKAGES

_TEMPLATE = f"{AGENTS.template}/flows/{{flow}}"
_NOT_RUN = "Flows are kept, and not run here."


class Flows:
    """Get and list."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._agents = Collection(AGENT, parts)

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One flow, as far as it is known here: its names."""
        parent, _, id = request.name.rpartition("/flows/")
        if not parent or not is_valid_id(id):
            raise InvalidName(request.name, _TEMPLATE)
        agent = AGENTS.parse(parent)
        names = await self._names(agent)
        if id not in names:
            raise not_found("Flow", request.name)
        return self._flow(agent, id, names[id])

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """All flows, the default start flow first."""
        page_size(request.page_size)
        agent = AGENTS.parse(request.parent)
        response = self._parts.cx("ListFlowsResponse")
        names = await self._names(agent)
        response.flows.extend(self._flow(agent, id, name) for id, name in names.items())
        return response

    async def _names(self, agent: ResourceName) -> Mapping[str, str]:
        """Display names by id. NOT_FOUND where there is no such agent."""
        await self._agents.read(str(agent))
        record = await self._parts.store.get(f"{agent}/package")
        if record is None:
            return {DEFAULT_FLOW: DEFAULT_FLOW_NAME}
        # Beside the event loop, unless it is small.
        read = partial(_kept_names, record)
        names = await PACKAGES.run(read) if len(record.body) > AT_ONCE else read()
        return {DEFAULT_FLOW: DEFAULT_FLOW_NAME, **names}

    def _flow(self, agent: ResourceName, id: str, display_name: str) -> ApiMessage:
        flow = self._parts.cx("Flow")
        flow.name, flow.display_name, flow.description = f"{agent}/flows/{id}", display_name, _NOT_RUN
        return flow


def _kept_names(record: Record) -> Mapping[str, str]:
    return flow_names(PackageRest.among([record]).files)


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
