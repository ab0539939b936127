"""SessionInputs of one request, or of one turn of a stream, as one input of the engine."""

import base64
import mimetypes
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.services.ces.tool_messages import result_of
from openplaybook.services.errors import invalid, unimplemented
from openplaybook.services.turn_requests import struct_json
from openplaybook.turns.base import NoInput, TextInput, ToolResultInput, ToolResultsInput, TurnInput
from openplaybook.wire.api import Api
from openplaybook.wire.messages import ApiMessage

_EVENT = re.compile(r"<event>.*</event>", re.DOTALL)
_UNSERVED = {"audio": "audio", "dtmf": "DTMF digits"}
_SERVED = "give text, event, tool_responses, variables, blob or image"


@dataclass(frozen=True, slots=True)
class TurnInputs:
    """What a user, or the client in their name, brings into a turn."""

    input: TurnInput
    variables: JsonObject = field(default_factory=dict[str, JsonValue], repr=False)
    files: tuple[JsonObject, ...] = field(default=(), repr=False)
    """`{name, mimeType, contents}`, contents in base64."""


@dataclass(slots=True)
class _Read:
    """Inputs as far as they are read."""

    texts: list[str] = field(default_factory=list[str])
    events: list[str] = field(default_factory=list[str])
    results: list[ToolResultInput] = field(default_factory=list[ToolResultInput])
    variables: JsonObject = field(default_factory=dict[str, JsonValue])
    files: list[JsonObject] = field(default_factory=list[JsonObject])
    goes_on: bool = False
    """Whether the last text is a fragment, which the next one continues."""
    is_given: bool = False
    """Whether there is any input."""


def read_inputs(api: Api, inputs: Iterable[ApiMessage]) -> TurnInputs:
    """What the inputs come to together: variables and files go with the one text, event or set of tool responses.

    Texts are joined: a fragment (`will_continue`) as it stands, else line by line. INVALID_ARGUMENT with the input's
    path; UNIMPLEMENTED for audio and DTMF.
    """
    read = _Read()
    for index, session_input in enumerate(inputs):
        path, kind = f"inputs[{index}]", session_input.WhichOneof("input_type")
        if kind is None:
            raise invalid((path, f"is empty: {_SERVED}"))
        if kind in _UNSERVED:
            raise unimplemented(f"{path}: input as {_UNSERVED[kind]} is not served yet: {_SERVED}")
        _READERS[kind](api, session_input, path, read)
        read.is_given = True
    return TurnInputs(_input(read), read.variables, tuple(read.files))


def file_bytes(inputs: Iterable[ApiMessage]) -> int:
    """Bytes of the files in the inputs."""
    return sum(len(session_input.blob.data) + len(session_input.image.data) for session_input in inputs)


def event_text(event: str) -> str:
    """How an event stands in a conversation: models and agents know events by these words."""
    return f"<event>{event}</event>"


def is_event(text: str) -> bool:
    """Whether words are those of an event."""
    return _EVENT.fullmatch(text.strip()) is not None


def _input(read: _Read) -> TurnInput:
    inputs = {"text": read.texts, "event": read.events, "tool_responses": read.results}
    kinds = [name for name, values in inputs.items() if values]
    if len(kinds) > 1:
        raise invalid(("inputs", f"{' and '.join(kinds)} cannot be in one request: send one per turn"))
    if read.results:
        return ToolResultsInput(tuple(read.results))
    if len(read.events) > 1:
        raise invalid(("inputs", f"{len(read.events)} events cannot be in one request: send one per turn"))
    if read.events:
        return TextInput(event_text(read.events[0]))
    if read.texts:
        return TextInput(read.texts[0])
    if read.files:
        raise invalid(("inputs", "a file requires a text that says what it is for"))
    if not read.is_given:
        raise invalid(("inputs", f"is required: {_SERVED}"))
    return NoInput()


def _read_text(api: Api, session_input: ApiMessage, path: str, read: _Read) -> None:
    if not session_input.text.strip() and not (session_input.will_continue or read.goes_on):
        raise invalid((f"{path}.text", "is empty"))
    separator = "" if read.goes_on else "\n"
    read.texts = [separator.join((*read.texts, session_input.text))]
    read.goes_on = session_input.will_continue


def _read_event(api: Api, session_input: ApiMessage, path: str, read: _Read) -> None:
    if not session_input.event.event:
        raise invalid((f"{path}.event.event", "is required"))
    read.events.append(session_input.event.event)


def _read_responses(api: Api, session_input: ApiMessage, path: str, read: _Read) -> None:
    if not session_input.tool_responses.tool_responses:
        raise invalid((f"{path}.tool_responses.tool_responses", "is required"))
    for index, response in enumerate(session_input.tool_responses.tool_responses):
        read.results.append(result_of(api, response, f"{path}.tool_responses.tool_responses[{index}]"))


def _read_variables(api: Api, session_input: ApiMessage, path: str, read: _Read) -> None:
    read.variables |= as_object(struct_json(api, session_input.variables))


def _read_file(api: Api, session_input: ApiMessage, path: str, read: _Read) -> None:
    kind = session_input.WhichOneof("input_type")
    file = getattr(session_input, kind)
    if not file.mime_type:
        raise invalid((f"{path}.{kind}.mime_type", "is required"))
    name = f"{kind}-{len(read.files) + 1}{mimetypes.guess_extension(file.mime_type) or ''}"
    contents = base64.b64encode(file.data).decode("ascii")
    read.files.append({"name": name, "mimeType": file.mime_type, "contents": contents})


_READERS: Mapping[str, Callable[[Api, ApiMessage, str, _Read], None]] = {
    "text": _read_text,
    "event": _read_event,
    "tool_responses": _read_responses,
    "variables": _read_variables,
    "blob": _read_file,
    "image": _read_file,
}
