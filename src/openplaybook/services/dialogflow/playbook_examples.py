"""Examples of playbooks: create, get, list, patch, delete."""

from functools import partial

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.example_compiler import compile_example
from openplaybook.resources.findings import Finding, Severity
from openplaybook.resources.names import EXAMPLES
from openplaybook.resources.token_counts import example_tokens
from openplaybook.services.collection import Collection, Page
from openplaybook.services.dialogflow.agent_directory import called_tools, read_directory
from openplaybook.services.documented_bounds import check_example
from openplaybook.services.example_tools import example_calls
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import AGENT, EXAMPLE, PLAYBOOK
from openplaybook.services.resource_service import ResourceService
from openplaybook.tools.example_calls import ExampleCalls
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import DOCUMENTS


class PlaybookExamples(ResourceService):
    """The standard methods of examples. Tool uses are stored in the form they are sent in."""

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(EXAMPLE, parts, parent=PLAYBOOK)
        self._agents = Collection(AGENT, parts)

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of a playbook's examples, of one language when the request names it."""
        language = request.language_code
        parent = self.kind.names.child(request.parent, "-").parent
        await self.check_parent(parent)
        page = Page(
            parent,
            request.page_size,
            request.page_token,
            filters=(language,),
            accept=lambda example: language in ("", example.language_code),
        )
        return await self.list_response(await self.records.page(page), context)

    def shown(self, message: ApiMessage) -> ApiMessage:
        """With how many tokens it is, about, unless its package says so."""
        shown = super().shown(message)
        shown.token_count = shown.token_count or example_tokens(self.parts.api.codec.to_json(shown))
        return shown

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """The agent's default language where none is given; a warning for each action that leads nowhere, and for each
        tool call that could not be made like that."""
        agent = EXAMPLES.parse(resource.name).root
        if not resource.language_code:
            resource.language_code = (await self._agents.read(agent)).message.default_language_code
        check_example(resource, stored)
        directory = await read_directory(self.parts.store, agent)
        example = await self.parts.json_of(resource)
        for reference in directory.dangling_in_example(example):
            context.warn(f"{reference.path}: {reference.message}")
        documents = await called_tools(self.parts.store, [example], directory)
        calls = await example_calls(self.parts.toolbox, documents, directory.tools, is_whole=False)
        work = partial(_warnings, example, calls)
        is_much = bool(documents) or context.is_large
        for warning in await DOCUMENTS.run(work) if is_much else work():
            context.warn(warning)


def _warnings(example: JsonObject, calls: ExampleCalls) -> list[str]:
    """What of an example's actions is not used, or shows what could not be done."""
    findings: list[Finding] = []
    compile_example(example, "", calls.facts, findings.append, calls.check)
    return [
        f"{finding.path}: {finding.message}"
        for finding in findings
        if finding.path.startswith("$.actions") and finding.severity is not Severity.REMARK
    ]
