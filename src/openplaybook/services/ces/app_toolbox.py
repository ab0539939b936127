"""Tools and toolsets of an app, as they are stored and as the toolbox compiles them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.ces.app_variables import secret_variables
from openplaybook.resources.ces.system_tools import find_system_tool
from openplaybook.resources.ces.toolbox_forms import display_name_of, toolbox_resource, toolset_resource
from openplaybook.resources.names import APP_TOOLS, APP_TOOLSETS, APPS, NamePattern
from openplaybook.services.ces.session_requests import of_app
from openplaybook.services.compiled_tools import CompiledTool, CompiledTools, ReadTool
from openplaybook.services.errors import invalid, not_found, precondition
from openplaybook.services.stored_records import documents_in, every_record
from openplaybook.services.tool_execution import action_of
from openplaybook.storage.base import Store
from openplaybook.tools.base import Action, Tool, ToolBuilder
from openplaybook.turns.agent.ces_apps import actions_by_name, scope_of_app
from openplaybook.wire.errors import RpcError
from openplaybook.wire.messages import ApiMessage


@dataclass(frozen=True, slots=True)
class ChosenTool:
    """The one tool that a request names."""

    app: JsonObject
    """The app's document."""
    at_hand: CompiledTool
    """The tool, or the toolset that it comes from."""
    action: Action
    secret_variables: frozenset[str] = frozenset()
    """Those that a draft reads, besides those of the app's stored tools."""


class AppToolbox:
    """Finds tools of apps."""

    def __init__(self, store: Store, toolbox: ToolBuilder) -> None:
        self._store = store
        self._at_hand = CompiledTools(store, toolbox)

    async def chosen(self, request: ApiMessage) -> ChosenTool:
        """The tool that a request with `parent` and `tool_identifier` names.

        NOT_FOUND: no such app, tool or toolset; INVALID_ARGUMENT: none, or not one alone, is named;
        FAILED_PRECONDITION: it is no tool that can be taken on its own.
        """
        app = await self.app(request.parent)
        if request.WhichOneof("tool_identifier") is None:
            raise invalid(("tool", "is required, or toolset_tool"))
        if request.tool:
            return await self._tool(app, request.tool)
        return await self._toolset_tool(app, request.toolset_tool)

    async def drafted(self, request: ApiMessage, draft: ReadTool, document: JsonObject) -> ChosenTool:
        """A tool that is not stored, of a request as for `chosen`, which may leave out the name of what is new.

        `document`: the draft as it was given.
        """
        app = await self.app(request.parent)
        at_hand = CompiledTool(draft.resource, await self._at_hand.compiled(draft.resource, draft.scope))
        actions, wanted = at_hand.tool.actions(), request.toolset_tool.tool_id
        is_alone = not wanted and len(actions) == 1
        action = actions[0] if is_alone else action_of(actions, wanted, "toolset_tool.tool_id")
        return ChosenTool(app, at_hand, action, secret_variables([document]))

    async def app(self, name: str) -> JsonObject:
        """The document of an app. NOT_FOUND: there is none."""
        return await self._document(APPS, "App", str(APPS.parse(name)))

    async def toolset(self, name: str) -> tuple[JsonObject, Tool]:
        """A toolset and its compiled form. NOT_FOUND: there is none."""
        toolset = APP_TOOLSETS.parse(name)
        app = await self.app(toolset.root)
        document = await self._document(APP_TOOLSETS, "Toolset", str(toolset))
        return document, await self._at_hand.compiled(toolset_resource(document), scope_of_app(app))

    async def callable(self, app: JsonObject) -> Mapping[str, tuple[Action, Tool]]:
        """What can be called in an app by its model-facing name; tools that cannot be used are left out."""
        tools: dict[str, Tool] = {}
        for document in await self.documents(str(app["name"])):
            name = str(document["name"])
            resource = toolbox_resource(document) if APP_TOOLS.fits(name) else toolset_resource(document)
            if resource is None:
                continue
            try:
                tools[name] = await self._at_hand.compiled(resource, scope_of_app(app))
            except RpcError:
                continue  # Whoever calls it is told that there is none.
        return {name: (action, tools[action.tool]) for name, action in actions_by_name(tools.values()).items()}

    async def secret_variables(self, app: str) -> frozenset[str]:
        """Names of an app's variables that hold credentials."""
        return await self._at_hand.secret_parameters(app, partial(self._secret_variables, app))

    async def documents(self, app: str) -> Sequence[JsonObject]:
        """Every tool and toolset of an app."""
        return [
            document
            for collection in (APP_TOOLS, APP_TOOLSETS)
            for document in await documents_in(await every_record(self._store, app, collection.kind))
        ]

    async def _tool(self, app: JsonObject, name: str) -> ChosenTool:
        of_app("tool", APP_TOOLS, name, str(app["name"]))
        at_hand = await self._at_hand.tool(str(app["name"]), name, partial(self._read_tool, name))
        actions = at_hand.tool.actions()
        if len(actions) != 1:
            raise precondition("INVALID_TOOL", f"{name} offers {len(actions)} functions; name one of them")
        return ChosenTool(app, at_hand, actions[0])

    async def _toolset_tool(self, app: JsonObject, reference: ApiMessage) -> ChosenTool:
        if not reference.toolset:
            raise invalid(("toolset_tool.toolset", "is required"))
        of_app("toolset_tool.toolset", APP_TOOLSETS, reference.toolset, str(app["name"]))
        at_hand = await self._at_hand.tool(
            str(app["name"]), reference.toolset, partial(self._read_toolset, reference.toolset)
        )
        actions = at_hand.tool.actions()
        if reference.tool_id or len(actions) != 1:
            return ChosenTool(app, at_hand, action_of(actions, reference.tool_id, "toolset_tool.tool_id"))
        return ChosenTool(app, at_hand, actions[0])

    async def _read_tool(self, name: str) -> ReadTool:
        document = find_system_tool(name) or await self._document(APP_TOOLS, "Tool", name)
        resource = toolbox_resource(document)
        if resource is None:
            called = display_name_of(document)
            raise precondition("NOT_A_TOOL_OF_ITS_OWN", f"{called} runs only in conversations, by the agent itself")
        return ReadTool(resource, scope_of_app(await self.app(APP_TOOLS.parse(name).root)))

    async def _read_toolset(self, name: str) -> ReadTool:
        document = await self._document(APP_TOOLSETS, "Toolset", name)
        return ReadTool(toolset_resource(document), scope_of_app(await self.app(APP_TOOLSETS.parse(name).root)))

    async def _secret_variables(self, app: str) -> frozenset[str]:
        return secret_variables(await self.documents(app))

    async def _document(self, collection: NamePattern, noun: str, name: str) -> JsonObject:
        record = await self._store.get(name)
        if record is None or record.kind != collection.kind:
            raise not_found(noun, name)
        [document] = await documents_in([record])
        return {**document, "name": name}
