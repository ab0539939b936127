"""The files that code finds in its workspace: those of the conversation, those of the call, earlier results."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.sandbox.base import CodeFile, ExecutionLimits
from openplaybook.sandbox.inside.file_transfer import is_safe
from openplaybook.tools.base import EarlierCall, StoredFile, ToolContext
from openplaybook.tools.code_interpreter.arguments import MAX_FILES, CodeTask, InvalidTask

EARLIER_RESULTS = "tool_results.json"
"""What other tools of the conversation answered: an array of `{tool, action, arguments, result}`, oldest first."""

_MAX_RESULTS_BYTES = 4 * 1024 * 1024


@dataclass(slots=True)
class WorkspaceFiles:
    """What goes in."""

    files: list[CodeFile] = field(default_factory=list[CodeFile])
    notes: list[str] = field(default_factory=list[str])
    """What was left out, a sentence each."""

    def add(self, file: CodeFile, room: int) -> None:
        """Take a file where its name is free and there is room for it."""
        if any(_meet(file.name, known.name) for known in self.files):
            return
        if len(file.data) > room - sum(len(known.data) for known in self.files) or len(self.files) >= MAX_FILES:
            self.notes.append(f"The file {file.name} was left out: there was no room for it.")
        else:
            self.files.append(file)


async def gather(task: CodeTask, context: ToolContext, limits: ExecutionLimits, own_name: str) -> WorkspaceFiles:
    """The files for a task. Of equal names those of the call go first, then the newest of the conversation.

    `own_name` is the tool's display name: what it answered itself is no other tool's result. Raises `InvalidTask`
    for a handle of no file.
    """
    # As much room is left for what the code writes.
    room = limits.disk_bytes // 2
    inputs = WorkspaceFiles()
    for file in task.files:
        if len(file.data) > room - sum(len(known.data) for known in inputs.files):
            raise InvalidTask(f"files: have more than the {room:,} bytes together that are allowed")
        inputs.files.append(file)
    for stored in await _stored(task, context, room):
        inputs.add(CodeFile(safe_name(stored.name), stored.data), room)
    others = [call for call in context.earlier() if call.tool_display_name != own_name]
    if others and not task.handles:
        inputs.add(CodeFile(EARLIER_RESULTS, _results(others, inputs)), room)
    return inputs


async def _stored(task: CodeTask, context: ToolContext, room: int) -> Sequence[StoredFile]:
    """Files of the conversation: those that are asked for, else all."""
    if context.files is None:
        return ()
    known = await context.files.newest(room)
    if not task.handles:
        return known
    return [await _conversation_file(handle, known, context) for handle in task.handles]


async def _conversation_file(handle: str, known: Iterable[StoredFile], context: ToolContext) -> StoredFile:
    file = next((each for each in known if handle in (each.handle, each.name)), None)
    if file is None and context.files is not None:
        file = await context.files.get(handle)
    if file is None:
        names = ", ".join(dict.fromkeys(each.name for each in known)) or "none"
        raise InvalidTask(f"files: the conversation has no file {handle[:200]!r}; it has: {names}")
    return file


def _meet(name: str, other: str) -> bool:
    """Whether two names cannot both be files: they are one, or one is the other's folder."""
    return name == other or name.startswith(f"{other}/") or other.startswith(f"{name}/")


def safe_name(name: str) -> str:
    """A name under which a file can lie in the workspace: the name itself where it can."""
    if is_safe(name):
        return name
    printable = "".join(char if char.isprintable() and char != "\\" else "_" for char in name.replace("\\", "/"))
    last = printable.rpartition("/")[2][-100:].lstrip(".")
    return last or "file"


def _results(calls: Sequence[EarlierCall], inputs: WorkspaceFiles) -> bytes:
    """The results of calls as JSON; the oldest go where they are too long."""
    results: list[JsonObject] = [
        {"tool": call.tool_display_name, "action": call.action, "arguments": call.arguments, "result": call.output}
        for call in calls
        if not call.is_error
    ]
    sizes = [len(dumps(result)) for result in results]
    left_out = 0
    while sum(sizes[left_out:]) > _MAX_RESULTS_BYTES:
        left_out += 1
    if left_out:
        inputs.notes.append(f"The oldest {left_out} results were left out of {EARLIER_RESULTS}.")
    return dumps(results[left_out:])
