"""Tools: export."""

from functools import partial

from openplaybook.packages.dialogflow.agent_writer import write_package
from openplaybook.packages.dialogflow.parts import tools_part
from openplaybook.resources.names import AGENTS, TOOLS
from openplaybook.services.dialogflow.whole_agent import gather, packed
from openplaybook.services.errors import invalid, not_found
from openplaybook.services.operations import finished
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import TOOL
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import PACKAGES


class ToolPackages:
    """ExportTools, a long-running operation: an agent's package with some of its tools and nothing else."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts

    async def export(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Pack tools as they are at this moment, inline or into a bucket. Secrets stay here; a warning says which."""
        agent = AGENTS.parse(request.parent)
        if not request.tools:
            raise invalid(("tools", "is required: the names of the tools to export"))
        stored = self._parts.buckets.object(request.tools_uri, where="tools_uri") if request.tools_uri else None
        names = [str(TOOLS.parse(name)) for name in request.tools]
        response = self._parts.cx("ExportToolsResponse")
        async with self._parts.whole_agents.exported:
            part = tools_part(await gather(self._parts, str(agent)), names)
            there = {tool["name"] for tool in part.tools}
            if missing := [name for name in names if name not in there]:
                raise not_found(TOOL.noun, missing[0])
            notes, content = await PACKAGES.run(partial(packed, part, write_package))
        if stored is not None:
            response.tools_uri = request.tools_uri
            work = partial(stored.write, content, response)
        else:
            response.tools_content.content = content
            work = partial(finished, response)
        for note in notes:
            context.warn(note)
        return await self._parts.operations.start(context, agent.parent, work)
