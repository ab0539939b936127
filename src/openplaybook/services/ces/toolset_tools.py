"""Tools of toolsets as `Tool`: they are stored nowhere."""

from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, as_object, rough_size
from openplaybook.resources.ces.tools import OPENAPI_TOOLSET
from openplaybook.services.ces.tool_messages import display_name_of
from openplaybook.tools.base import Action

_SHARED = ("apiAuthentication", "tlsConfig", "serviceDirectoryConfig", "ignoreUnknownFields", "url")
"""What a tool has from its OpenAPI toolset. The description of the API stays there: it is all operations'."""
_MOST_COUNTED = 64 * 1024 * 1024


def toolset_tool(toolset: JsonObject, action: Action) -> JsonObject:
    """One tool of a toolset, as v1beta JSON. Its name is `TOOLSET/tools/ID`."""
    tool: JsonObject = {
        "name": f"{toolset['name']}/tools/{action.action}",
        "displayName": display_name_of(str(toolset["name"]), action.action, action.tool_display_name),
        **{name: toolset[name] for name in ("executionType", "timeout") if name in toolset},
    }
    named = {"name": action.action, "description": action.description}
    if OPENAPI_TOOLSET not in toolset:
        return {**tool, "mcpTool": named} if "mcpToolset" in toolset else {**tool, "connectorTool": named}
    return {**tool, "openApiTool": {**named, **_shared(toolset)}}


def toolset_tools_size(toolset: JsonObject, actions: Sequence[Action]) -> int:
    """Characters of tools of a toolset, roughly: each has a copy of what they share."""
    shared = rough_size(_shared(toolset), _MOST_COUNTED)
    return sum(shared + len(action.description) + len(action.action) for action in actions)


def _shared(toolset: JsonObject) -> JsonObject:
    shared = as_object(toolset.get(OPENAPI_TOOLSET))
    return {name: shared[name] for name in _SHARED if name in shared}
