"""The conversation as a person sees it."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import typer

from openplaybook.cli.chat.chat_files import FileInbox, SentFile, files_of, images_of, read_attachment, without_contents
from openplaybook.cli.chat.chat_session import (
    Answer,
    ChatSession,
    Happening,
    Reloaded,
    Spoken,
    ToolUsed,
    ends_conversation,
    read_result,
)
from openplaybook.cli.chat.handovers import Handover
from openplaybook.cli.errors import CommandError
from openplaybook.cli.output import harmless, json_text, print_json
from openplaybook.cli.safe_files import shown_name, shown_size
from openplaybook.jsonvalues import JsonObject, JsonValue

_SHOWN = 300
"""Characters of a tool's output."""

HELP = (
    "/params shows the session parameters, /attach PATH adds a file to your next message (/attach alone removes it), "
    "/help shows this line, /quit or the end of input ends the chat."
)
_NOT_SAVED = "--files DIR saves files"
_FENCE = "```"
"""Around code (CommonMark 0.31, 4.5)."""
_MORE = "...  "

Ask = Callable[[str], str]
"""Shows a prompt and gives the line typed; raises `EOFError` at the end of input."""


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


class Terminal:
    """Prints what happens, and asks a person what to say next."""

    def __init__(self, conversation: ChatSession, ask: Ask, inbox: FileInbox | None = None) -> None:
        self._conversation = conversation
        self._ask = ask
        self._inbox = inbox or FileInbox()
        self._hinted = self._inbox.folder is not None
        self._speech = ReplyPrinter()
        self._models: tuple[str, ...] = ()
        """Those that were told last."""

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
        try:
            for happening in turn:
                if not isinstance(happening, Spoken):
                    self._speech.end_line()
                self._show(happening)
        finally:
            self._speech.end_turn()
        self._inbox.end_turn()

    def _show(self, happening: Happening) -> None:
        match happening:
            case Spoken():
                self._speech.add(happening)
            case Handover():
                _show_handover(happening)
            case ToolUsed():
                _show_tool(happening)
                self._show_files(files_of(happening.output))
            case Reloaded():
                _show_reloaded(happening)
            case Answer():
                self._show_answer(happening)

    def _show_answer(self, answer: Answer) -> None:
        if answer.texts and not self._speech.replies:
            # The turn was answered before: nothing of it was streamed.
            for handover in answer.handovers:
                _show_handover(handover)
            for number, text in enumerate(answer.texts, 1):
                self._speech.add(Spoken(text, number))
            self._speech.end_line()
        for notice in answer.notices:
            typer.secho(f"  ! {harmless(notice)}", fg="yellow")
        for message in answer.messages:
            self._show_message(message)
        _show_calls(answer)
        if answer.models and answer.models != self._models:
            self._models = answer.models
            typer.secho(f"  model: {harmless(', '.join(answer.models))}", dim=True, err=True)

    def _next_turn(self) -> None:
        if self._conversation.open_calls:
            call = self._conversation.open_calls[0]
            result = read_result(self._ask(f"result of {call.action} (JSON, or error: …): "))
            self.play(self._conversation.give(call, result))
            return
        text = self._words()
        match text:
            case "":
                return
            case "/quit":
                raise EOFError
            case "/params":
                print_json(self._conversation.answer.parameters)
            case "/help":
                typer.echo(HELP)
            case "/attach":
                self._conversation.attachments = []
                typer.echo("  no file is attached")
            case _ if text.startswith("/attach "):
                self._attach(Path(text.removeprefix("/attach ").strip()))
            case _ if text.startswith("/"):
                typer.echo(f"unknown command {text}. {HELP}")
            case _:
                self.play(self._conversation.say(text))

    def _words(self) -> str:
        """What a person says: a line, or as many as it takes to close a fence that it opens."""
        text = self._ask("you: ").strip()
        while text.count(_FENCE) % 2:
            try:
                text += f"\n{self._ask(_MORE).rstrip()}"
            except EOFError:
                return text
        return text

    def _attach(self, path: Path) -> None:
        attachment = read_attachment(path)
        self._conversation.attachments.append(attachment)
        size = shown_size(len(attachment.data))
        typer.secho(f"  [file {shown_name(attachment.name)} {size}] is attached to your next message", fg="cyan")

    def _show_message(self, message: JsonObject) -> None:
        images = list(images_of(message))
        self._show_files(images)
        if not images:
            event = "conversation has ended" if ends_conversation(message) else f"agent sends {_short(message)}"
            typer.secho(f"  the {event}", fg="magenta")

    def _show_files(self, files: Iterable[SentFile]) -> None:
        for arrived in self._inbox.take(files):
            hint = "" if self._hinted else f"  ({_NOT_SAVED})"
            self._hinted = True
            typer.secho(f"    {arrived.line()}{hint}", fg="cyan")


def _show_handover(handover: Handover) -> None:
    typer.secho(f"  {harmless(handover.line())}", fg="cyan")


def _show_reloaded(reloaded: Reloaded) -> None:
    first, rest = reloaded.files[0], len(reloaded.files) - 1
    files = f"{first} and {rest} more changed" if rest else f"{first} changed"
    if reloaded.error:
        typer.secho(harmless(f"  ↻ {files}, but the agent is not reloaded: {reloaded.error}"), fg="yellow")
    else:
        typer.secho(harmless(f"  ↻ {files}: the agent is reloaded"), fg="cyan")


def _show_calls(answer: Answer) -> None:
    for call in answer.calls:
        typer.secho(
            f"  ? the agent calls the client-side tool {harmless(call.action)} {_short(call.input)}", fg="magenta"
        )


def _show_tool(use: ToolUsed) -> None:
    if not use.ended:
        typer.secho(f"  ⚙ {harmless(f'{use.tool}.{use.action}')} {_short(use.input)}", fg="cyan")
    elif use.error:
        typer.secho(f"    ✗ {harmless(use.error)}", fg="yellow")
    else:
        typer.secho(f"    ✓ {_short(without_contents(use.output))}", fg="cyan")


def _short(value: JsonValue) -> str:
    # The order of a Struct's members is lost on the way; by name they stand the same in every turn.
    text = json_text(value, sort_keys=True)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text)} characters)"
