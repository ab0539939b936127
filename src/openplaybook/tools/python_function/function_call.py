"""Runs one function of a piece of code in the sandbox, and makes an outcome of what came."""

import asyncio
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps_ascii, dumps_line, is_deep, loads
from openplaybook.sandbox.base import (
    CodeFile,
    Ended,
    Execution,
    ExecutionLimits,
    Executor,
    InvalidRequest,
    SandboxFailed,
    SandboxUnavailable,
)
from openplaybook.tools.base import Failure, InDoubt, InvalidTool, Problem, Success, ToolContext
from openplaybook.tools.code_interpreter.program_runs import recorded
from openplaybook.tools.python_function import inside, nested_calls
from openplaybook.tools.python_function.code_context import code_context
from openplaybook.tools.python_function.inside.entry_point import RESULT

_FOLDER = "_tool"
_NAMES_TOOLS = re.compile(r"\b(?:async_)?tools\b")
_PROGRAM = f"from {_FOLDER}.entry_point import run\nrun(globals())\n"
_DURATION = re.compile(r"([0-9]{1,6}(?:[.][0-9]{1,9})?)s")
_USUAL_TIMEOUT_S = 30.0
"""CES `Tool.timeout`, of synchronous tools."""
_SLACK_S = 3.0
"""Beyond the wall limit, for the way there and back."""
_MAX_RESULT_BYTES = 1024 * 1024
_MAX_LEVELS = 64
_MAX_TOLD = 2_000
"""Characters of what code printed, or of an exception, that are told."""
_OFF = "This server runs no code: it was started with the code executor off."


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionTask:
    """A function to call."""

    code: str
    function: str
    arguments: JsonObject
    filled: Sequence[str] = ()
    """Parameters that take the context."""
    tool: JsonObject | None = None
    """What a fake stands for, `{name, description}`: its function takes the tool, the arguments and the context."""
    tenant: str = ""
    timeout_s: float


@dataclass(frozen=True, slots=True)
class Returned:
    """What a function gave back."""

    value: JsonValue
    parameters: JsonObject
    """Session parameters that it has changed; null takes one away."""
    note: str
    """What it printed."""

    def success(self) -> Success:
        """As an outcome: a dict is the output, anything else stands under `result`."""
        # Decided by the type: an empty dict is an output too.
        is_object = isinstance(self.value, dict)
        return Success(as_object(self.value) if is_object else {"result": self.value}, self.note, self.parameters)


def timeout_of(resource: JsonObject) -> float:
    """Seconds that a call of a stored tool may take (CES `Tool.timeout`, such as `30s`). Raises `InvalidTool`."""
    value = resource.get("timeout")
    if value is None:
        return _USUAL_TIMEOUT_S
    match = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if match is None or not float(match[1]):
        raise InvalidTool([Problem("$.timeout", f"must be a duration above zero, such as 30s; got {value!r}")])
    return float(match[1])


async def run_function(
    executor: Executor | None, task: FunctionTask, context: ToolContext
) -> Returned | Failure | InDoubt:
    """Call a function.

    Failures: CODE_UNAVAILABLE (there is no sandbox), CODE_FAILED (it raised, or a limit ended it), SANDBOX_FAILED,
    TIMEOUT, INVALID_ARGUMENTS, RESULT_TOO_LARGE. What it changed of the session holds only where it succeeded.
    """
    if executor is None:
        return Failure("CODE_UNAVAILABLE", _OFF)
    left = min(task.timeout_s, context.timeout_s, executor.limits.wall_s)
    started = time.perf_counter()
    try:
        async with asyncio.timeout(left + _SLACK_S):
            execution = await _executed(executor, task, context, left)
    except InvalidRequest as error:
        return Failure("INVALID_ARGUMENTS", f"The code cannot be run with what it was given: {error}")
    except SandboxUnavailable as error:
        return Failure("CODE_UNAVAILABLE", str(error))
    except SandboxFailed as error:
        return Failure("SANDBOX_FAILED", f"The sandbox broke under the code: {error}")
    except TimeoutError:
        return Failure("TIMEOUT", f"The time for this call, {left:g} s, was over before the code ended.")
    if isinstance(execution, InDoubt):
        return execution
    outcome = _outcome(execution, left)
    failed = outcome.message if isinstance(outcome, Failure) else ""
    question = f"{task.function}({dumps_line(task.arguments)})"
    printed = f"{execution.stdout}\n{execution.stderr}".strip("\n")
    context.exchanged.append(recorded("RUN", "sandbox", question, printed, time.perf_counter() - started, error=failed))
    return outcome


async def _executed(executor: Executor, task: FunctionTask, context: ToolContext, left: float) -> Execution | InDoubt:
    limits = replace(executor.limits, wall_s=left, files=1)
    try:
        return await _run(executor, task, context, limits)
    except SandboxFailed:
        # It reached nothing outside: doing it again in a new one is as good.
        return await _run(executor, task, context, limits)


async def _run(
    executor: Executor, task: FunctionTask, context: ToolContext, limits: ExecutionLimits
) -> Execution | InDoubt:
    call: JsonObject = {
        "code": task.code,
        "function": task.function,
        "arguments": task.arguments,
        "filled": [*task.filled],
        "tool": task.tool,
        "context": code_context(context),
    }
    return await nested_calls.run(
        executor,
        _PROGRAM,
        _runtime(),
        limits,
        context,
        tenant=task.tenant,
        # Not every executor lets code call tools: code that does not name them runs in all.
        tools=None if context.call is not None and _NAMES_TOOLS.search(task.code) else (),
        visible_context={"call": dumps_ascii(call)},
    )


@cache
def _runtime() -> tuple[CodeFile, ...]:
    """The package that stands around the code."""
    folder = Path(inside.__file__).parent
    return tuple(CodeFile(f"{_FOLDER}/{path.name}", path.read_bytes()) for path in sorted(folder.glob("*.py")))


def _outcome(execution: Execution, allowed_s: float) -> Returned | Failure:
    skipped = next((each for each in execution.skipped if each.name == RESULT), None)
    if skipped is not None:
        return Failure("RESULT_TOO_LARGE", f"What the code returned is not taken: {skipped.reason}.")
    written = next((file.data for file in execution.files if file.name == RESULT), None)
    if written is None:
        return _without_result(execution, allowed_s)
    if len(written) > _MAX_RESULT_BYTES:
        return Failure(
            "RESULT_TOO_LARGE",
            f"What the code returned is {len(written):,} bytes as JSON; allowed are {_MAX_RESULT_BYTES:,}.",
        )
    try:
        report = as_object(loads(written))
    except ValueError:
        return Failure("CODE_FAILED", f"What the code returned is not readable JSON.{_printed(execution)}")
    if "error" in report:
        return Failure("CODE_FAILED", _raised(as_object(report["error"])) + _printed(execution))
    if is_deep(report, _MAX_LEVELS):
        return Failure("RESULT_TOO_LARGE", f"What the code returned is nested more than {_MAX_LEVELS} levels.")
    return Returned(report.get("result"), as_object(report.get("state")), _printed(execution).strip())


def _without_result(execution: Execution, allowed_s: float) -> Failure:
    if execution.ended is Ended.TIME:
        return Failure("TIMEOUT", f"The code was ended after {allowed_s:g} s, the time it may take.")
    if execution.ended is not Ended.EXIT:
        return Failure("CODE_FAILED", f"The code was ended by the limit: {execution.ended.value}.{_printed(execution)}")
    return Failure("CODE_FAILED", f"The code ended without a result. {execution.error().strip()[-_MAX_TOLD:]}".strip())


def _raised(error: JsonObject) -> str:
    """An exception in one sentence: what it says, and where in the tool's code it came from."""
    text, line, source = str(error.get("text"))[:_MAX_TOLD], error.get("line"), str(error.get("source", ""))[:200]
    where = (
        f" (line {line} of the code: {source})" if line and source else f" (line {line} of the code)" if line else ""
    )
    return f"The code raised {text}{where}."


def _printed(execution: Execution) -> str:
    text = execution.stdout.strip()
    return f" The code printed: {text[:_MAX_TOLD]}" if text else ""
