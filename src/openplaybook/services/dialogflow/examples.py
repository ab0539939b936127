"""Examples of playbooks: create, get, list, patch, delete."""

from collections.abc import Mapping

from openplaybook.resources.names import ExampleName
from openplaybook.resources.token_counts import example_tokens
from openplaybook.services.collection import Collection, Page
from openplaybook.services.dialogflow.directory import read_directory
from openplaybook.services.documented_bounds import check_example
from openplaybook.services.kinds import AGENT, EXAMPLE, PLAYBOOK
from openplaybook.services.parts import Parts
from openplaybook.services.resource_service import ResourceService
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import UnaryHandler

SERVICE = "google.cloud.dialogflow.cx.v3beta1.Examples"


class Examples(ResourceService):
    """The standard methods of examples. Tool uses are stored in the form they are sent in."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(EXAMPLE, parts, parent=PLAYBOOK)
        self._agents = Collection(AGENT, parts)

    def methods(self) -> Mapping[str, UnaryHandler]:
        """Handlers by the RPC's name."""
        return {
            "CreateExample": self.create,
            "GetExample": self.get,
            "ListExamples": self.list,
            "UpdateExample": self.update,
            "DeleteExample": self.delete,
        }

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of a playbook's examples, of one language when the request names it."""
        language = request.language_code
        parent = self.kind.child(request.parent, "-").parent
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
        """The agent's default language where none is given; a warning for each action that leads nowhere."""
        agent = ExampleName.parse(resource.name).agent
        if not resource.language_code:
            resource.language_code = (await self._agents.read(str(agent))).message.default_language_code
        check_example(resource, stored)
        directory = await read_directory(self.parts.store, str(agent))
        for reference in directory.dangling_in_example(await self.parts.json_of(resource)):
            context.warn(f"{reference.path}: {reference.message}")
