"""Tools that every agent has without anybody making them; they are stored nowhere.

Google's lists of tools hold them with `toolType: BUILTIN_TOOL`. They cannot be changed, and have no versions.
"""

from collections.abc import Mapping

from openplaybook.jsonvalues import JsonObject

CODE_INTERPRETER = "df-code-interpreter-tool"
"""Id of the code interpreter; documented as `AGENT/tools/df-code-interpreter-tool`."""

_DESCRIBED: Mapping[str, tuple[str, str]] = {
    CODE_INTERPRETER: (
        "code-interpreter",
        "Writes and runs Python code: for data analysis, data visualisation, text processing, solving equations and "
        "optimisation problems. It has the files that the user sent and those that other tools gave.",
    ),
}
"""Display name and description by id."""

BUILTIN_IDS = frozenset(_DESCRIBED)
BUILTIN_DISPLAY_NAMES: Mapping[str, str] = {display_name: id for id, (display_name, _) in _DESCRIBED.items()}
"""Id by display name."""


def builtin_tools(agent: str) -> list[JsonObject]:
    """The built-in tools of the agent of that resource name, as v3beta1 `Tool` in JSON form."""
    return [
        {
            "name": f"{agent}/tools/{id}",
            "displayName": display_name,
            "description": description,
            "toolType": "BUILTIN_TOOL",
        }
        for id, (display_name, description) in _DESCRIBED.items()
    ]


def is_builtin(tool: str) -> bool:
    """Whether a resource name is that of a built-in tool, of whatever agent."""
    return tool.rpartition("/tools/")[2] in BUILTIN_IDS


def find_builtin(tool: str) -> JsonObject | None:
    """The built-in tool of a resource name; None where it is another's."""
    agent = tool.rpartition("/tools/")[0]
    return next((document for document in builtin_tools(agent) if document["name"] == tool), None)
