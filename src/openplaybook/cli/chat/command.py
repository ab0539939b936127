"""`openplaybook chat`: talk to an agent."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import DataDir, ModelName

if TYPE_CHECKING:
    from openplaybook.cli.api_client import ApiClient
    from openplaybook.cli.chat.chat_files import FileInbox
    from openplaybook.cli.chat.chat_session import ChatSession, Reloaded
    from openplaybook.jsonvalues import JsonObject

WAITING = 3
"""Exit code when the session waits for a result that was not given."""


def chat(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT|FOLDER",
            help="Full name or display name of the agent; or a folder or zip file with an agent.",
        ),
    ],
    message: Annotated[
        list[str] | None,
        typer.Option("-m", "--message", metavar="TEXT", help="Send this message, then exit. May be repeated."),
    ] = None,
    result: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RESULT",
            help="With --message: result of the next client-side tool call, as JSON or error: TEXT. May be repeated.",
        ),
    ] = None,
    session: Annotated[
        str | None, typer.Option(help="Id of the session to continue.", show_default="a new one")
    ] = None,
    language: Annotated[str | None, typer.Option(help="Language code.", show_default="the agent's")] = None,
    client_tools: Annotated[
        bool, typer.Option("--client-tools", help="Make every tool call yourself: you type each result.")
    ] = False,
    attach: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="Attach this file to the first message. May be repeated."),
    ] = None,
    files: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Save the files that the agent sends here.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Read and write one JSON object per line.")] = False,
    data_dir: DataDir = None,
    model: ModelName = None,
) -> None:
    """Talk to an agent and watch its tools work.

    If the agent calls a client-side tool, you type the result.

    An agent in a folder is loaded for this chat only. If you change its files, your next message goes to the changed
    agent.

    With --message, the command ends after the last message. Exit code 1: an error; 3: the session waits for a result.
    """
    from uuid import uuid4

    from openplaybook.cli.access import server_api, server_line
    from openplaybook.cli.chat.app_chat import AppChatSession
    from openplaybook.cli.chat.chat_files import FileInbox, read_attachment
    from openplaybook.cli.chat.chat_session import ChatSession
    from openplaybook.cli.chat.json_lines import converse
    from openplaybook.cli.resource_lookup import is_app

    if result and not message:
        raise CommandError("--result requires --message", exit_code=2)
    attachments, inbox = [read_attachment(path) for path in attach or ()], FileInbox(files)
    with server_api(data_dir=data_dir, model=model) as api, _partner(api, agent, session) as (resource, refresh):
        of_app = is_app(str(resource["name"]))
        if of_app and (client_tools or language):
            raise CommandError("--client-tools and --language work only with Dialogflow CX agents", exit_code=2)
        conversation = (AppChatSession if of_app else ChatSession)(
            api=api,
            session=f"{resource['name']}/sessions/{session or uuid4()}",
            language=language or str(resource.get("defaultLanguageCode", "en")),
            client_execution=client_tools,
            attachments=attachments,
            refresh=refresh,
        )
        if not as_json:
            typer.secho(server_line(api), dim=True, err=True)
        if message:
            raise typer.Exit(_play_script(conversation, message, result or [], inbox, as_json=as_json))
        if as_json:
            raise typer.Exit(0 if converse(conversation, sys.stdin, inbox) else 1)
        talk(conversation, str(resource["displayName"]), inbox)


@contextmanager
def _partner(
    api: "ApiClient", name: str, session: str | None
) -> "Generator[tuple[JsonObject, Callable[[], Reloaded | None]]]":
    """The agent to talk to, and what brings it up to its files where it is made of some."""
    from openplaybook.cli.resource_lookup import find_agent, is_package

    if not is_package(name):
        yield find_agent(api, name), lambda: None
        return
    from openplaybook.cli.chat.folder_agent import folder_agent
    from openplaybook.cli.package_report import show_notes

    if session is not None:
        raise CommandError(
            "--session works only with agents of the server; the session of a folder ends with its chat", exit_code=2
        )
    with folder_agent(api, Path(name)) as folder:
        show_notes(folder.imported.notes)
        yield folder.resource, folder.refresh


def _play_script(
    session: "ChatSession", messages: list[str], results: list[str], inbox: "FileInbox", *, as_json: bool
) -> int:
    """Say each message, give each result when a call waits for one; the exit code. Raises `CommandError`."""
    from openplaybook.cli.chat.chat_session import read_result
    from openplaybook.cli.chat.json_lines import announce, report
    from openplaybook.cli.chat.terminal import Terminal

    left = [read_result(text) for text in results]
    if as_json:
        announce(session)
    play = partial(report, inbox=inbox) if as_json else Terminal(session, input, inbox).play
    for message in messages:
        play(session.say(message))
        while session.open_calls and left:
            play(session.give(session.open_calls[0], left.pop(0)))
    if session.open_calls and not as_json:
        typer.secho("the conversation waits for the result; --result gives it", dim=True, err=True)
    return WAITING if session.open_calls else 0


def talk(conversation: "ChatSession", agent: str, inbox: "FileInbox | None" = None) -> None:
    """Let a person talk to the agent, known by a display name, until the input ends."""
    from openplaybook.cli.chat.terminal import HELP, Terminal

    # Gives `input` editing and history, where Python has it.
    with suppress(ImportError):
        import_module("readline")
    typer.secho(f"Talking to {agent}. {HELP}", dim=True)
    Terminal(conversation, input if sys.stdin.isatty() else _read_line, inbox).talk()


def _read_line(prompt: str) -> str:
    """A line of a file or pipe, shown after the prompt as if it had been typed."""
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    typer.echo(f"{prompt}{line.rstrip()}")
    return line
