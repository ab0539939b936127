"""Tools that answer from a recording, checked against the tools of today."""

from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject
from openplaybook.recordings.matchers import has_marks
from openplaybook.recordings.placeholders import mentions
from openplaybook.recordings.recorded_tools import RecordedAnswers
from openplaybook.tools.base import NO_AGENT, Action, AgentScope, Call, Failure, Outcome, Tool, ToolBuilder, ToolContext


@dataclass(frozen=True, slots=True)
class RecordedTools:
    """A `ToolBuilder` whose tools send nothing: what they are asked for is checked, and the recording answers."""

    builder: ToolBuilder
    answers: RecordedAnswers

    def build(self, resource: JsonObject, scope: AgentScope = NO_AGENT) -> Tool:
        """The tool of a resource. Raises `InvalidTool`."""
        return _RecordedTool(self.builder.build(resource, scope), self.answers)


@dataclass(frozen=True, slots=True)
class _RecordedTool(Tool):
    today: Tool
    answers: RecordedAnswers

    def actions(self) -> Sequence[Action]:
        return self.today.actions()

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        refused = await self.today.rehearse(call, context)
        if refused is not None and not _lacks_values(call, context, refused):
            return refused
        return self.answers.outcome(call)

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        return await self.today.client_arguments(call, context)

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        return await self.today.check_result(action, output)


def _lacks_values(call: Call, context: ToolContext, refused: Failure) -> bool:
    """Whether a mask stands for what was sent, or a file of the recorded session: a refusal then says nothing."""
    files = f"/sessions/{context.session_id}/files/"
    return has_marks(call.arguments) or has_marks(refused.message) or mentions(call.arguments, files)
