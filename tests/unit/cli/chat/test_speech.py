"""The agent's words on the terminal."""

from collections.abc import Sequence

import pytest

from openplaybook.cli.chat.speech import Speech


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (["One", " moment", ", please."], "agent: One moment, please.\n"),
        (["Please wait.", "I am Returns."], "agent: Please wait.\nagent: I am Returns.\n"),
        (["It is 3.", "5 degrees."], "agent: It is 3.5 degrees.\n"),
        (["See example.", "com."], "agent: See example.com.\n"),
        (["It is done.", " Anything else?"], "agent: It is done. Anything else?\n"),
        (["A \x1b[31m"], "agent: A \\x1b[31m\n"),
    ],
)
def test_a_reply_that_begins_where_another_ended_has_a_line_of_its_own(
    pieces: Sequence[str], shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    speech = Speech()
    for piece in pieces:
        speech.add(piece)
    speech.end_line()
    assert capsys.readouterr().out == shown


def test_words_before_and_after_a_tool_call_are_all_known_to_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    speech = Speech()
    speech.add("Let me ")
    speech.add("look.")
    speech.end_line()
    speech.add("Here it is.")
    assert speech.has_said(["Let me look.", "Here it is."])
    assert not speech.has_said(["Here it is."])
    assert capsys.readouterr().out == "agent: Let me look.\nagent: Here it is."
