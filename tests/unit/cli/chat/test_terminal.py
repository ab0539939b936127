"""The agent's words on the terminal."""

from collections.abc import Sequence

import pytest

from openplaybook.cli.chat.chat_session import Spoken
from openplaybook.cli.chat.terminal import ReplyPrinter


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        ([Spoken("One", 1), Spoken(" moment.", 1)], "agent: One moment.\n"),
        ([Spoken("It is example.", 1), Spoken("Com.", 1)], "agent: It is example.Com.\n"),
        ([Spoken("one moment", 1), Spoken("done", 2)], "agent: one moment\nagent: done\n"),
        ([Spoken("A \x1b[31m", 1)], "agent: A \\x1b[31m\n"),
        ([Spoken("I am back.", 0)], "agent: I am back.\n"),
    ],
)
def test_pieces_of_one_reply_share_a_line(
    pieces: Sequence[Spoken], shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    speech = ReplyPrinter()
    for piece in pieces:
        speech.add(piece)
    speech.end_turn()
    assert capsys.readouterr().out == shown


def test_a_speaker_is_named_where_another_one_spoke_before(capsys: pytest.CaptureFixture[str]) -> None:
    speech = ReplyPrinter()
    for speaker, number in (("Start", 1), ("Returns", 2), ("Returns", 3)):
        speech.add(Spoken("Hello.", number, speaker))
    speech.end_turn()
    speech.add(Spoken("Hello.", 1, "Start\x1b"))
    assert capsys.readouterr().out.splitlines() == [
        "agent: Hello.",
        "agent (Returns): Hello.",
        "agent: Hello.",
        "agent (Start\\x1b): Hello.",
    ]


def test_a_new_turn_begins_with_a_new_line(capsys: pytest.CaptureFixture[str]) -> None:
    speech = ReplyPrinter()
    speech.add(Spoken("One.", 1))
    speech.end_turn()
    assert speech.replies == 0
    speech.add(Spoken("Two.", 1))
    speech.end_turn()
    assert capsys.readouterr().out == "agent: One.\nagent: Two.\n"
