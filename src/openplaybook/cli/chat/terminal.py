"""The conversation as a person sees it."""

from collections.abc import Callable, Iterator

import typer

from openplaybook.cli.chat.conversation import Answer, Conversation, Happening, Spoken, ToolUsed
from openplaybook.cli.chat.results import read_result
from openplaybook.cli.errors import CommandError
from openplaybook.cli.output import harmless, json_text, print_json
from openplaybook.jsonvalues import JsonValue

_SHOWN = 300
"""Characters of a tool's output."""

HELP = "/params shows the session's parameters, /help this line, /quit (or end of input) ends."

Ask = Callable[[str], str]
"""Shows a prompt and gives the line typed; raises `EOFError` at the end of input."""


class Terminal:
    """Prints what happens, and asks a person what to say next."""

    def __init__(self, conversation: Conversation, ask: Ask) -> None:
        self._conversation = conversation
        self._ask = ask

    def talk(self) -> None:
        """Until the input ends. Errors of the server are shown and the conversation goes on."""
        while True:
            try:
                self._next_turn()
            except (EOFError, KeyboardInterrupt):
                typer.echo()
                return
            except CommandError as error:
                typer.secho(f"error: {harmless(str(error))}", fg="red", err=True)

    def play(self, turn: Iterator[Happening]) -> None:
        """Show one turn as it happens."""
        spoken = ""
        for happening in turn:
            match happening:
                case Spoken(text):
                    typer.echo(harmless(text) if spoken else _said(text), nl=False)
                    spoken += text
                case ToolUsed():
                    _end_line(spoken)
                    spoken = ""
                    _show_tool(happening)
                case Answer():
                    _end_line(spoken)
                    _show_answer(happening, spoken)

    def _next_turn(self) -> None:
        if self._conversation.open_calls:
            call = self._conversation.open_calls[0]
            result = read_result(self._ask(f"result of {call.action} (JSON, or error: …): "))
            self.play(self._conversation.give(call, result))
            return
        text = self._ask("you: ").strip()
        match text:
            case "":
                return
            case "/quit":
                raise EOFError
            case "/params":
                print_json(self._conversation.answer.parameters)
            case "/help":
                typer.echo(HELP)
            case _ if text.startswith("/"):
                typer.echo(f"no command {text}. {HELP}")
            case _:
                self.play(self._conversation.say(text))


def _said(text: str) -> str:
    return typer.style("agent: ", fg="green") + harmless(text)


def _end_line(spoken: str) -> None:
    if spoken:
        typer.echo()


def _show_answer(answer: Answer, spoken: str) -> None:
    # The words of an answer have been shown already where the model spoke them piece by piece.
    if answer.texts and "".join(answer.texts).split() != spoken.split():
        typer.echo(_said("\n".join(answer.texts)))
    for notice in answer.notices:
        typer.secho(f"  ! {harmless(notice)}", fg="yellow")
    for message in answer.messages:
        ended = "endInteraction" in message
        typer.secho("  the conversation has ended" if ended else f"  the agent sends {_short(message)}", fg="magenta")
    for call in answer.calls:
        typer.secho(f"  ? the agent asks this client for {harmless(call.action)} {_short(call.input)}", fg="magenta")


def _show_tool(use: ToolUsed) -> None:
    if not use.ended:
        typer.secho(f"  ⚙ {harmless(f'{use.tool}.{use.action}')} {_short(use.input)}", fg="cyan")
    elif use.error:
        typer.secho(f"    ✗ {harmless(use.error)}", fg="yellow")
    else:
        typer.secho(f"    ✓ {_short(use.output)}", fg="cyan")


def _short(value: JsonValue) -> str:
    # The order of a Struct's members is lost on the way; by name they stand the same in every turn.
    text = json_text(value, sort_keys=True)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text)} characters)"
