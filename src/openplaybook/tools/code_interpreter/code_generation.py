"""The program as a model writes it, run, and written again where it failed."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.models.base import Entry, Model, ModelReply, ProviderReply, UserText
from openplaybook.models.errors import ModelError
from openplaybook.sandbox.base import Execution
from openplaybook.tools.code_interpreter.interpreter_output import ProgramRun
from openplaybook.tools.code_interpreter.program_runs import ProgramRunner, recorded
from openplaybook.tools.code_interpreter.task_prompt import COMMISSION, RUN_PYTHON
from openplaybook.tools.code_interpreter.without_model.base import OutOfReach, parsed
from openplaybook.tools.code_interpreter.without_model.code_blocks import fenced, read_code
from openplaybook.tools.commission import correction

MAX_REPAIRS = 2
"""Times a model is told what is wrong with its program."""

_MAX_TOLD = 6_000
"""Characters of output and of error that it is told."""
_NO_CODE = f"There was no program in your answer. Call {RUN_PYTHON} with the whole program."
_STATE_GONE = "Variables and files of earlier programs are gone: this one began anew."


async def generate_and_run(model: Model, task: UserText, runner: ProgramRunner, *, expects_state: bool) -> ProgramRun:
    """The latest program that a model wrote for a task, and what came of it.

    `expects_state`: whether the model was told of variables of earlier programs. Raises `ModelError` where it wrote no
    program, and what `ProgramRunner.run` raises where none was run.
    """
    dialogue = _Dialogue(model, runner, [task], expects_state)
    for _ in range(MAX_REPAIRS + 1):
        try:
            if await dialogue.attempt():
                break
        except (ModelError, TimeoutError) as error:
            if dialogue.execution is None:
                raise
            dialogue.notes.append(f"The program was not corrected: {error}.")
            break
    return dialogue.ran()


@dataclass(slots=True)
class _Dialogue:
    """What a model was asked and what came of it."""

    model: Model
    runner: ProgramRunner
    conversation: list[Entry | ProviderReply]
    expects_state: bool
    code: str = ""
    execution: Execution | None = None
    """The latest that was run, and of what."""
    words: str = ""
    """What the model said in the place of a program."""
    notes: list[str] = field(default_factory=list[str])

    async def attempt(self) -> bool:
        """Ask for a program and run it; whether it ran to its end."""
        reply = await self._reply()
        code = code_of(reply)
        if not code:
            self.words = reply.text.strip()
            self.conversation += _correction(reply, "", {"error": _NO_CODE})
            return False
        self.execution = await self.runner.run(code)
        self.code = code
        if self.execution.succeeded:
            return True
        self.conversation += _correction(reply, code, self._failure(self.execution))
        return False

    def ran(self) -> ProgramRun:
        """The latest program and its outcome."""
        if self.execution is not None:
            return ProgramRun(self.code, self.execution, notes=self.notes)
        words = f" It said: {self.words[:500]}" if self.words else ""
        return ProgramRun("", error=f"CODE_GENERATION_FAILED: the model wrote no program.{words}", notes=self.notes)

    async def _reply(self) -> ModelReply:
        left = self.runner.left_s()
        if left <= 0:
            raise TimeoutError("there was no time left")
        question, started = self.conversation[-1], time.perf_counter()
        try:
            # While the model writes, the sandbox gets warm.
            reply, _ = await asyncio.gather(
                self.model.decide(COMMISSION.turn(self.conversation, left)),
                self.runner.executor.prepare(self.runner.tenant),
            )
        except ModelError as error:
            self._record(question, "", started, error=f"{error.code}: {error}")
            raise
        self._record(question, code_of(reply) or reply.text, started)
        return reply

    def _record(self, question: Entry | ProviderReply, answer: str, started: float, *, error: str = "") -> None:
        text = question.text if isinstance(question, UserText) else str(getattr(question, "output", ""))
        elapsed = time.perf_counter() - started
        self.runner.context.exchanged.append(recorded("GENERATE", self.model.name, text, answer, elapsed, error=error))

    def _failure(self, execution: Execution) -> JsonObject:
        report: JsonObject = {
            "execution_result": execution.stdout[-_MAX_TOLD:],
            "execution_error": execution.error()[-_MAX_TOLD:],
        }
        return {**report, "note": _STATE_GONE} if self.expects_state and execution.fresh else report


def _correction(reply: ModelReply, code: str, failure: JsonObject) -> Sequence[Entry | ProviderReply]:
    """The reply and what is wrong with it, for the conversation to go on."""
    error = failure.get("execution_error")
    words = f"The program failed. Correct it and hand the whole program over again.\n\n{error}" if code else _NO_CODE
    return correction(reply, failure, words, {"code": code})


def code_of(reply: ModelReply) -> str:
    """The program, from a call of `run_python`, a fenced block, or words that are nothing but a program.

    Empty where there is none.
    """
    for call in reply.calls:
        # Some models leave the object away and hand over the text alone.
        code: JsonValue = as_object(call.arguments).get("code", call.arguments) if call.name == RUN_PYTHON else None
        if isinstance(code, str) and code.strip():
            return unfenced(code)
    blocks = [text for _, text in fenced(reply.text)]
    if blocks:
        # Several blocks are one program that was explained piece by piece.
        return "\n\n".join(block.strip("\n") for block in blocks)
    return reply.text.strip("\n") if _is_program(reply.text) else ""


def unfenced(code: str) -> str:
    """Code without the fence that some put around it."""
    blocks = fenced(code.strip())
    is_fenced = len(blocks) == 1 and code.strip().startswith("```") and parsed(code) is None
    return (blocks[0][1] if is_fenced else code).strip("\n")


def _is_program(text: str) -> bool:
    try:
        return read_code(text) is not None
    except OutOfReach:
        return False
