"""Files that tools gave back: handles in journals, base64 to clients.

Google's code interpreter gives `output_files: [{name, contents}]`. Inside, `contents` is the handle of a file of the
session; here it becomes the file.
"""

import base64
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.builtin_tools import is_builtin
from openplaybook.resources.call_spellings import documented_arguments
from openplaybook.storage.base import Store
from openplaybook.tools.base import StoredFile
from openplaybook.tools.file_types import image_type
from openplaybook.tools.session_files import SessionFiles
from openplaybook.turns.base import Message, RichMessage, TextMessage, ToolStep, TraceStep, TurnResult

MAX_SHOWN_BYTES = 32 * 1024 * 1024
"""Of files, in one response."""

_FILES = "output_files"
_GONE = "The file is no longer stored."
_TOO_MUCH = f"Left out: the files of a response have at most {MAX_SHOWN_BYTES} bytes. Get it by its name."


@dataclass(frozen=True, slots=True)
class ResponseFiles:
    """Files of one session, read for one response."""

    prefix: str = "/"
    """Of their handles."""
    files: Mapping[str, StoredFile | None] = field(default_factory=dict[str, StoredFile | None], repr=False)
    """By handle; None for one that is gone. What is not in it was too much."""

    @property
    def size(self) -> int:
        """Bytes of all of them."""
        return sum(len(file.data) for file in self.files.values() if file is not None)

    def step(self, step: TraceStep) -> TraceStep:
        """A step of a turn as clients see it: as documented, with its files."""
        if not isinstance(step, ToolStep):
            return step
        changes: JsonObject = {}
        if is_builtin(step.tool):
            changes["arguments"] = documented_arguments(step.action, step.arguments)
        if step.output is not None and (opened := self.output(step.output)) is not step.output:
            changes["output"] = opened
        return replace(step, **changes) if changes else step

    def output(self, output: JsonValue) -> JsonValue:
        """A tool's output with its files."""
        if not any(True for _ in handles_in(output, self.prefix)):
            return output
        opened: JsonObject = {name: self._opened(value) for name, value in as_object(output).items()}
        return self._opened(opened)

    def messages(self, result: TurnResult) -> tuple[Message, ...]:
        """What a turn says, with the images that its calls gave behind the agent's words."""
        images = [self._image(file) for file in self._server_files(result.trace)]
        rich_images = [image for image in images if image is not None]
        behind = max(
            (at for at, message in enumerate(result.messages, 1) if isinstance(message, TextMessage)), default=0
        )
        return (*result.messages[:behind], *rich_images, *result.messages[behind:])

    def _server_files(self, trace: Iterable[TraceStep]) -> Iterator[StoredFile]:
        """Files that calls of the server gave, each once."""
        outputs = (call.output for call in trace if isinstance(call, ToolStep) and _is_server_call(call))
        handles = dict.fromkeys(handle for output in outputs for handle in handles_in(output, self.prefix))
        for handle in handles:
            file = self.files.get(handle)
            if file is not None:
                yield file

    def _image(self, file: StoredFile) -> RichMessage | None:
        """The image of a file as Dialogflow Messenger shows it; None for a file of another kind."""
        media_type = image_type(file.data)
        if not media_type:
            return None
        url = f"data:{media_type};base64,{base64.b64encode(file.data).decode('ascii')}"
        image: JsonObject = {"type": "image", "rawUrl": url, "accessibilityText": file.name}
        return RichMessage({"payload": {"richContent": [[image]]}})

    def _opened(self, value: JsonValue) -> JsonValue:
        """A value that may have `output_files`, with their contents."""
        members = as_object(value)
        if _FILES not in members:
            return value
        return {**members, _FILES: [self._file(each) for each in as_list(members[_FILES])]}

    def _file(self, entry: JsonValue) -> JsonValue:
        handle = as_object(entry).get("contents")
        if not isinstance(handle, str) or not handle.startswith(self.prefix):
            return entry
        shown_entry: JsonObject = {"name": as_object(entry).get("name", ""), "contents": ""}
        if handle not in self.files:
            return {**shown_entry, "note": f"{_TOO_MUCH} {handle}"}
        file = self.files[handle]
        if file is None:
            return {**shown_entry, "note": _GONE}
        return {**shown_entry, "contents": base64.b64encode(file.data).decode("ascii")}


NO_FILES = ResponseFiles()


async def files_of(store: Store, session: str, trace: Iterable[TraceStep]) -> ResponseFiles:
    """The files that the calls of a trace gave, as `read_files`; `session` is its name."""
    return await read_files(store, session, (step.output for step in trace if isinstance(step, ToolStep)))


async def read_files(store: Store, session: str, outputs: Iterable[JsonValue]) -> ResponseFiles:
    """The files that outputs of tools name, in order, leaving out what does not fit into `MAX_SHOWN_BYTES`."""
    prefix = f"{session}/files/"
    handles = dict.fromkeys(handle for output in outputs for handle in handles_in(output, prefix))
    if not handles:
        return ResponseFiles(prefix)
    session_files, files = SessionFiles(store, session), dict[str, StoredFile | None]()
    left = MAX_SHOWN_BYTES
    for handle in handles:
        file = await session_files.get(handle)
        if file is not None and len(file.data) > left:
            continue
        files[handle] = file
        left -= 0 if file is None else len(file.data)
    return ResponseFiles(prefix, files)


def handles_in(output: JsonValue, prefix: str) -> Iterator[str]:
    """Handles that begin with `prefix` in the `output_files` of an output, or of one of its members."""
    members = as_object(output)
    for holder in (members, *map(as_object, members.values())):
        for item in as_list(holder.get(_FILES)):
            handle = as_object(item).get("contents")
            if isinstance(handle, str) and handle.startswith(prefix):
                yield handle


def _is_server_call(call: ToolStep) -> bool:
    """Whether it is a call that the server made and that is over, and not one that another call made."""
    return bool(call.end_us) and not call.is_client and not call.within
