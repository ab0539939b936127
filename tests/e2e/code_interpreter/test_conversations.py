"""Data analysis, held by Google's own clients: words and files go in, code is written and runs, results come out."""

from collections.abc import Iterator
from itertools import cycle
from typing import TypeAlias

import pytest

from tests.e2e.code_interpreter.analyst import Analyst, Came
from tests.e2e.code_interpreter.conversation import Conversation, Turn
from tests.e2e.code_interpreter.conversations import CONVERSATIONS
from tests.e2e.code_interpreter.script import FAILED
from tests.e2e.kit.google import TRANSPORTS, VERSIONS, Google
from tests.e2e.kit.server import Server
from tests.kit.background import Background

Client: TypeAlias = tuple[str, str]
"""Version and transport."""

_PICTURES = (".png", ".jpg", ".gif")


def _each() -> Iterator[object]:
    """Every conversation, with one of the clients in turn."""
    clients = cycle((version, transport) for version in VERSIONS for transport in TRANSPORTS)
    for conversation, client in zip(CONVERSATIONS, clients, strict=False):
        yield pytest.param(conversation, client, id=f"{conversation.about}, {'-'.join(client)}")


@pytest.fixture
def google(client: Client, interpreter: Server, background: Background) -> Iterator[Google]:
    clients = Google(*client, interpreter, background)
    yield clients
    clients.close()


@pytest.mark.proves("B2", "B3", "B5")
@pytest.mark.parametrize(("conversation", "client"), list(_each()))
def test_data_is_analysed_in_conversations(conversation: Conversation, google: Google, agent: str) -> None:
    session = str(CONVERSATIONS.index(conversation))
    for turn in conversation.turns:
        check_turn(turn, Analyst(google, agent).take(turn, session))


def check_turn(turn: Turn, came: Came) -> None:
    """Hold what came of a turn against what has to."""
    error = came.output["execution_error"].rstrip()
    assert (bool(error), error.endswith(turn.error)) == (bool(turn.error), True), error
    assert came.output["execution_result"] == turn.result
    assert came.output["generated_code"].strip() == turn.code[-1].strip()
    assert came.said == [FAILED if turn.error else f"Result: {turn.result}"]
    assert came.output.keys() == {"generated_code", "execution_result", "execution_error", "output_files"}
    assert came.files.keys() == turn.files.keys()
    for name, check in turn.files.items():
        check(came.files[name])
    assert came.images == {name: data for name, data in came.files.items() if name.endswith(_PICTURES)}
