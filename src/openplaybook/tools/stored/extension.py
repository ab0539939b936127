"""Extensions (v3beta1 `Tool.ExtensionTool`): the extension lives elsewhere, so its actions are not known here."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.tool_kinds import KindField, StoredKind, ToolMessage
from openplaybook.tools.base import InvalidTool, Problem
from openplaybook.tools.kind import Parts, ToolKind
from openplaybook.tools.stored.tool import StoredTool

_NOUN = "extension tool"


def build(resource: JsonObject, spec: JsonObject, parts: Parts) -> StoredTool:
    """The tool for an `extensionSpec`; raises `InvalidTool`."""
    if not spec.get("name"):
        raise InvalidTool([Problem("$.extensionSpec.name", "is required (projects/P/locations/L/extensions/E)")])
    return StoredTool(f"{_NOUN}s", ())


KIND = ToolKind(
    StoredKind(
        name="extension",
        noun=_NOUN,
        fields=(KindField("extensionSpec", ToolMessage.TOOL, "extension", kept="cannot be called here"),),
    ),
    {"extensionSpec": build},
)
