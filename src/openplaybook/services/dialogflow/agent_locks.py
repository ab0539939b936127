"""Agents that are locked for changes (`Agent.locked`): only RestoreAgent may change them, as the API's reference says.

Unlocking is a change of its own, and what is read or kept aside, such as a new version, changes nothing.
"""

from openplaybook.resources.names import AGENTS, root_of
from openplaybook.services.collection import Collection
from openplaybook.services.errors import precondition
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import AGENT
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import UnaryHandler

_CHANGES = frozenset(
    {
        "BatchDeleteTestCases",
        "CreateExample",
        "CreatePlaybook",
        "CreateTestCase",
        "CreateTool",
        "DeleteAgent",
        "DeleteExample",
        "DeletePlaybook",
        "DeletePlaybookVersion",
        "DeleteTool",
        "DeleteToolVersion",
        "ImportPlaybook",
        "ImportTestCases",
        "RestorePlaybookVersion",
        "RestoreToolVersion",
        "UpdateExample",
        "UpdateGenerativeSettings",
        "UpdatePlaybook",
        "UpdateTestCase",
        "UpdateTool",
    }
)
"""RPCs that change an agent, `UpdateAgent` apart, which may unlock it."""


def unless_locked(rpc: str, handler: UnaryHandler, parts: ServiceParts) -> UnaryHandler:
    """The handler of an RPC, which answers FAILED_PRECONDITION where it would change an agent that is locked."""
    if rpc not in _CHANGES:
        return handler

    async def checked(request: ApiMessage, context: RpcContext) -> ApiMessage:
        agent = root_of(_name_in(request))
        if AGENTS.fits(agent):
            await refuse_locked(parts, agent)
        return await handler(request, context)

    return checked


async def refuse_locked(parts: ServiceParts, agent: str) -> None:
    """FAILED_PRECONDITION while an agent is locked; one that does not exist is nobody's."""
    agents = Collection(AGENT, parts)
    if await agents.exists(agent) and (await agents.read(agent)).message.locked:
        raise precondition("AGENT_LOCKED", f"{agent} is locked for changes; set its `locked` to false first")


def _name_in(request: ApiMessage) -> str:
    """What a request is about: its parent, its name, or the name of the resource that it holds."""
    for field, value in request.ListFields():
        if field.name in ("parent", "name"):
            return str(value)
    named = (value for field, value in request.ListFields() if field.message_type is not None and not field.is_repeated)
    return next((str(value.name) for value in named if "name" in value.DESCRIPTOR.fields_by_name), "")
