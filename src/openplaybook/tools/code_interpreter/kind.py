"""The code interpreter, which every agent of Dialogflow CX has without anybody making it."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.tool_kinds import BuiltInTool, CallCheck, StoredKind
from openplaybook.tools.code_interpreter.tool import CodeInterpreter
from openplaybook.tools.tool_kind import ToolKind, ToolParts

ID = "df-code-interpreter-tool"
"""Documented as `AGENT/tools/df-code-interpreter-tool`."""


def build(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> CodeInterpreter:
    """The tool; it has no specification of its own."""
    name, display_name = str(resource.get("name", "")), str(resource.get("displayName", ""))
    return CodeInterpreter(name, display_name, str(resource.get("description", "")), parts.executor)


KIND = ToolKind(
    StoredKind(
        name="builtin",
        noun="code interpreter",
        built_in=(
            BuiltInTool(
                ID,
                "code-interpreter",
                "Writes and runs Python code: for data analysis, data visualisation, text processing, solving "
                "equations and optimisation problems. It has the files that the user sent and those that "
                "other tools gave.",
            ),
        ),
        # The schema is ours: agents of Google's name the task in their own way, or leave it out.
        call_check=CallCheck.ACTIONS,
    ),
    {ID: build},
)
