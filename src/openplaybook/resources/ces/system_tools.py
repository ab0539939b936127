"""Tools that every app has without anybody making them; they are stored nowhere.

Agents name them as `APP/tools/end_session`, exported ones by the bare name.
"""

from collections.abc import Mapping

from openplaybook.jsonvalues import JsonObject

END_SESSION = "end_session"
TRANSFER_TO_AGENT = "transfer_to_agent"
CUSTOMIZE_RESPONSE = "customize_response"

SYSTEM_TOOLS: Mapping[str, str] = {
    END_SESSION: "Ends the conversation, with a reason; it may be handed over to a person.",
    TRANSFER_TO_AGENT: "Gives the conversation to another agent of the app.",
    CUSTOMIZE_RESPONSE: "Says something in another way than as text, such as with a payload of the client's.",
}
"""Description by name, which is the id as well."""


def system_tools(app: str) -> list[JsonObject]:
    """The system tools of the app of that resource name, as v1beta `Tool` in JSON form."""
    return [
        {
            "name": f"{app}/tools/{name}",
            "displayName": name,
            "systemTool": {"name": name, "description": description},
        }
        for name, description in SYSTEM_TOOLS.items()
    ]


def is_system_tool(tool: str) -> bool:
    """Whether a full or a bare name is that of a system tool, of whatever app."""
    return tool.rpartition("/tools/")[2] in SYSTEM_TOOLS


def find_system_tool(tool: str) -> JsonObject | None:
    """The system tool of a resource name; None where it is another's."""
    app = tool.rpartition("/tools/")[0]
    return next((document for document in system_tools(app) if document["name"] == tool), None)
