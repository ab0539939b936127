"""A conversation given on the command line: messages to say, results to give when they are asked for."""

from collections.abc import Sequence
from functools import partial

import typer

from openplaybook.cli.chat.chat_files import FileInbox
from openplaybook.cli.chat.chat_session import ChatSession
from openplaybook.cli.chat.json_lines import announce, report
from openplaybook.cli.chat.results import read_result
from openplaybook.cli.chat.terminal import Terminal

WAITING = 3
"""Exit code when the session waits for a result that was not given."""


def play_script(
    conversation: ChatSession, messages: Sequence[str], results: Sequence[str], inbox: FileInbox, *, as_json: bool
) -> int:
    """Say each message, give each result when a call waits for one; the exit code. Raises `CommandError`."""
    given = [read_result(text) for text in results]
    if as_json:
        announce(conversation)
    play = partial(report, inbox=inbox) if as_json else Terminal(conversation, input, inbox).play
    for message in messages:
        play(conversation.say(message))
        while conversation.open_calls and given:
            play(conversation.give(conversation.open_calls[0], given.pop(0)))
    if conversation.open_calls and not as_json:
        typer.secho("the conversation waits for the result; --result gives it", dim=True, err=True)
    return WAITING if conversation.open_calls else 0
