"""`openplaybook record`: conversations as files that can be replayed."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import DataDir, ModelName

if TYPE_CHECKING:
    from openplaybook.cli.api_client import ApiClient
    from openplaybook.cli.chat.chat_session import ChatSession
    from openplaybook.jsonvalues import JsonObject

_STANDARD = Path("-")


def record(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT", help="Agent or app of the server; with --test-cases also a package of an agent."
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="File to write; - is standard output. With --test-cases, a folder.")
    ],
    session: Annotated[str | None, typer.Option(help="Id of a past session to record.")] = None,
    input_file: Annotated[
        Path | None,
        typer.Option(
            "--input",
            metavar="FILE",
            help="New conversation: each line is a message of the user, or a JSON object as for chat --json.",
        ),
    ] = None,
    test_cases: Annotated[
        bool, typer.Option("--test-cases", help="Convert the agent's Dialogflow test cases to recordings.")
    ] = False,
    title: Annotated[str, typer.Option(help="Title of the recording.")] = "",
    language: Annotated[str | None, typer.Option(help="Language code.", show_default="the agent's")] = None,
    data_dir: DataDir = None,
    model: ModelName = None,
) -> None:
    """Record a conversation in a file: its messages, the model's decisions and the tool results.

    Without --session, --input and --test-cases, you chat with the agent now. Secrets are not written.
    """
    if [session is not None, input_file is not None, test_cases].count(True) > 1:
        raise CommandError("give only one of --session, --input and --test-cases", exit_code=2)
    if test_cases:
        _record_test_cases(agent, output, data_dir)
        return
    from uuid import uuid4

    from openplaybook.cli.access import server_api
    from openplaybook.cli.resource_lookup import find_agent, is_app, path_of

    if input_file is None and session is None and output == _STANDARD:
        raise CommandError("the chat itself uses standard output: name a file with -o", exit_code=2)
    with server_api(data_dir=data_dir, model=model) as api:
        resource = find_agent(api, agent)
        if language and is_app(str(resource["name"])):
            raise CommandError("--language is for agents of Dialogflow CX", exit_code=2)
        name = f"{resource['name']}/sessions/{session or uuid4()}"
        if session is None:
            _converse(api, resource, name, language, input_file, is_shown=output != _STANDARD)
        _write(output, _titled(str(api.get(f"{path_of(name)}:record")["recording"]), title))


def _converse(
    api: "ApiClient",
    agent: "JsonObject",
    session: str,
    language: str | None,
    input_file: Path | None,
    *,
    is_shown: bool,
) -> None:
    from openplaybook.cli.chat.app_chat import AppChatSession
    from openplaybook.cli.chat.chat_session import ChatSession
    from openplaybook.cli.chat.command import talk
    from openplaybook.cli.resource_lookup import is_app

    kind = AppChatSession if is_app(session) else ChatSession
    conversation = kind(api, session, language or str(agent.get("defaultLanguageCode", "en")))
    if input_file is None:
        talk(conversation, str(agent["displayName"]))
    else:
        _play(conversation, _lines(input_file), is_shown=is_shown)


def _play(conversation: "ChatSession", lines: Iterable[str], *, is_shown: bool) -> None:
    from openplaybook.cli.chat.json_lines import turn_of
    from openplaybook.cli.chat.terminal import Terminal

    terminal = Terminal(conversation, input)
    for line in filter(str.strip, lines):
        turn = turn_of(conversation, line) if line.lstrip().startswith("{") else conversation.say(line.strip())
        if is_shown:
            terminal.play(turn)
        else:
            for _ in turn:
                pass


def _lines(path: Path) -> list[str]:
    try:
        return (sys.stdin.read() if path == _STANDARD else path.read_text("utf-8")).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else "") or error
        raise CommandError(f"{path} cannot be read: {reason}", exit_code=2) from error


def _titled(recording: str, title: str) -> str:
    from openplaybook.recordings.recording_yaml import parse_recording, write_recording

    return write_recording(parse_recording(recording).model_copy(update={"title": title})) if title else recording


def _record_test_cases(agent: str, folder: Path, data_dir: Path | None) -> None:
    from openplaybook.packages.dialogflow.agent_reader import read_package
    from openplaybook.packages.errors import PackageError
    from openplaybook.recordings.errors import UnreadableTestCase
    from openplaybook.recordings.recording_yaml import write_recording
    from openplaybook.recordings.test_cases import recordings_of

    source = Path(agent) if Path(agent).exists() else _exported(agent, data_dir)
    try:
        package, _ = read_package(source, "projects/-/locations/-/agents/-")
        recordings = recordings_of(package)
    except (PackageError, UnreadableTestCase) as error:
        raise CommandError(str(error), exit_code=2) from error
    if not recordings:
        raise CommandError(f"{agent} has no test cases", exit_code=2)
    for name, recording in recordings.items():
        _write(folder / f"{name}.yaml", write_recording(recording))


def _exported(agent: str, data_dir: Path | None) -> bytes:
    from openplaybook.cli.access import server_api
    from openplaybook.cli.package_transfer import export_package
    from openplaybook.cli.resource_lookup import find_dialogflow_agent

    with server_api(data_dir=data_dir) as api:
        return export_package(api, str(find_dialogflow_agent(api, agent)["name"]))


def _write(path: Path, text: str) -> None:
    if path == _STANDARD:
        typer.echo(text, nl=False)
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}", exit_code=2) from error
    typer.echo(str(path))
