"""The agent's words on the terminal, a line or more for each reply."""

import typer

from openplaybook.cli.chat.chat_session import Spoken
from openplaybook.cli.output import harmless


class ReplyPrinter:
    """Words of a conversation, shown as they come. A speaker is named where another one spoke before."""

    def __init__(self) -> None:
        self.replies = 0
        """How many replies of the turn were shown, at least in part."""
        self._speaker = ""
        self._is_open = False

    def add(self, spoken: Spoken) -> None:
        """Show a reply, or a piece of one."""
        if spoken.reply != self.replies:
            self.end_line()
        self.replies = spoken.reply
        typer.echo(harmless(spoken.text) if self._is_open else self._begun(spoken), nl=False)
        self._is_open = True

    def end_line(self) -> None:
        """What comes next is another reply, or no words."""
        if self._is_open:
            typer.echo()
        self._is_open = False

    def end_turn(self) -> None:
        """What comes next is of another turn."""
        self.end_line()
        self.replies = 0

    def _begun(self, spoken: Spoken) -> str:
        is_other = self._speaker not in ("", spoken.speaker) and spoken.speaker
        self._speaker = spoken.speaker or self._speaker
        who = f"agent ({harmless(spoken.speaker)}): " if is_other else "agent: "
        return typer.style(who, fg="green") + harmless(spoken.text)
