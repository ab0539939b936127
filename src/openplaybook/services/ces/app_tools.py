"""Tools and toolsets of apps: create, get, list, patch, delete; among the tools those of the system, which every app
has."""

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.ces.system_tools import SYSTEM_TOOLS, find_system_tool, is_system_tool, system_tools
from openplaybook.resources.ces.toolbox_forms import ces_path, display_name_of, toolbox_resource, toolset_resource
from openplaybook.resources.filters import FieldComparison, parse_filter
from openplaybook.resources.names import APP_TOOLS
from openplaybook.resources.tool_kinds import KindField, ToolMessage, tool_kinds
from openplaybook.services.ces.app_resources import AppResources
from openplaybook.services.errors import invalid, precondition
from openplaybook.services.large_messages import done_aside
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP_TOOL, APP_TOOLSET
from openplaybook.services.tool_checks import SentTool, check_tool
from openplaybook.tools.kind_registry import kind_of
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import DOCUMENTS

_WITH_SYSTEM_TOOLS = "include_system_tools"
"""What a list's filter may ask for; it is no field."""


class AppTools(AppResources):
    """The standard methods of tools. A tool that cannot work is refused with all that is wrong with it.

    Its display name is that of the function or operation in it. System tools are read like others and listed where the
    filter says `include_system_tools=true`; they cannot be made, changed or deleted.
    """

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(APP_TOOL, parts)

    async def create(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store a new tool; no system tool's id can be chosen."""
        _refuse_system(request.tool_id, "made")
        return await super().create(request, context)

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The tool of that name, a system tool or stored."""
        document = find_system_tool(request.name)
        if document is None:
            return await super().get(request, context)
        await self.check_parent(APP_TOOLS.parse(request.name).parent)
        return self._system(document)

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of an app's tools; system tools, where they are asked for, stand on the first."""
        with_system, request.filter = _asked_for_system(request.filter)
        response = await super().list(request, context)
        if with_system and not request.page_token:
            response.tools.extend(map(self._system, system_tools(APP_TOOLS.child(request.parent, "-").parent)))
        return response

    async def update(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """As for every kind; FAILED_PRECONDITION for a system tool."""
        _refuse_system(request.tool.name, "changed")
        return await super().update(request, context)

    async def delete(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """As for every kind; FAILED_PRECONDITION for a system tool."""
        _refuse_system(request.name, "deleted")
        return await super().delete(request, context)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """INVALID_ARGUMENT with every error that the tool's kind finds in it; its remarks become warnings."""
        await super().settle(resource, stored, context)
        self.parts.inline_secrets.keep(resource, stored, field="tool")
        self.parts.inline_secrets.refuse_new(resource, field="tool")
        document = await self.parts.json_of(resource)
        field = checked_field(document, "tool", ToolMessage.APP_TOOL)
        resource.display_name = display_name_of(document)
        if resource.display_name in SYSTEM_TOOLS:
            raise invalid((f"tool.{field.name}.name", f"{resource.display_name!r} is the name of a system tool"))
        members = resource.DESCRIPTOR.fields_by_camelcase_name
        kind = kind_of(document)
        if kind is not None and (told_of_itself := kind.told_of_itself) is not None:
            # What an import brought stays where the code says nothing, or is not there.
            described = await DOCUMENTS.run(lambda: told_of_itself(as_object(document[field.name])))
            message: ApiMessage = getattr(resource, members[field.name].name)
            message.description = described or message.description
        # Again: the description may have come from the code.
        settled = await self.parts.json_of(resource)
        translated = await done_aside(lambda: toolbox_resource(settled), resource.ByteSize())
        if translated is not None:
            sent = SentTool("tool", members, field.document, lambda path: ces_path(document, path))
            await check_tool(self.parts, translated, sent, context)

    def _system(self, document: JsonObject) -> ApiMessage:
        return self.parts.api.codec.from_json(document, self.records.new())


def checked_field(document: JsonObject, place: str, message: ToolMessage) -> KindField:
    """The field that says what a tool or toolset is. INVALID_ARGUMENT: there is none, or no client can make such."""
    known = tool_kinds().fields(message)
    field = next((each for each in known if each.name in document), None)
    if field is None:
        allowed = ", ".join(each.name for each in known if not each.not_made)
        raise invalid((place, f"has no kind; set one of {allowed}"))
    if field.not_made:
        raise invalid((f"{place}.{field.name}", field.not_made))
    return field


def _refuse_system(tool: str, done: str) -> None:
    if is_system_tool(tool):
        raise precondition("SYSTEM_TOOL", f"{tool} is a system tool: it cannot be {done}")


def _asked_for_system(text: str) -> tuple[bool, str]:
    """Whether a filter asks for system tools, which only a whole filter can, and what else it asks."""
    parsed = parse_filter(text)
    if isinstance(parsed, FieldComparison) and parsed.field == _WITH_SYSTEM_TOOLS and parsed.operator == "=":
        return parsed.value.lower() == "true", ""
    return False, text


class Toolsets(AppResources):
    """The standard methods of toolsets. One that cannot work is refused with all that is wrong with it."""

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(APP_TOOLSET, parts)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """INVALID_ARGUMENT with every error that the toolset's kind finds in it; its remarks become warnings."""
        await super().settle(resource, stored, context)
        self.parts.inline_secrets.keep(resource, stored, field="toolset")
        self.parts.inline_secrets.refuse_new(resource, field="toolset")
        document = await self.parts.json_of(resource)
        field = checked_field(document, "toolset", ToolMessage.APP_TOOLSET)
        members = resource.DESCRIPTOR.fields_by_camelcase_name
        sent = SentTool("toolset", members, field.document, lambda path: ces_path(document, path))
        await check_tool(self.parts, toolset_resource(document), sent, context)
