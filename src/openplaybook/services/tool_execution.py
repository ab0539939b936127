"""One action of a tool, taken on its own, outside of any conversation, whichever door asks for it."""

from collections.abc import Sequence
from difflib import get_close_matches

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, rough_size
from openplaybook.resources.names import new_id
from openplaybook.services.errors import invalid, precondition
from openplaybook.storage.base import Store
from openplaybook.tools.base import (
    Action,
    AgentScope,
    Call,
    Exchange,
    ExecutionPlace,
    Failure,
    InDoubt,
    Outcome,
    StoredFile,
    Success,
    Tool,
    ToolContext,
)
from openplaybook.tools.session_files import EXECUTIONS, SessionFiles
from openplaybook.turns.base import GivenFile
from openplaybook.workers.lanes import AT_ONCE


class ExecutionFiles:
    """Keeps what an execution gives among the files of all executions, so that it can be handed on by its handle. What
    it finds there without a handle is only what its own request brought: no other execution's files."""

    def __init__(self, session_files: SessionFiles, brought: Sequence[StoredFile]) -> None:
        self._kept = session_files
        self._brought = brought

    @classmethod
    async def bringing(cls, session_files: SessionFiles, files: Sequence[GivenFile]) -> "ExecutionFiles":
        """The files of an execution whose request brings some."""
        return cls(session_files, [await session_files.put(file.name, file.media_type, file.data) for file in files])

    async def put(self, name: str, media_type: str, data: bytes) -> StoredFile:
        """Keep a file; equal bytes under an equal name are kept once. Raises `ValueError` for one that is too large."""
        return await self._kept.put(name, media_type, data)

    async def get(self, handle: str) -> StoredFile | None:
        """The file of a handle that any execution gave; None when there is none."""
        return await self._kept.get(handle)

    async def newest(self, most_bytes: int) -> Sequence[StoredFile]:
        """What the request brought, the last first, as many as have no more than so many bytes together."""
        files: list[StoredFile] = []
        for file in reversed(self._brought):
            if len(file.data) <= most_bytes:
                most_bytes -= len(file.data)
                files.append(file)
        return files


DEFAULT_TIMEOUT_S = 60.0
"""For a caller that sets no deadline."""

_MOST_NAMED = 20
"""Actions that an error message lists."""

_MOST_COMPARED = 5_000
"""Actions that an unknown name is compared with."""

_LONGEST_NAMED = 100
"""Characters of a name in an error message."""


async def given_files(store: Store, session: str, files: Sequence[GivenFile]) -> ExecutionFiles:
    """The files of one execution, whose request brings some."""
    return await ExecutionFiles.bringing(SessionFiles(store, session), files)


async def take(tool: Tool, action: Action, arguments: JsonObject, context: ToolContext) -> Outcome:
    """What came of an action. FAILED_PRECONDITION for one that only clients take."""
    if action.place is ExecutionPlace.CLIENT:
        raise precondition("CLIENT_TOOL", f"{short(action.action)} is a function tool: only clients run it")
    return await tool.invoke(Call(new_id(), action, arguments), context)


async def rehearse(tool: Tool, action: Action, arguments: JsonObject, context: ToolContext) -> Outcome:
    """Why an action would not be taken, as far as that is known before; else an empty output. What would be sent is in
    the context's exchanges. FAILED_PRECONDITION as for `take`."""
    if action.place is ExecutionPlace.CLIENT:
        raise precondition("CLIENT_TOOL", f"{short(action.action)} is a function tool: only clients run it")
    refused = await tool.rehearse(Call(new_id(), action, arguments), context)
    return refused or Success({}, note="Nothing was sent.")


def exchange_json(exchange: Exchange) -> JsonObject:
    """A request and its answer, as the trace of an execution shows them."""
    sent: dict[str, JsonValue] = {
        "method": exchange.method,
        "url": exchange.url,
        "requestHeaders": dict(exchange.request_headers),
        "requestBody": exchange.request_body,
        "status": exchange.status,
        "responseHeaders": dict(exchange.response_headers),
        "responseBody": exchange.response_body,
        "elapsedMs": exchange.elapsed_ms,
        "attempts": exchange.attempts,
    }
    sent |= {"error": exchange.error} if exchange.error else {}
    return sent | ({"responseFile": exchange.response_file} if exchange.response_file else {})


def outcome_size(outcome: Outcome, exchanges: Sequence[Exchange] = ()) -> int:
    """Bytes of what an answer says of an action, roughly, as far as they decide where it is written."""
    exchanged = sum(len(each.request_body) + len(each.response_body) for each in exchanges)
    match outcome:
        case Success(output, _, parameters):
            return exchanged + rough_size([output, parameters], AT_ONCE)
        case Failure(_, message, output):
            return exchanged + rough_size([output, message], AT_ONCE)
        case InDoubt(message):
            return exchanged + len(message)


def executions_of(root: str) -> str:
    """The session under which files of an agent's, or an app's, executions are kept."""
    return f"{root}/sessions/{EXECUTIONS}"


def scope_of(document: JsonObject) -> AgentScope:
    """What tools have from an agent, or an app, of that stored form."""
    return AgentScope(as_object(document.get("clientCertificateSettings")))


def action_of(actions: Sequence[Action], name: str, field: str = "action") -> Action:
    """The action of that name. INVALID_ARGUMENT, on the request's `field`, without a name or such an action."""
    if not name:
        raise invalid((field, "is required"))
    match = next((action for action in actions if name in (action.action, action.name)), None)
    if match is None:
        names = [short(action.action) for action in actions]
        close = get_close_matches(short(name), names[:_MOST_COMPARED], n=3)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        listed = f"{', '.join(names[:_MOST_NAMED])}{more}" if names else "none"
        raise invalid((field, f"{short(name)!r} is not an action of the tool{hint}; there are: {listed}"))
    return match


def short(name: str) -> str:
    """A name as an error message shows it."""
    return name if len(name) <= _LONGEST_NAMED else f"{name[:_LONGEST_NAMED]}…"
