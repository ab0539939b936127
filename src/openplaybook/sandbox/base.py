"""The `Executor` port: code in, what came of it out. Knows no agents and no tools."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.sandbox.inside.execution_limits import ExecutionLimits

MIB = 1024 * 1024
DEFAULT_LIMITS = ExecutionLimits()
MAX_WALL_S = 300.0


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A file that code reads or has written."""

    name: str
    """Relative to the workspace, `/` between folders."""
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One execution."""

    code: str = field(repr=False)
    files: Sequence[CodeFile] = ()
    """Put into the workspace before the code runs."""
    limits: ExecutionLimits = DEFAULT_LIMITS
    tenant: str = ""
    """Whose code it is: executions of different tenants never share a warm interpreter."""
    session: str = ""
    """Executions of one tenant and session keep variables and files from one to the next, as long as the session is
    kept; empty: a fresh one each time."""
    tools: Sequence[str] = ()
    """Names that the code may call as `tools.NAME({…})`; needs a `caller`."""
    context: JsonObject = field(default_factory=dict[str, JsonValue], repr=False)
    """What the code sees as `context`; empty: there is no such name."""


class Ended(Enum):
    """How an execution ended."""

    EXIT = "exit"
    """By itself; see `exit_code`."""
    TIME = "time"
    CPU = "cpu"
    MEMORY = "memory"
    PROCESSES = "processes"
    OUTPUT = "output"
    CANCELLED = "cancelled"
    """Whoever asked for it went away, or a tool call said that the execution must not go on."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was written and is not given back."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """What came of a request. That code failed is an outcome, not an error."""

    ended: Ended
    exit_code: int | None
    """None where a limit ended it; negative: the signal that did."""
    stdout: str
    """Text that was printed; where none was, the value of the code's last expression, as `repr` writes it."""
    stderr: str
    """Text written there: the traceback of an uncaught exception, without frames of ours, included."""
    files: Sequence[CodeFile] = ()
    """New and changed regular files of the workspace, figures that were left open as `figure_1.png`, …; by name."""
    skipped: Sequence[Skipped] = ()
    dropped: int = 0
    """Bytes of output beyond the limits that are not here."""
    fresh: bool = True
    """False where variables of an earlier execution of the session were there."""
    cpu_s: float = 0.0
    wall_s: float = 0.0

    @property
    def succeeded(self) -> bool:
        """Whether the code ran to its end."""
        return self.ended is Ended.EXIT and self.exit_code == 0

    def error(self) -> str:
        """What went wrong, for `execution_error`: what was written to stderr and, in a last line, the limit that ended
        it (`time`, `cpu`, `memory`, `processes`, `output`: `ended by the limit: NAME`) or `exit code N`."""
        text = self.stderr if not self.stderr or self.stderr.endswith("\n") else f"{self.stderr}\n"
        if self.ended is Ended.EXIT:
            return text + f"exit code {self.exit_code}" if self.exit_code else self.stderr
        return text + (
            f"ended by the limit: {self.ended.value}" if self.ended is not Ended.CANCELLED else "ended: cancelled"
        )


ToolCaller: TypeAlias = Callable[[str, JsonObject], Awaitable[JsonValue]]
"""Makes a call that code asked for: the name in `tools`, its arguments → what `tools.NAME` returns. What it raises as
`ToolCallFailed` is raised in the code; any other exception ends the execution and is raised by `execute`."""


class ToolCallFailed(Exception):
    """A call of a tool failed; the code may catch it (as `ToolError`)."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One wall of a sandbox, as found on this machine."""

    name: str
    """user namespace, pid namespace, network namespace, mounts, Landlock, seccomp, unprivileged user, cgroup, …"""
    ok: bool
    detail: str
    """What was found, such as `ABI 7`."""
    required: bool = True
    """Without it there is no sandbox."""
    remedy: str = ""
    """What to change on the machine; empty where nothing has to be."""


@dataclass(frozen=True, slots=True)
class ExecutorReport:
    """What an executor stands on."""

    executor: str
    """`forkserver`, `kubernetes`, `e2b`, `unsafe-subprocess`."""
    layers: Sequence[Layer]
    note: str = ""

    @property
    def ok(self) -> bool:
        """Whether every required layer is there."""
        return all(layer.ok or not layer.required for layer in self.layers)

    @property
    def reason(self) -> str:
        """What is missing and what to change, each once; empty when nothing is. What is only missing for want of
        another layer, and so has no remedy of its own, is left out."""
        missing = [layer for layer in self.layers if layer.required and not layer.ok]
        causes = [layer for layer in missing if layer.remedy] or missing
        names: dict[tuple[str, str], list[str]] = {}
        for layer in causes:
            names.setdefault((layer.detail, layer.remedy), []).append(layer.name)
        return "; ".join(
            f"{', '.join(layers)}: {detail} → {remedy}".removesuffix(" → ")
            for (detail, remedy), layers in names.items()
        )


class SandboxUnavailable(Exception):
    """There is no sandbox to run code in; the message says why and what to change."""


class SandboxFailed(Exception):
    """The sandbox broke under an execution, of which nothing is known; the next one gets a new one."""


class InvalidRequest(ValueError):
    """A request that no sandbox takes: a file name that leads out of the workspace, a limit out of range."""


class Executor(Protocol):
    """Something that runs code. May be used from many tasks of one event loop."""

    @property
    def limits(self) -> ExecutionLimits:
        """The operator's: what an execution gets unless it asks for less; more is an `InvalidRequest`."""
        ...

    @property
    def keeps_sessions(self) -> bool:
        """Whether executions of one conversation keep their variables; where not, `Request.session` is ignored."""
        ...

    async def execute(self, request: Request, caller: ToolCaller | None = None) -> Execution:
        """Run code and wait for its end. Cancelling the task ends the code.

        Raises `InvalidRequest`, `SandboxUnavailable`, `SandboxFailed`.
        """
        ...

    async def prepare(self, tenant: str = "") -> None:
        """Get warm, so that the next execution of the tenant need not wait. Never raises for a sandbox that is not
        there: `execute` does."""
        ...

    async def report(self) -> ExecutorReport:
        """What it stands on, probed anew."""
        ...

    async def aclose(self) -> None:
        """End everything that runs in it."""
        ...
