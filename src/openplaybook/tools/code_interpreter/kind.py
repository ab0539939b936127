"""The code interpreter, which every agent of Dialogflow CX has without anybody making it."""

import time
from collections.abc import Sequence
from dataclasses import replace

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Model
from openplaybook.models.errors import ModelError
from openplaybook.resources.tool_kinds import BuiltInTool, CallCheck, StoredKind
from openplaybook.sandbox.base import Executor, InvalidRequest, SandboxFailed, SandboxUnavailable
from openplaybook.tools.base import Action, Call, EarlierCall, Failure, Outcome, Tool, ToolContext
from openplaybook.tools.code_interpreter.arguments import ACTION, INPUT, OUTPUT, CodeTask, InvalidTask, read_task
from openplaybook.tools.code_interpreter.code_generation import generate_and_run
from openplaybook.tools.code_interpreter.interpreter_output import OUTPUT_SCHEMA, ProgramRun, success
from openplaybook.tools.code_interpreter.program_runs import ProgramRunner
from openplaybook.tools.code_interpreter.task_prompt import task_text
from openplaybook.tools.code_interpreter.without_model.base import OutOfReach, Plan
from openplaybook.tools.code_interpreter.without_model.query_plan import is_task, plan
from openplaybook.tools.code_interpreter.workspace_files import WorkspaceFiles, gather
from openplaybook.tools.schema.validator import Validator
from openplaybook.tools.tool_kind import ToolKind, ToolParts

MAX_S = 60.0
"""For one call, whatever its caller has left."""

UNAVAILABLE = "CODE_INTERPRETER_UNAVAILABLE"
_OFF = "This server runs no code: it was started with the code executor off."
_NOT_CONFIGURED = (
    "CODE_GENERATION_UNAVAILABLE: no language model is configured; send Python in a ```python fence, an arithmetic "
    "expression or an equation, or configure a model"
)
_INPUT_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "description": "What to compute, analyse or draw, in words and with all the data that it needs and that is "
            "in no file; or Python code.",
        },
        "files": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Names or handles of the conversation's files that it is about. Leave it out for all.",
        },
    },
    "required": ["query"],
    "additionalProperties": False,
}
ID = "df-code-interpreter-tool"
"""Documented as `AGENT/tools/df-code-interpreter-tool`."""


class CodeInterpreter(Tool):
    """Writes code for a task, runs it in the sandbox, gives back what it printed and the files it wrote."""

    def __init__(self, name: str, display_name: str, description: str, executor: Executor | None) -> None:
        """`name` is the tool's resource name; without `executor` only what needs none is computed."""
        self._executor = executor
        self._display_name = display_name
        # Executions of different agents never share a warm interpreter.
        self._tenant = name.partition("/tools/")[0]
        self._output = Validator(OUTPUT_SCHEMA)
        self._action = Action(
            name=ACTION,
            action=ACTION,
            tool=name,
            tool_display_name=display_name,
            description=description,
            input_schema=_INPUT_SCHEMA,
            declared_output=lambda: OUTPUT_SCHEMA,
            claims=_claimed,
            # Nothing that code does reaches anything outside.
            is_read_only=True,
            safe_to_repeat=True,
        )

    def actions(self) -> Sequence[Action]:
        """The one action."""
        return (self._action,)

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """Have code written for the task, or read it out of the task, and run it.

        That code fails is a success whose `execution_error` says how. Failures: INVALID_ARGUMENTS,
        CODE_INTERPRETER_UNAVAILABLE (there is no sandbox), CODE_INTERPRETER_FAILED (it broke), TIMEOUT, and the code of
        a `ModelError`.
        """
        deadline = time.monotonic() + min(context.timeout_s, MAX_S)
        try:
            task = read_task(call.arguments)
            if self._executor is None:
                return await success(_without_sandbox(task, _OFF), context.files)
            return await self._taken(task, context, self._executor, deadline)
        except InvalidTask as error:
            return error.failure()
        except InvalidRequest as error:
            return Failure("INVALID_ARGUMENTS", str(error))
        except SandboxUnavailable as error:
            return Failure(UNAVAILABLE, str(error))
        except SandboxFailed as error:
            return Failure("CODE_INTERPRETER_FAILED", f"The sandbox broke under the code: {error}")
        except TimeoutError as error:
            return Failure("TIMEOUT", f"The time for this call was over: {error}.")
        except ModelError as error:
            return Failure(error.code, str(error))

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        """The arguments as Google's tool has them: the task under `generate_and_execute input`."""
        try:
            task = read_task(call.arguments)
        except InvalidTask as error:
            return error.failure()
        files = call.arguments.get("files")
        return {INPUT: task.query, **({"files": files} if files else {})}

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        """What is wrong with a client's result, whole or as what stands under `generate_and_execute output`."""
        return await self._output.judge(output if OUTPUT in output else {OUTPUT: output})

    async def _taken(self, task: CodeTask, context: ToolContext, executor: Executor, deadline: float) -> Outcome:
        limits = executor.limits
        if task.timeout_s is not None:
            limits = replace(limits, wall_s=min(limits.wall_s, task.timeout_s))
        session = context.session if executor.keeps_sessions else ""
        inputs = await gather(task, context, limits, self._display_name)
        runner = ProgramRunner(executor, context, inputs.files, limits, deadline, self._tenant, session)
        before = [each for each in context.earlier() if each.tool_display_name == self._display_name]
        if context.model is None:
            ran = await _without_model(task, runner)
        else:
            ran = await _generated(context.model, task, inputs, before, runner)
        gone = session and before and ran.execution is not None and ran.execution.fresh
        lost = ["Variables and files of earlier calls were gone: this call began anew."] if gone else []
        return await success(ran, context.files, [*inputs.notes, *lost])


async def _generated(
    model: Model, task: CodeTask, inputs: WorkspaceFiles, before: Sequence[EarlierCall], runner: ProgramRunner
) -> ProgramRun:
    """What comes of code that a model writes."""
    keeps = bool(runner.session)
    question = task_text(task.query, inputs, before, runner.limits, keeps_state=keeps)
    try:
        return await generate_and_run(model, question, runner, expects_state=keeps and bool(before))
    except SandboxUnavailable as error:
        return _without_sandbox(task, str(error))


async def _without_model(task: CodeTask, runner: ProgramRunner) -> ProgramRun:
    """The honest subset: what can be computed without a model."""
    planned = _planned(task)
    if isinstance(planned, ProgramRun):
        return planned
    try:
        return ProgramRun(planned.code, await runner.run(planned.code))
    except SandboxUnavailable:
        if not planned.is_known:
            raise
        return _known(planned)


def _without_sandbox(task: CodeTask, reason: str) -> ProgramRun:
    """What needs no sandbox. Raises `SandboxUnavailable`."""
    planned = _planned(task)
    if isinstance(planned, ProgramRun) or not planned.is_known:
        raise SandboxUnavailable(reason)
    return _known(planned)


def _known(plan: Plan) -> ProgramRun:
    note = "Computed without running code: there is no sandbox."
    return ProgramRun(plan.code, result=plan.answer or "", error=plan.error, notes=[note])


def _planned(task: CodeTask) -> Plan | ProgramRun:
    try:
        return plan(task.query)
    except OutOfReach as error:
        reason = f" ({error})" if str(error) else ""
        return ProgramRun("", error=f"{_NOT_CONFIGURED}{reason}")


def _claimed(words: str) -> JsonObject | None:
    """Words that are arithmetic, an equation or code and nothing else."""
    return {"query": words} if is_task(words) else None


def build(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> CodeInterpreter:
    """The tool; it has no specification of its own."""
    name, display_name = str(resource.get("name", "")), str(resource.get("displayName", ""))
    return CodeInterpreter(name, display_name, str(resource.get("description", "")), parts.executor)


KIND = ToolKind(
    StoredKind(
        name="builtin",
        noun="code interpreter",
        built_in=(
            BuiltInTool(
                ID,
                "code-interpreter",
                "Writes and runs Python code: for data analysis, data visualisation, text processing, solving "
                "equations and optimisation problems. It has the files that the user sent and those that "
                "other tools gave.",
            ),
        ),
        # The schema is ours: agents of Google's name the task in their own way, or leave it out.
        call_check=CallCheck.ACTIONS,
    ),
    {ID: build},
)
