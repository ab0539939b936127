"""Tools that every app has without anybody making them; they are stored nowhere.

Agents name them as `APP/tools/end_session`, exported ones by the bare name. The arguments of `end_session`, by which
they end a conversation, stand in Google's handoff guide: `end_session(reason, session_escalated, params)`.
"""

from collections.abc import Mapping

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.compiled_forms import EndFunction
from openplaybook.resources.tool_kinds import KindField, StoredKind, ToolMessage

SYSTEM, AGENT = "systemTool", "agentTool"
"""Fields of `Tool` for what the engine does itself."""

END_SESSION = "end_session"
TRANSFER_TO_AGENT = "transfer_to_agent"
CUSTOMIZE_RESPONSE = "customize_response"

SYSTEM_TOOLS: Mapping[str, str] = {
    END_SESSION: "Ends the conversation, with a reason; it may be handed over to a person.",
    TRANSFER_TO_AGENT: "Gives the conversation to another agent of the app.",
    CUSTOMIZE_RESPONSE: "Says something in another way than as text, such as with a payload of the client's.",
}
"""Description by name, which is the id as well."""

SYSTEM_KIND = StoredKind(
    name="system",
    noun="system tool",
    fields=(
        KindField(
            SYSTEM,
            ToolMessage.APP_TOOL,
            "system tool",
            not_made="every app has the system tools already; agents name them in their tools",
        ),
    ),
    is_engines=True,
)
AGENT_KIND = StoredKind(
    name="agent",
    noun="agent as a tool",
    fields=(
        KindField(
            AGENT,
            ToolMessage.APP_TOOL,
            "agent as a tool",
            # The stable version and the beta one call it differently.
            references=((("agent",), "agents"), (("rootAgent",), "agents")),
        ),
    ),
    is_engines=True,
)


def system_tools(app: str) -> list[JsonObject]:
    """The system tools of the app of that resource name, as v1beta `Tool` in JSON form."""
    return [
        {
            "name": f"{app}/tools/{name}",
            "displayName": name,
            SYSTEM: {"name": name, "description": description},
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


ESCALATED = "session_escalated"
"""The argument that says that a person takes over."""

REASON = "reason"

END_FUNCTION = EndFunction(
    name=END_SESSION,
    description="Ends the conversation, or with session_escalated hands it to a person. Say the last words with it.",
    input_schema={
        "type": "object",
        "properties": {
            REASON: {"type": "string", "description": "Why the conversation ends, in one sentence."},
            ESCALATED: {"type": "boolean", "description": "Whether a person takes over."},
            "params": {"type": "object", "description": "What whoever goes on is to know."},
        },
    },
)
