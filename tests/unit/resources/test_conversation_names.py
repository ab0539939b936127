import pytest

from openplaybook.resources.conversation_names import ConversationName
from openplaybook.resources.errors import InvalidName

AGENT = "projects/p/locations/global/agents/a"


def test_a_conversation_is_the_session_of_its_id() -> None:
    name = ConversationName.parse(f"{AGENT}/conversations/c")
    assert (str(name), str(name.agent), name.id) == (f"{AGENT}/conversations/c", AGENT, "c")
    assert str(name.session) == f"{AGENT}/sessions/c"
    assert ConversationName.of_session(f"{AGENT}/sessions/c") == name


@pytest.mark.parametrize("text", ["", AGENT, f"{AGENT}/conversations/", f"{AGENT}/sessions/c", "conversations/c"])
def test_what_is_no_conversations_name_is_refused(text: str) -> None:
    with pytest.raises(InvalidName, match=r"expected projects/\{project\}/.*/conversations/\{conversation\}$"):
        ConversationName.parse(text)
