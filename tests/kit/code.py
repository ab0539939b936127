"""The code interpreter, asked directly: an executor that plays a part, and a model's programs."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.models.base import ModelReply, RequestedCall
from openplaybook.sandbox.base import (
    DEFAULT_LIMITS,
    CodeFile,
    Ended,
    Execution,
    ExecutionLimits,
    Executor,
    ExecutorReport,
    Request,
    ToolCaller,
)
from openplaybook.tools.base import Call, Outcome, Success, ToolContext
from openplaybook.tools.code_interpreter.kind import CodeInterpreter

AGENT = "projects/p/locations/l/agents/a"
TOOL = f"{AGENT}/tools/df-code-interpreter-tool"
SESSION = f"{AGENT}/sessions/s"
DISPLAY_NAME = "code-interpreter"
NO_FILE: JsonObject = {"name": "", "contents": ""}


def interpreter(executor: Executor | None) -> CodeInterpreter:
    """The tool of an agent."""
    return CodeInterpreter(TOOL, DISPLAY_NAME, "Runs code.", executor)


async def asked(executor: Executor | None, query: str, context: ToolContext | None = None, **more: object) -> Outcome:
    """What came of a query."""
    tool = interpreter(executor)
    return await tool.invoke(Call("c", tool.actions()[0], {"query": query, **more}), context or ToolContext("s"))


def output_of(outcome: Outcome) -> JsonObject:
    """The documented output of a success."""
    assert isinstance(outcome, Success), outcome
    assert set(outcome.output) == {"generate_and_execute output"}
    return as_object(outcome.output["generate_and_execute output"])


def writes(code: str, id: str = "1", raw: JsonObject | None = None) -> ModelReply:
    """The reply of a model that hands over a program."""
    calls = (RequestedCall(id, "run_python", {"code": code}),)
    return ModelReply(text="", calls=calls, model="played", raw=raw or {})


def says(text: str) -> ModelReply:
    """The reply of a model that has only words."""
    return ModelReply(text=text, calls=(), model="played")


def ran(
    stdout: str = "", stderr: str = "", *, exit_code: int = 0, fresh: bool = True, files: Sequence[CodeFile] = ()
) -> Execution:
    """An execution that ended by itself."""
    return Execution(ended=Ended.EXIT, exit_code=exit_code, stdout=stdout, stderr=stderr, fresh=fresh, files=files)


@dataclass
class PlayedExecutor:
    """Gives the outcomes of its part one after the other, and remembers what it was asked to run."""

    part: Sequence[Execution | Exception]
    limits: ExecutionLimits = DEFAULT_LIMITS
    keeps_sessions: bool = False
    requests: list[Request] = field(default_factory=list[Request])

    async def execute(self, request: Request, caller: ToolCaller | None = None) -> Execution:
        """The next outcome."""
        self.requests.append(request)
        outcome = self.part[len(self.requests) - 1]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def prepare(self, tenant: str = "") -> None:
        """It is ready."""

    async def report(self) -> ExecutorReport:
        """Nothing is beneath it."""
        return ExecutorReport("played", ())

    async def aclose(self) -> None:
        """Nothing is held."""
