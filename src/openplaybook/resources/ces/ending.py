"""How the agents of an app end a conversation: by the system tool `end_session`.

Its arguments stand in Google's handoff guide: `end_session(reason, session_escalated, params)`.
"""

from openplaybook.resources.ces.system_tools import END_SESSION
from openplaybook.resources.compiled_forms import EndFunction

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
