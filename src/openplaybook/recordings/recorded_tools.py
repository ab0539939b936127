"""Tools that answer from a recording: its answers, found again by what was asked, behind the tools of today."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.recordings.form import Recording
from openplaybook.recordings.matchers import fits, has_marks
from openplaybook.recordings.placeholders import mentions
from openplaybook.recordings.step_form import RecordedCall, RecordedDecision
from openplaybook.tools.base import (
    CLIENT_SIDE,
    NO_AGENT,
    Action,
    AgentScope,
    Call,
    Failure,
    Outcome,
    Success,
    Tool,
    ToolBuilder,
    ToolContext,
)

NOT_RECORDED = "NOT_RECORDED"
"""Code of a call for which the recording has no answer."""


@dataclass(slots=True)
class _Answer:
    turn: int
    label: str
    call: RecordedCall
    is_given: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the call was the client's, so that there is no answer of a tool."""
        return self.call.output is None and self.call.error is None


@dataclass(slots=True)
class RecordedAnswers:
    """What the tools of a recording answered, in its order."""

    recorded: list[_Answer] = field(default_factory=list[_Answer])
    turn: int = 0

    @classmethod
    def of(cls, recording: Recording) -> "RecordedAnswers":
        """All answers of server tools in a recording; those of expected actions fit any turn."""
        answers = [
            _Answer(number, call.label, call)
            for number, turn in enumerate(recording.turns)
            for step in turn.steps or ()
            if isinstance(step, RecordedDecision)
            for call in step.calls
            if call.action
        ]
        expected = [
            _Answer(
                -1,
                action.label,
                RecordedCall(
                    tool=action.tool, action=action.action, output=action.output, arguments=action.arguments or {}
                ),
            )
            for action in recording.actions
            if action.tool and action.output is not None
        ]
        return cls([*answers, *expected])

    def begin(self, turn: int) -> None:
        """From now on answer calls of the turn with that index."""
        self.turn = turn

    def outcome(self, call: Call) -> Outcome:
        """What was recorded for such a call; of one that its fake left to the client, a failure with `CLIENT_SIDE`.

        Looked for are, in this order: the same call in this turn, the same call in another turn, another call of the
        same action in this turn. Each answer is given once, unless nothing but given ones is left for the same call.
        """
        answer = self._find(call)
        label = f"{call.action.tool_display_name}.{call.action.action}"
        if answer is None:
            return Failure(NOT_RECORDED, f"The recording has no answer of {label} to these arguments.")
        answer.is_given = True
        return Failure(CLIENT_SIDE, f"The client was asked for {label}.") if answer.is_open else _outcome(answer.call)

    def _find(self, call: Call) -> _Answer | None:
        label = f"{call.action.tool_display_name}.{call.action.action}"
        open_too = call.action.has_fake
        alike = [each for each in self.recorded if each.label == label and (open_too or not each.is_open)]
        same = [each for each in alike if fits(each.call.arguments, call.arguments)]
        here = [each for each in alike if each.turn in (self.turn, -1) and not each.is_open]
        choices: Sequence[Sequence[_Answer]] = (
            [each for each in same if each.turn == self.turn and not each.is_given],
            [each for each in same if not each.is_given],
            [each for each in here if not each.is_given],
            same,
        )
        return next((matches[0] for matches in choices if matches), None)


def _outcome(call: RecordedCall) -> Outcome:
    if call.error is not None:
        output = None if call.output is None else as_object(call.output)
        return Failure(call.error.code, call.error.message, output)
    return Success(as_object(call.output), call.note, call.sets, payloads=tuple(call.shows))


@dataclass(frozen=True, slots=True)
class StandInTool(Tool):
    """Answers calls in place of a tool of today, which is asked for all else."""

    today: Tool

    def actions(self) -> Sequence[Action]:
        """Those of the tool."""
        return self.today.actions()

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        """Those of the tool."""
        return await self.today.client_arguments(call, context)

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        """As the tool checks it."""
        return await self.today.check_result(action, output)


@dataclass(frozen=True, slots=True)
class RecordedTools:
    """A `ToolBuilder` whose tools send nothing: what they are asked for is checked, and the recording answers."""

    builder: ToolBuilder
    answers: RecordedAnswers

    def build(self, resource: JsonObject, scope: AgentScope = NO_AGENT) -> Tool:
        """The tool of a resource. Raises `InvalidTool`."""
        return _RecordedTool(self.builder.build(resource, scope), self.answers)


@dataclass(frozen=True, slots=True)
class _RecordedTool(StandInTool):
    answers: RecordedAnswers

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        refused = await self.today.rehearse(call, context)
        if refused is not None and not _lacks_values(call, context, refused):
            return refused
        return self.answers.outcome(call)


def _lacks_values(call: Call, context: ToolContext, refused: Failure) -> bool:
    """Whether a mask stands for what was sent, or a file of the recorded session: a refusal then says nothing."""
    files = f"/sessions/{context.session_id}/files/"
    return has_marks(call.arguments) or has_marks(refused.message) or mentions(call.arguments, files)
