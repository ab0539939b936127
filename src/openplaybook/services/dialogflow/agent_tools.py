"""Tools: create, get, list, patch, delete, export; among them those that are built in."""

from collections.abc import Mapping, Sequence
from functools import partial

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.packages.dialogflow.agent_package import tools_part
from openplaybook.packages.dialogflow.agent_writer import write_package
from openplaybook.resources.builtin_tools import builtin_id, builtin_tools, find_builtin, is_builtin
from openplaybook.resources.compiled_forms import ReferenceKind
from openplaybook.resources.names import AGENTS, PLAYBOOKS, TOOLS
from openplaybook.resources.page_tokens import issue_token, page_size
from openplaybook.resources.tool_kinds import KindField, ToolMessage, tool_kinds
from openplaybook.services.collection import Collection
from openplaybook.services.dialogflow.resource_users import UsedResource, detach, users_of
from openplaybook.services.dialogflow.whole_agent import gather, packed
from openplaybook.services.errors import invalid, not_found, precondition
from openplaybook.services.external_documents import UnreachableDocument
from openplaybook.services.operations import finished
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import AGENT, EXAMPLE, PLAYBOOK, TOOL
from openplaybook.services.resource_service import ResourceService
from openplaybook.services.stored_records import retried, users_in_words
from openplaybook.services.tool_checks import SentTool, check_tool
from openplaybook.storage.base import Change, Delete
from openplaybook.tools.base import InvalidTool
from openplaybook.tools.kind_registry import kind_of
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import PACKAGES

_CUSTOMIZED_TOOL = "CUSTOMIZED_TOOL"
_BEHIND_ALL = 2**63 - 1
"""Position behind every stored tool: that of the built-in ones."""


class AgentTools(ResourceService):
    """The standard methods of tools. A tool that cannot work is refused with all that is wrong with it.

    Built-in tools are read like others, the last of every list; they cannot be changed.
    """

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(TOOL, parts, parent=AGENT)
        self._users = {
            PLAYBOOKS.kind: Collection(PLAYBOOK, parts),
            EXAMPLE.record: Collection(EXAMPLE, parts),
        }

    async def create(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store a new tool under a fresh id; no other can be asked for, least of all a built-in tool's."""
        if is_builtin(request.tool.name):
            raise invalid(("tool.name", f"{request.tool.name} is a built-in tool, which every agent has already"))
        return await super().create(request, context)

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The tool of that name, built in or stored."""
        document = find_builtin(request.name)
        if document is None:
            return await super().get(request, context)
        await self.check_parent(TOOLS.parse(request.name).parent)
        return self._builtin(document)

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of an agent's tools in order of creation, and behind them those that are built in."""
        response = await super().list(request, context)
        agent = str(AGENTS.parse(request.parent))
        if response.next_page_token:
            return response
        if len(response.tools) < page_size(request.page_size):
            response.tools.extend(map(self._builtin, builtin_tools(agent)))
        else:
            response.next_page_token = issue_token(self.records.query(agent), _BEHIND_ALL)
        return response

    async def update(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """As for every kind; FAILED_PRECONDITION for a built-in tool."""
        _refuse_builtin(request.tool.name, "changed")
        return await super().update(request, context)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """INVALID_ARGUMENT with every error that the tool's kind finds in it; its remarks become warnings."""
        if builtin_id(resource.display_name) and (stored is None or stored.display_name != resource.display_name):
            raise invalid(("tool.display_name", f"{resource.display_name!r} is the name of a built-in tool"))
        resource.tool_type = resource.ToolType.Value(_CUSTOMIZED_TOOL)
        self.parts.inline_secrets.keep(resource, stored, field="tool")
        await _fetch_documents(self.parts, resource)
        await check_sent_tool(self.parts, resource, context)

    async def delete(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Forget a tool with its versions.

        While playbooks or examples use it: FAILED_PRECONDITION naming them, or, with `force`, every reference in
        a field of theirs is removed too.
        """
        _refuse_builtin(request.name, "deleted")
        await retried(lambda: self._remove(request.name, request.force, context))
        return self.parts.empty()

    def _builtin(self, document: JsonObject) -> ApiMessage:
        return self.parts.api.codec.from_json(document, self.records.new())

    async def _remove(self, name: str, force: bool, context: RpcContext) -> None:
        stored = await self.records.read(name)
        agent = TOOLS.parse(stored.record.name).root
        used = UsedResource(agent, ReferenceKind.TOOL, stored.record.name, stored.message.display_name)
        users = await users_of(self.parts.store, used)
        if users and not force:
            raise precondition(
                "TOOL_IN_USE", f"{name} is used by {users_in_words(users)}; set force to remove it there too"
            )
        changes: list[Change] = [Delete(stored.record.name, tree=True)]
        for user in users:
            collection = self._users[user.kind]
            resource = collection.message_of(user)
            detach(resource, stored.record.name)
            changes.append(collection.replacing(user, resource))
        await self.parts.store.apply(changes)
        if users:
            context.warn(f"{name} was used by {users_in_words(users)}; instructions that mention it are unchanged")


def _refuse_builtin(name: str, done: str) -> None:
    if is_builtin(name):
        TOOLS.parse(name)
        raise precondition("BUILTIN_TOOL", f"{name} is a built-in tool: it cannot be {done}")


async def _fetch_documents(parts: ServiceParts, tool: ApiMessage) -> None:
    """Put what the tool refers to elsewhere into its settings; INVALID_ARGUMENT when it cannot be had."""
    external, field = parts.external_documents, _field_of(tool)
    document = await parts.json_of(tool) if external is not None and field is not None else {}
    kind = kind_of(document)
    if external is None or field is None or kind is None or kind.elsewhere is None:
        return
    try:
        texts = await external.fetch(partial(kind.elsewhere.missing, as_object(document[field.name])))
    except InvalidTool:
        # Told with all else that is wrong with the tool.
        return
    except UnreachableDocument as error:
        raise invalid((f"tool.{field.document}", str(error))) from error
    if texts:
        _add(tool, (field.name, *kind.elsewhere.kept), texts)


def _add(tool: ApiMessage, keys: Sequence[str], texts: Mapping[str, str]) -> None:
    """Put texts by URI into the list that is at these keys."""
    value = tool
    for key in keys:
        value = getattr(value, value.DESCRIPTOR.fields_by_camelcase_name[key].name)
    for uri, text in texts.items():
        value.add(uri=uri, text=text)


def _field_of(tool: ApiMessage) -> KindField | None:
    """The field that says what a tool is; None where it has none."""
    members = tool.DESCRIPTOR.fields_by_camelcase_name
    fields = tool_kinds().fields(ToolMessage.TOOL)
    return next((each for each in fields if tool.HasField(members[each.name].name)), None)


async def check_sent_tool(parts: ServiceParts, tool: ApiMessage, context: RpcContext, *, field: str = "tool") -> None:
    """Refuse a tool that cannot work; `field` is where the request holds it."""
    spec = _field_of(tool)
    members = tool.DESCRIPTOR.fields_by_camelcase_name
    sent = SentTool(field, members, schema=spec.document if spec else "")
    await check_tool(parts, await parts.json_of(tool), sent, context)


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
