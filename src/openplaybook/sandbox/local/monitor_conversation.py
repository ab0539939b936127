"""What client and monitor say to each other over one socket: requests, calls of tools, results.

The monitor is ours, and yet what it says is checked: it has held a caller's data.
"""

import asyncio
import json
import select
import socket
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps, dumps_ascii, few_exact
from openplaybook.sandbox.base import (
    CodeFile,
    Ended,
    Execution,
    ExecutionLimits,
    InvalidRequest,
    Request,
    SandboxFailed,
    Skipped,
    ToolCaller,
    ToolCallFailed,
)
from openplaybook.sandbox.inside import frames
from openplaybook.sandbox.inside.file_transfer import is_safe
from openplaybook.sandbox.inside.wall_messages import GuestProgram, MonitorRequest

_MANY_CALLS, _BREATH_S = 100, 0.05
"""Each call beyond so many waits that long: code that only calls must not keep the server from what else it does."""
_MOST_EXACT = 5_000
"""Numbers of a call that neither 64 bits nor a double hold: each costs what a hundred others do."""
_GRACE_S = 10.0
"""Beyond the wall limit, for collecting and answering; a monitor that takes longer is given up."""


@dataclass(frozen=True, slots=True)
class MonitorResult:
    """What came of a request."""

    execution: Execution
    is_kept: bool
    """The guest waits for the next request of its session."""


class _Raised(Exception):
    """The caller raised `error`, which is not for us to judge."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class MonitorConversation:
    """With one monitor. Closing it ends whatever runs there."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def over(cls, connected: socket.socket) -> "MonitorConversation":
        """Over a socket whose other end a monitor has or will have."""
        reader, writer = await asyncio.open_unix_connection(sock=connected)
        return cls(reader, writer)

    @property
    def is_open(self) -> bool:
        """Whether the monitor is there. The kernel is asked: the event loop may not have heard of its end yet."""
        if self._writer.is_closing() or self._reader.at_eof():
            return False
        poll = select.poll()
        poll.register(self._writer.get_extra_info("socket").fileno(), select.POLLRDHUP)
        return not poll.poll(0)

    def close(self) -> None:
        """The monitor reads the end of the stream, kills its guest, and ends."""
        self._writer.transport.abort()

    async def run(self, request: Request, caller: ToolCaller | None, *, fresh: bool) -> MonitorResult:
        """Send a request and wait for its result. Raises `InvalidRequest`, `SandboxFailed`, what `caller` raises."""
        parts = _written(request)
        try:
            async with asyncio.timeout(request.limits.wall_s + _GRACE_S):
                self._writer.writelines(parts)
                await self._writer.drain()
                return await self._result(request, caller, fresh=fresh)
        except _Raised as raised:
            raise raised.error from None
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise SandboxFailed("the sandbox ended while it ran the code") from error
        except TimeoutError as error:
            raise SandboxFailed("the sandbox did not answer after the end of the time limit") from error
        except (frames.BadFrame, ValueError, KeyError, TypeError, RecursionError) as error:
            raise SandboxFailed(f"the sandbox returned something that is not a result: {error}") from error

    async def _result(self, request: Request, caller: ToolCaller | None, *, fresh: bool) -> MonitorResult:
        head, calls = self._next_head(), 0
        try:
            while True:
                kind, length = frames.parsed(await head, frames.LARGEST_PROGRAM)
                payload = await self._reader.readexactly(length)
                if kind == frames.CALL and caller is not None:
                    head, calls = self._next_head(), calls + 1
                    await self._answer(_answered(payload, request, caller, calls), head)
                elif kind == frames.RESULT:
                    return await self._read(json.loads(payload), request.limits, fresh=fresh)
                elif kind == frames.FAILED:
                    raise SandboxFailed(f"the sandbox broke: {payload.decode(errors='replace')}")
                else:
                    raise frames.BadFrame(f"{kind!r} in place of a result")
        finally:
            head.cancel()
            # Whatever came of it, nobody asks any more.
            await asyncio.gather(head, return_exceptions=True)

    def _next_head(self) -> asyncio.Task[bytes]:
        return asyncio.create_task(self._reader.readexactly(frames.HEAD_BYTES))

    async def _answer(self, making: Coroutine[None, None, bytes], head: asyncio.Task[bytes]) -> None:
        """Make a call and send its answer; give it up where the monitor speaks before, which ends the execution."""
        call = asyncio.create_task(making)
        try:
            await asyncio.wait({call, head}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            call.cancel()
            await asyncio.wait({call})
        if not head.done():
            self._writer.write(call.result())
        elif not call.cancelled():
            # Too late for an answer; not for a fault.
            call.result()

    async def _read(self, head: JsonObject, limits: ExecutionLimits, *, fresh: bool) -> MonitorResult:
        stdout = await self._text(head["stdout"], limits.stdout_bytes)
        stderr = await self._text(head["stderr"], limits.stderr_bytes)
        files: list[CodeFile] = []
        left = limits.files_bytes
        for name, size in head["files"][: limits.files]:
            if not is_safe(name) or not 0 <= size <= left:
                raise frames.BadFrame("a file that no monitor gives back")
            left -= size
            files.append(CodeFile(name, await self._reader.readexactly(size)))
        execution = Execution(
            ended=Ended(head["ended"]),
            exit_code=head["exit_code"],
            stdout=stdout,
            stderr=stderr,
            files=sorted(files, key=lambda file: file.name),
            skipped=[Skipped(str(name), str(reason)) for name, reason in head["skipped"]],
            dropped=int(head["dropped"]),
            fresh=fresh,
            cpu_s=float(head["cpu_s"]),
            wall_s=float(head["wall_s"]),
        )
        return MonitorResult(execution, bool(head["kept"]))

    async def _text(self, size: int, most: int) -> str:
        if not 0 <= size <= most:
            raise frames.BadFrame("more output than its limit")
        return (await self._reader.readexactly(size)).decode(errors="replace")


async def _answered(payload: bytes, request: Request, caller: ToolCaller, number: int) -> bytes:
    """The answer to a call, the execution's so many-eth, which the code, not the monitor, has written."""
    if number > _MANY_CALLS:
        await asyncio.sleep(_BREATH_S)
    try:
        exact = few_exact(_MOST_EXACT)
        call = as_object(json.loads(payload, parse_int=exact, parse_float=exact, parse_constant=_constant))
        # Halves of surrogate pairs, integers beyond 64 bits, depth without end: nothing that goes on record has them.
        dumps(call)
    except (TypeError, ValueError, RecursionError) as error:
        return _answer({"failed": f"the call is not valid JSON: {error}"})
    name, arguments = call.get("name"), call.get("arguments")
    if name not in request.tools or not isinstance(arguments, dict):
        return _answer({"failed": f"there is no tool {name!r} to call so; there are: {', '.join(request.tools)}"})
    try:
        return _answer({"result": await caller(str(name), as_object(arguments))})
    except ToolCallFailed as failed:
        return _answer({"failed": str(failed)})
    except Exception as error:
        raise _Raised(error) from error


def _constant(text: str) -> JsonValue:
    raise ValueError(f"{text} is not a JSON number")


def _answer(document: Mapping[str, JsonValue]) -> bytes:
    text = dumps_ascii(document).encode()
    if len(text) > frames.MOST:
        text = json.dumps({"failed": f"the answer is {len(text)} bytes of JSON; at most {frames.MOST} fit"}).encode()
    return frames.frame(frames.ANSWER, text)


def _written(request: Request) -> list[bytes]:
    """The bytes of a request."""
    for file in request.files:
        if not is_safe(file.name):
            raise InvalidRequest(f"a file named {file.name!r}: no name of a file in the workspace")
    limits, is_kept = request.limits, bool(request.session)
    program = GuestProgram(
        code=request.code, tools=list(request.tools), context=request.context, limits=limits, kept=is_kept
    ).written()
    if len(program) > frames.LARGEST_PROGRAM:
        raise InvalidRequest(
            f"code and context are {len(program)} bytes of JSON; at most {frames.LARGEST_PROGRAM} are taken"
        )
    sizes = [(file.name, len(file.data)) for file in request.files]
    head = MonitorRequest(
        limits=limits, files=sizes, program=len(program), tools=bool(request.tools), kept=is_kept
    ).written()
    if len(head) > frames.MOST:
        raise InvalidRequest(f"the names of {len(sizes)} files are too long together")
    return [frames.frame(frames.REQUEST, head), *(file.data for file in request.files), program]
