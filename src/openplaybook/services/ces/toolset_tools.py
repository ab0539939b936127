"""Tools of toolsets as `Tool`: they are stored nowhere."""

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.ces.tools import OPENAPI_TOOLSET
from openplaybook.services.ces.tool_messages import display_name_of
from openplaybook.tools.base import Action

_SHARED = ("apiAuthentication", "tlsConfig", "serviceDirectoryConfig", "ignoreUnknownFields", "url")
"""What a tool has from its OpenAPI toolset. The description of the API stays there: it is all operations'."""


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
    shared = as_object(toolset[OPENAPI_TOOLSET])
    return {**tool, "openApiTool": {**named, **{name: shared[name] for name in _SHARED if name in shared}}}
