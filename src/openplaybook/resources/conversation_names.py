"""Names of conversations: what Dialogflow CX's history calls a session of the past."""

from dataclasses import dataclass
from typing import ClassVar

from openplaybook.resources.errors import InvalidName
from openplaybook.resources.names import AgentName, SessionName, is_valid_id


@dataclass(frozen=True, slots=True)
class ConversationName:
    """`AGENT/conversations/C`, where C is the id of the session."""

    template: ClassVar[str] = AgentName.template + "/conversations/{conversation}"

    agent: AgentName
    id: str

    @classmethod
    def parse(cls, text: str) -> "ConversationName":
        """The name that `text` spells; `InvalidName` otherwise."""
        agent, _, conversation = text.rpartition("/conversations/")
        if not is_valid_id(conversation):
            raise InvalidName(text, cls.template)
        try:
            return cls(AgentName.parse(agent), conversation)
        except InvalidName:
            raise InvalidName(text, cls.template) from None

    @classmethod
    def of_session(cls, session: str) -> "ConversationName":
        """The conversation of a session by its resource name, a draft's as `SessionName` gives it."""
        name = SessionName.parse(session)
        return cls(name.agent, name.session_id)

    @property
    def session(self) -> SessionName:
        """The session that it is."""
        return SessionName(self.agent, None, self.id)

    def __str__(self) -> str:
        return f"{self.agent}/conversations/{self.id}"
