"""From a stored tool with a `functionSpec` to a `FunctionTool`."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.building import Parts
from openplaybook.tools.function.tool import FunctionTool


def build(resource: JsonObject, spec: JsonObject, parts: Parts) -> FunctionTool:
    """The tool for a `functionSpec` (v3beta1 `Tool.FunctionTool`, JSON form); raises `InvalidTool`."""
    return FunctionTool(
        str(resource.get("name", "")),
        str(resource.get("displayName", "")),
        str(resource.get("description", "")),
        spec,
    )
