"""Tools that are not stored, or not as they are now: as the toolbox takes them."""

from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, as_object, loads
from openplaybook.resources.builtin_tools import find_builtin
from openplaybook.resources.ces.toolbox_forms import toolbox_resource, toolset_resource
from openplaybook.resources.names import AGENTS, APP_TOOLS, APP_TOOLSETS, APPS, TOOLS, ResourceName
from openplaybook.resources.tool_kinds import ToolMessage, tool_kinds
from openplaybook.services.collection import Collection
from openplaybook.services.compiled_tools import ReadTool
from openplaybook.services.errors import invalid, not_found, precondition
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP_TOOL, APP_TOOLSET, TOOL
from openplaybook.services.tool_execution import scope_of
from openplaybook.tools.base import AgentScope
from openplaybook.turns.agent.ces_apps import scope_of_app
from openplaybook.wire.messages import ApiMessage

NEW = "-"
"""Id of a tool that has none."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a tool belongs."""

    name: ResourceName
    collection: Collection

    @property
    def is_new(self) -> bool:
        return self.name.id == NEW


class ToolDrafts:
    """Reads tools and toolsets of agents and apps; a draft takes the place of what is stored."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._collections = {
            TOOLS: Collection(TOOL, parts),
            APP_TOOLS: Collection(APP_TOOL, parts),
            APP_TOOLSETS: Collection(APP_TOOLSET, parts),
        }

    async def read(self, parent: str, tool: str, draft: JsonObject | None) -> ReadTool:
        """A tool of an agent or app.

        NOT_FOUND: there is no such agent or tool; INVALID_ARGUMENT: neither a tool nor a draft is given, or one that is
        none; FAILED_PRECONDITION: it runs only in conversations, by the server itself.
        """
        scope = await self.scope(parent)
        built_in = None if draft is not None or not tool else find_builtin(tool)
        if built_in is not None:
            return ReadTool(built_in, scope)
        place = self._place(parent, tool, draft)
        message = await self._message(place, draft)
        document = await self._parts.json_of(message)
        resource = _translated(place.name, document)
        if resource is None:
            raise precondition(
                "NOT_A_TOOL_OF_ITS_OWN", f"{place.name} runs only in conversations, by the server itself"
            )
        return ReadTool(resource, scope)

    async def _message(self, place: _Place, draft: JsonObject | None) -> ApiMessage:
        stored = None if place.is_new else (await place.collection.read(str(place.name))).message
        if draft is None:
            if stored is None:
                raise invalid(("tool", "is required, or a draft"))
            return stored
        message = place.collection.new()
        self._parts.api.codec.from_json(draft, message)
        message.name = str(place.name)
        self._parts.inline_secrets.keep(message, stored, field="draft")
        return message

    def _place(self, parent: str, tool: str, draft: JsonObject | None) -> _Place:
        if AGENTS.fits(parent):
            collections = [TOOLS]
        else:
            toolset_fields = {each.name for each in tool_kinds().fields(ToolMessage.APP_TOOLSET)}
            is_toolset = draft is not None and not toolset_fields.isdisjoint(draft)
            collections = [APP_TOOLSETS, APP_TOOLS] if is_toolset else [APP_TOOLS, APP_TOOLSETS]
        if not tool:
            return _Place(collections[0].child(parent, NEW), self._collections[collections[0]])
        pattern = next((each for each in collections if each.fits(tool)), collections[0])
        name = pattern.parse(tool)
        if name.root != parent:
            raise invalid(("tool", f"is not a tool of {parent}"))
        return _Place(name, self._collections[pattern])

    async def scope(self, parent: str) -> AgentScope:
        """What tools have from an agent or app. NOT_FOUND: there is none."""
        pattern, noun = (APPS, "App") if APPS.fits(parent) else (AGENTS, "Agent")
        record = await self._parts.store.get(str(pattern.parse(parent)))
        if record is None:
            raise not_found(noun, parent)
        document = as_object(loads(record.body))
        return scope_of_app(document) if pattern is APPS else scope_of(document)


def _translated(name: ResourceName, document: JsonObject) -> JsonObject | None:
    """As the toolbox takes it; None for what the server does itself."""
    match name.collection, APPS.fits(name.root):
        case "toolsets", _:
            return toolset_resource(document)
        case _, True:
            return toolbox_resource(document)
        case _:
            return document
