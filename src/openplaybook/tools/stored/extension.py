"""Extension tools (v3beta1 `Tool.ExtensionTool`): the extension lives elsewhere, so its actions are not known here."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import InvalidTool, Problem
from openplaybook.tools.building import Parts
from openplaybook.tools.stored.tool import StoredTool


def build(resource: JsonObject, spec: JsonObject, parts: Parts) -> StoredTool:
    """The tool for an `extensionSpec`; raises `InvalidTool`."""
    if not spec.get("name"):
        raise InvalidTool([Problem("$.extensionSpec.name", "is required (projects/P/locations/L/extensions/E)")])
    return StoredTool("extension tools", ())
