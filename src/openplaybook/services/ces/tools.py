"""Tools of apps: create, get, list, patch, delete; among them the system tools, which every app has."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.ces.names import TOOLS
from openplaybook.resources.ces.system_tools import SYSTEM_TOOLS, find_system_tool, is_system_tool, system_tools
from openplaybook.resources.ces.tools import TOOL_KINDS, ces_path, display_name_of, kind_of, toolbox_resource
from openplaybook.resources.filters import Comparison, parse_filter
from openplaybook.services.ces.kinds import TOOL
from openplaybook.services.ces.within_app import AppResources
from openplaybook.services.errors import invalid, precondition
from openplaybook.services.large_messages import done_aside
from openplaybook.services.parts import Parts
from openplaybook.services.tool_checks import Sent, check_tool
from openplaybook.tools.base import InvalidTool
from openplaybook.tools.python_function.apart import AT_ONCE, signature_of
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import DOCUMENTS

_PYTHON_FUNCTION = "$.pythonFunction"
_WITH_SYSTEM_TOOLS = "include_system_tools"
"""What a list's filter may ask for; it is no field."""


class Tools(AppResources):
    """The standard methods of tools. A tool that cannot work is refused with all that is wrong with it.

    Its display name is that of the function or operation in it. System tools are read like others and listed where the
    filter says `include_system_tools=true`; they cannot be made, changed or deleted.
    """

    def __init__(self, parts: Parts) -> None:
        super().__init__(TOOL, parts)

    async def create(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store a new tool; no system tool's id can be chosen."""
        _refuse_system(request.tool_id, "made")
        return await super().create(request, context)

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The tool of that name, a system tool or stored."""
        document = find_system_tool(request.name)
        if document is None:
            return await super().get(request, context)
        await self.check_parent(TOOLS.parse(request.name).parent)
        return self._system(document)

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of an app's tools; system tools, where they are asked for, stand on the first."""
        with_system, request.filter = _asked_for_system(request.filter)
        response = await super().list(request, context)
        if with_system and not request.page_token:
            response.tools.extend(map(self._system, system_tools(TOOLS.child(request.parent, "-").parent)))
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
        kind = kind_of(document, TOOL_KINDS)
        _check_kind(kind)
        resource.display_name = display_name_of(document)
        if resource.display_name in SYSTEM_TOOLS:
            raise invalid((f"tool.{kind}.name", f"{resource.display_name!r} is the name of a system tool"))
        if resource.HasField("python_function"):
            # What an import brought stays where the code says nothing, or is not there.
            described = await _docstring(resource.python_function)
            resource.python_function.description = described or resource.python_function.description
        # Again: the description may have come from the code.
        settled = await self.parts.json_of(resource)
        translated = await done_aside(lambda: toolbox_resource(settled), resource.ByteSize())
        if translated is not None:
            members = resource.DESCRIPTOR.fields_by_camelcase_name
            sent = Sent("tool", members, f"{kind}.openApiSchema", lambda path: ces_path(document, path))
            await check_tool(self.parts, translated, sent, context)

    def _system(self, document: JsonObject) -> ApiMessage:
        return self.parts.api.codec.from_json(document, self.records.new())


def _check_kind(kind: str) -> None:
    if not kind:
        allowed = ", ".join(one for one in TOOL_KINDS if one not in ("mcpTool", "systemTool"))
        raise invalid(("tool", f"has no kind; set one of {allowed}"))
    if kind == "mcpTool":
        raise invalid(("tool.mcpTool", "such tools come with an MCP toolset and cannot be created separately"))
    if kind == "systemTool":
        raise invalid(("tool.systemTool", "every app has the system tools already; agents name them in their tools"))


async def _docstring(function: ApiMessage) -> str:
    """What a Python function says of itself; empty where its code cannot be read, which the check will tell."""
    code, name = function.python_code, function.name
    try:
        if len(code) <= AT_ONCE:
            return signature_of(code, name, _PYTHON_FUNCTION).description
        return (await DOCUMENTS.run(lambda: signature_of(code, name, _PYTHON_FUNCTION))).description
    except InvalidTool:
        return ""


def _refuse_system(tool: str, done: str) -> None:
    if is_system_tool(tool):
        raise precondition("SYSTEM_TOOL", f"{tool} is a system tool: it cannot be {done}")


def _asked_for_system(text: str) -> tuple[bool, str]:
    """Whether a filter asks for system tools, which only a whole filter can, and what else it asks."""
    parsed = parse_filter(text)
    if isinstance(parsed, Comparison) and parsed.field == _WITH_SYSTEM_TOOLS and parsed.operator == "=":
        return parsed.value.lower() == "true", ""
    return False, text
