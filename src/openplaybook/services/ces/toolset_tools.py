"""Tools of toolsets as `Tool`: they are stored nowhere."""

from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, as_object, rough_size
from openplaybook.resources.tool_kinds import ToolsetTools, tool_kinds
from openplaybook.services.ces.tool_messages import display_name_of
from openplaybook.tools.base import Action

_MOST_COUNTED = 64 * 1024 * 1024


def toolset_tool(toolset: JsonObject, action: Action) -> JsonObject:
    """One tool of a toolset, as v1beta JSON. Its name is `TOOLSET/tools/ID`."""
    tool: JsonObject = {
        "name": f"{toolset['name']}/tools/{action.action}",
        "displayName": display_name_of(str(toolset["name"]), action.action, action.tool_display_name),
        **{name: toolset[name] for name in ("executionType", "timeout") if name in toolset},
    }
    told = tools_told(toolset)
    return {**tool, told.field: {"name": action.action, "description": action.description, **_shared(toolset)}}


def toolset_tools_size(toolset: JsonObject, actions: Sequence[Action]) -> int:
    """Characters of tools of a toolset, roughly: each has a copy of what they share."""
    shared = rough_size(_shared(toolset), _MOST_COUNTED)
    return sum(shared + len(action.description) + len(action.action) for action in actions)


def tools_told(toolset: JsonObject) -> ToolsetTools:
    """What the tools of a toolset are."""
    field = tool_kinds().field(toolset)
    if field is None or field.toolset is None:
        raise ValueError(f"{toolset.get('name')} is no toolset")
    return field.toolset


def _shared(toolset: JsonObject) -> JsonObject:
    """What each has from the toolset. A description of an API stays there: it is all operations'."""
    field = tool_kinds().field(toolset)
    shared = as_object(toolset.get(field.name)) if field else {}
    return {name: shared[name] for name in tools_told(toolset).shared if name in shared}
