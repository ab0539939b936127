"""Agents: export and restore, in Google's JSON package layout, inline or in a bucket."""

from functools import partial

from openplaybook.packages.dialogflow.agent_writer import write_package
from openplaybook.resources.names import AGENTS, DRAFT, ENVIRONMENTS
from openplaybook.services.bucket_objects import Content
from openplaybook.services.collection import Collection
from openplaybook.services.dialogflow.whole_agent import gather, packed, replace
from openplaybook.services.errors import invalid, not_found, unimplemented
from openplaybook.services.operations import FinishedWork, finished
from openplaybook.services.parts import ServiceParts
from openplaybook.services.playbook_verdicts import with_verdicts
from openplaybook.services.resource_kinds import AGENT
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import PACKAGES


class AgentPackages:
    """ExportAgent and RestoreAgent, both long-running operations."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._agents = Collection(AGENT, parts)

    async def export(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Pack the agent as it is at this moment. Secrets stay here; a warning says which.

        An unspecified data format gives the JSON package.
        """
        _refuse_repository(request, "git_destination")
        if request.data_format not in (0, request.JSON_PACKAGE):
            raise unimplemented("Agents are exported as JSON_PACKAGE only; set data_format to it")
        if request.environment and ENVIRONMENTS.parse(request.environment).id != DRAFT:
            raise not_found("Environment", request.environment)
        stored = self._parts.buckets.object(request.agent_uri, where="agent_uri") if request.agent_uri else None
        response = self._parts.cx("ExportAgentResponse")
        async with self._parts.whole_agents.exported:
            package = await gather(self._parts, request.name)
            notes, content = await PACKAGES.run(partial(packed, package, write_package))
        if stored is not None:
            response.agent_uri = request.agent_uri
            work = partial(stored.write, content, response)
        else:
            response.agent_content = content
            work = partial(finished, response)
        for note in notes:
            context.warn(note)
        location = AGENTS.parse(request.name).parent
        return await self._parts.operations.start(context, location, work)

    async def restore(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Replace the agent and everything in it by a package: all of it or nothing.

        Versions of playbooks and tools go too, as Google has it, unless `keep_versions` is set, a field of ours.

        Whatever this server does not run is kept for the next export, so KEEP and FALLBACK mean the same. The
        operation's metadata lists what was noticed, under `notes`, and under `playbooks` what comes of each playbook.
        """
        _refuse_repository(request, "git_source")
        name = AGENTS.parse(request.name)
        if not await self._agents.exists(str(name)):
            raise not_found(AGENT.noun, request.name)
        if not request.agent_uri and not request.agent_content:
            raise invalid(("agent_content", "is required: the bytes of a JSON package, or agent_uri in its place"))
        keep_versions = bool(request.keep_versions)
        content = self._parts.buckets.content(request.agent_uri, request.agent_content, where="agent_uri")
        work = partial(self._unpack, str(name), content, keep_versions)
        return await self._parts.operations.start(context, name.parent, work)

    async def _unpack(self, agent: str, content: Content, keep_versions: bool) -> FinishedWork:
        async with content() as package:
            report = await replace(self._parts, agent, package, keep_versions=keep_versions)
        report = await with_verdicts(self._parts, agent, report)
        return FinishedWork(self._parts.empty(), report.as_json())


def _refuse_repository(request: ApiMessage, repository: str) -> None:
    if request.HasField(repository):
        raise unimplemented(f"{repository}: Git is not supported; use agent_content")
