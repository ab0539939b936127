"""Tools that every agent has without anybody making them; they are stored nowhere.

Google's lists of tools hold them with `toolType: BUILTIN_TOOL`. They cannot be changed, and have no versions. Which
there are, the kinds of tools say.
"""

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.tool_kinds import BUILT_IN_TYPE, tool_kinds


def builtin_tools(agent: str) -> list[JsonObject]:
    """The built-in tools of the agent of that resource name, as v3beta1 `Tool` in JSON form."""
    return [
        {
            "name": f"{agent}/tools/{tool.id}",
            "displayName": tool.display_name,
            "description": tool.description,
            "toolType": BUILT_IN_TYPE,
        }
        for tool in tool_kinds().built_in
    ]


def is_builtin(tool: str) -> bool:
    """Whether a resource name is that of a built-in tool, of whatever agent."""
    return is_builtin_id(tool.rpartition("/tools/")[2])


def is_builtin_id(id: str) -> bool:
    """Whether the last segment of a resource name is that of a built-in tool."""
    return any(id == tool.id for tool in tool_kinds().built_in)


def builtin_id(display_name: str) -> str:
    """The id of the built-in tool that is called so; empty where none is."""
    return next((tool.id for tool in tool_kinds().built_in if tool.display_name == display_name), "")


def find_builtin(tool: str) -> JsonObject | None:
    """The built-in tool of a resource name; None where it is another's."""
    agent = tool.rpartition("/tools/")[0]
    return next((document for document in builtin_tools(agent) if document["name"] == tool), None)
