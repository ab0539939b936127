"""The agent's words on the terminal, a line or more for each reply."""

from collections.abc import Sequence

import typer

from openplaybook.cli.output import harmless

_SENTENCE_ENDS = frozenset(".!?…")


class Speech:
    """Words of one turn, shown as they come.

    A stream does not say where a reply ends and the next begins. A piece that begins with a capital, with no blank
    between it and the end of a sentence, is taken for the beginning of a reply: within a reply there would be a blank.
    """

    def __init__(self) -> None:
        self._said = ""
        self._is_open = False

    def add(self, text: str) -> None:
        """Show a piece."""
        if self._is_open and self._begins_anew(text):
            self.end_line()
        typer.echo(harmless(text) if self._is_open else said(text), nl=False)
        self._is_open = True
        self._said += text

    def end_line(self) -> None:
        """What comes next is another reply, or no words."""
        if self._is_open:
            typer.echo()
        self._is_open = False

    def has_said(self, texts: Sequence[str]) -> bool:
        """Whether all of these have been shown, piece by piece."""
        return "".join("".join(texts).split()) == "".join(self._said.split())

    def _begins_anew(self, text: str) -> bool:
        return self._said[-1:] in _SENTENCE_ENDS and text[:1].isupper()


def said(text: str) -> str:
    """A reply, or the beginning of one, with who said it."""
    return typer.style("agent: ", fg="green") + harmless(text)
