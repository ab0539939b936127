"""The conversation for programs: one JSON object a line, in and out.

in   {"text": "…", "attach"?: ["PATH", …]} · {"output": {…}} or {"error": "…"} for the oldest open call
out  {"type": "session", "session", "server" (null: this command itself)} first, then for each turn any number of
     {"type": "reload", "files", "error"?} (of an agent that is made of files, which have changed) ·
     {"type": "speech", "text", "reply" (number of the reply in the turn), "speaker" (playbook, or agent of an app)} ·
     {"type": "handover", "who", "how": entered, left or moved} ·
     {"type": "tool", "tool", "action", "input", "ended", "output"?, "error"?} ·
     {"type": "file", "name", "bytes", "image", "path"?}, behind the call that gave it
     and one {"type": "answer", "texts", "calls": [{"tool", "action", "input", "id"}], "parameters",
     "messages" (payloads and the like, as Google's API has them), "notices" (remarks of the server),
     "handovers": [{"who", "how"}], "models" (names of those that decided)}
     or {"type": "error", "message"}
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from openplaybook.cli.chat.chat_files import FileInbox, files_of, read_attachment
from openplaybook.cli.chat.chat_session import (
    Answer,
    CallResult,
    ChatSession,
    Happening,
    OpenCall,
    Reloaded,
    Spoken,
    ToolUsed,
)
from openplaybook.cli.chat.handovers import Handover
from openplaybook.cli.errors import CommandError
from openplaybook.cli.output import print_json_line
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, loads


def converse(conversation: ChatSession, lines: Iterable[str], inbox: FileInbox) -> bool:
    """Run a turn a line until the lines end; whether every one of them was answered."""
    announce(conversation)
    ok = True
    for line in lines:
        if not line.strip():
            continue
        try:
            report(turn_of(conversation, line), inbox)
        except CommandError as error:
            print_json_line({"type": "error", "message": str(error)})
            ok = False
    return ok


def announce(conversation: ChatSession) -> None:
    """Print the session's name, so that it can be gone on with, and which server answers."""
    api = conversation.api
    server = None if api.is_own else api.base_url
    print_json_line({"type": "session", "session": conversation.session, "server": server})


def report(turn: Iterator[Happening], inbox: FileInbox) -> None:
    """Print one turn as it happens."""
    for happening in turn:
        print_json_line(_line(happening))
        if isinstance(happening, ToolUsed):
            for arrived in inbox.take(files_of(happening.output)):
                print_json_line({"type": "file", **arrived.to_json()})
    inbox.end_turn()


def turn_of(conversation: ChatSession, line: str) -> Iterator[Happening]:
    """The turn that a line asks for. Raises `CommandError` for a line that is none."""
    try:
        value: JsonValue = loads(line)
    except ValueError as error:
        raise CommandError(f"the line is not JSON: {error}") from error
    members = as_object(value)
    if isinstance(text := members.get("text"), str):
        paths = [Path(str(path)) for path in as_list(members.get("attach"))]
        conversation.attachments += [read_attachment(path) for path in paths]
        return conversation.say(text)
    if isinstance(members.get("output"), dict):
        return conversation.give(_oldest(conversation), CallResult(output=as_object(members["output"])))
    if isinstance(message := members.get("error"), str):
        return conversation.give(_oldest(conversation), CallResult(error=message))
    raise CommandError('a line must be {"text": "…"}, {"output": {…}} or {"error": "…"}')


def _oldest(conversation: ChatSession) -> OpenCall:
    if not conversation.open_calls:
        raise CommandError("no tool call is waiting for a result")
    return conversation.open_calls[0]


def _line(happening: Happening) -> JsonObject:
    match happening:
        case Spoken(text, reply, speaker):
            return {"type": "speech", "text": text, "reply": reply, "speaker": speaker}
        case Handover():
            return {"type": "handover", **happening.to_json()}
        case ToolUsed():
            return {
                "type": "tool",
                **{key: value for key, value in asdict(happening).items() if value not in (None, "")},
            }
        case Reloaded(files, error):
            return {"type": "reload", "files": list(files), **({"error": error} if error else {})}
        case Answer():
            return {"type": "answer", **happening.to_json()}
