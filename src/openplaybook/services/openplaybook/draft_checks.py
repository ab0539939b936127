"""Playbooks and examples that are not stored: CheckPlaybook, CheckExample."""

from functools import partial

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.names import AGENTS, EXAMPLES, PLAYBOOKS
from openplaybook.services.dialogflow.agent_directory import called_tools, read_directory
from openplaybook.services.dialogflow.resource_findings import example_findings, playbook_findings
from openplaybook.services.errors import not_found
from openplaybook.services.example_tools import example_calls
from openplaybook.services.openplaybook.problem_places import tell_findings
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import DOCUMENTS

_V = "openplaybook.v1."
_NEW = "-"


class DraftChecks:
    """Checks as validating a whole agent would."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._of_playbook = parts.api.message(f"{_V}CheckPlaybookResponse")
        self._of_example = parts.api.message(f"{_V}CheckExampleResponse")

    async def check_playbook(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """What is wrong with a playbook of an agent. NOT_FOUND: there is no such agent."""
        agent = str(AGENTS.parse(request.parent))
        await self._check_there("Agent", agent)
        playbook = await self._document("Playbook", request.playbook, str(PLAYBOOKS.child(agent, _NEW)))
        directory = await read_directory(self._parts.store, agent)
        response = self._of_playbook()
        tell_findings(await DOCUMENTS.run(partial(playbook_findings, playbook, directory)), response.problems)
        return response

    async def check_example(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """What is wrong with an example of a playbook. NOT_FOUND: there is no such playbook."""
        playbook = PLAYBOOKS.parse(request.parent)
        await self._check_there("Playbook", str(playbook))
        example = await self._document("Example", request.example, str(EXAMPLES.child(str(playbook), _NEW)))
        directory = await read_directory(self._parts.store, playbook.root)
        documents = await called_tools(self._parts.store, [example], directory)
        calls = await example_calls(self._parts.toolbox, documents, directory.tools, is_whole=False)
        work = partial(example_findings, example, str(playbook), directory, calls)
        response = self._of_example()
        tell_findings(await DOCUMENTS.run(work), response.problems)
        return response

    async def _document(self, message: str, draft: ApiMessage, name: str) -> JsonObject:
        """A draft as it would be stored. Raises `JsonError` for what is not of the message's form."""
        read = self._parts.api.codec.from_json(self._parts.api.codec.to_json(draft), self._parts.cx(message))
        read.name = read.name or name
        return await self._parts.json_of(read)

    async def _check_there(self, noun: str, name: str) -> None:
        if await self._parts.store.get(name) is None:
            raise not_found(noun, name)
