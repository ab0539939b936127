"""Tools that run a program of a test's own, which may call other tools."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import Call, Failure, Outcome, Success, ToolContext
from tests.kit.agents import AgentDraft, RememberedTool
from tests.kit.apps import AppDraft

Program = Callable[[ToolContext], Awaitable[JsonObject]]
"""What it gives back is the tool's output."""


@dataclass
class ProgramTool(RememberedTool):
    """A tool whose calls run a program."""

    program: Program | None = None

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """The program's output."""
        await super().invoke(call, context)
        assert self.program is not None
        return Success(await self.program(context))


def add_program(
    draft: AgentDraft | AppDraft, name: str, program: Program, *, safe_to_repeat: bool = True
) -> ProgramTool:
    """Add a tool with one action of its own name, which runs the program."""
    plain = draft.tool(name, safe_to_repeat=safe_to_repeat)
    tool = ProgramTool(plain.offered, plain.answer, program=program)
    draft.shelf.tools[name] = tool
    return tool


async def asked(context: ToolContext, name: str, **arguments: object) -> str:
    """What an inner call came to: `ok`, or the code of why it is not."""
    assert context.call is not None
    outcome = await context.call(name, dict(arguments))
    if isinstance(outcome, Success):
        return "ok"
    return outcome.code if isinstance(outcome, Failure) else "OUTCOME_UNKNOWN"
