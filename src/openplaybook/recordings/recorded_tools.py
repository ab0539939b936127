"""The answers of recorded tools, found again by what was asked."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import as_object
from openplaybook.recordings.form import Recording
from openplaybook.recordings.matchers import fits
from openplaybook.recordings.step_form import RecordedCall as RecordedCall
from openplaybook.recordings.step_form import RecordedDecision, RecordedError
from openplaybook.tools.base import CLIENT_SIDE, Call, Failure, Outcome, Success

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
        found = [
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
        return cls([*found, *expected])

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
        return next((found[0] for found in choices if found), None)


def _outcome(call: RecordedCall) -> Outcome:
    if call.error is not None:
        return _failure(call.error, call)
    return Success(as_object(call.output), call.note, call.sets)


def _failure(error: RecordedError, call: RecordedCall) -> Failure:
    return Failure(error.code, error.message, None if call.output is None else as_object(call.output))
