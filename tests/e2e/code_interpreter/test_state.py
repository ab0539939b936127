"""What lasts from one turn to the next, and what never gets into another conversation."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.code_interpreter.analyst import Analyst, make_analyst
from tests.e2e.code_interpreter.conversation import Turn
from tests.e2e.code_interpreter.conversations.several_turns import FRESH, LEFT_BEHIND
from tests.e2e.kit.google import Google
from tests.e2e.kit.server import Server, running
from tests.kit.background import Background
from tests.kit.http_peer import HttpPeer

REMEMBER, ASK = FRESH.turns
LEAVE, LOOK = LEFT_BEHIND.turns


@pytest.fixture
def analyst(tmp_path: Path, script: Path, background: Background, reports: HttpPeer) -> Iterator[Analyst]:
    """An agent whose conversations keep their variables."""
    with running(tmp_path, "--model", f"scripted:{script}", "--code-sessions", "conversation") as server:
        google = Google("v3", "rest", server, background)
        yield Analyst(google, make_analyst(google, reports))
        google.close()


def result(analyst: Analyst, turn: Turn, session: str) -> str:
    return str(analyst.take(turn, session).output["execution_result"])


def test_variables_last_through_a_conversation_and_not_into_another(analyst: Analyst) -> None:
    assert [result(analyst, turn, "s1") for turn in (REMEMBER, ASK)] == ["", "True"]
    assert result(analyst, ASK, "s2") == "False"
    assert result(analyst, ASK, "s1") == "True"


@pytest.mark.proves("B5")
def test_nothing_gets_into_another_conversation(interpreter: Server, background: Background, agent: str) -> None:
    google = Google("v3beta1", "rest", interpreter, background)
    alone = Analyst(google, agent)
    assert result(alone, LEAVE, "mine") == ""
    assert result(alone, LOOK, "other") == "[] False 6.28"
    google.close()
