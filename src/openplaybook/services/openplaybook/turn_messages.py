"""Turns in the shape of `openplaybook.v1.Turn`."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.storage.base import TurnState
from openplaybook.turns.base import (
    EventInput,
    ModelStep,
    NoticeStep,
    RichMessage,
    StepFault,
    TextInput,
    TextMessage,
    ToolCallMessage,
    ToolResultInput,
    ToolResultsInput,
    ToolStep,
    TurnInput,
)
from openplaybook.turns.session.history import PastTurn
from openplaybook.wire.api import Api
from openplaybook.wire.messages import ApiMessage

_STATES = {
    TurnState.RUNNING: "RUNNING",
    TurnState.DONE: "ANSWERED",
    TurnState.STOPPED: "STOPPED",
    TurnState.FAILED: "FAILED",
}


class TurnRenderer:
    """Builds Turn messages."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._turn = api.message("openplaybook.v1.Turn")

    def turn(self, session: str, past: PastTurn) -> ApiMessage:
        """A turn of a session."""
        result, begin = past.result, past.request
        message = self._turn(
            name=f"{session}/turns/{past.number}",
            number=past.number,
            index=result.index,
            language_code=result.language_code,
            playbook=result.current_playbook,
            playbook_display_name=result.current_playbook_display_name,
            agent_digest=begin.snapshot,
            version=begin.version,
        )
        paused = past.state is TurnState.DONE and result.paused
        message.state = self._turn.State.Value("PAUSED" if paused else _STATES[past.state])
        message.start_time.FromMicroseconds(past.began_us)
        if past.ended_us:
            message.end_time.FromMicroseconds(past.ended_us)
        self._tell_input(begin.input, message)
        self._tell_output(past, message)
        self._fill(message.parameters_before, past.before)
        self._fill(message.parameters_set, {**begin.parameters, **dict.fromkeys(begin.removed)})
        self._fill(message.parameters_after, result.parameters)
        _tell_sums(past, message)
        if past.state in (TurnState.FAILED, TurnState.STOPPED) and (fault := _fault(past)) is not None:
            message.error.code, message.error.message = fault.code, fault.message
        return message

    def _tell_input(self, given: TurnInput, message: ApiMessage) -> None:
        match given:
            case TextInput(text):
                message.text = text
            case EventInput(event):
                message.event = event
            case ToolResultInput():
                self._tell_results((given,), message.results)
            case ToolResultsInput(results):
                self._tell_results(results, message.results)
            case _:
                message.nothing = True

    def _tell_results(self, given: tuple[ToolResultInput, ...], results: ApiMessage) -> None:
        results.SetInParent()
        for each in given:
            result = results.results.add(call_id=each.call_id, tool=each.tool, action=each.action, error=each.error)
            self._fill(result.output, each.output or {})

    def _tell_output(self, past: PastTurn, message: ApiMessage) -> None:
        for said in past.result.messages:
            match said:
                case TextMessage(text):
                    message.replies.append(text)
                case ToolCallMessage(id, tool, action, arguments):
                    self._fill(message.open_calls.add(id=id, tool=tool, action=action).arguments, arguments)
                case RichMessage(content):
                    self._fill(message.messages.add(), content)

    def _fill(self, struct: ApiMessage, value: JsonObject) -> None:
        if value:
            self._api.codec.from_json(value, struct)


def _tell_sums(past: PastTurn, message: ApiMessage) -> None:
    trace = past.result.trace
    decisions = [step for step in trace if isinstance(step, ModelStep)]
    message.step_count, message.decision_count = len(trace), len(decisions)
    message.call_count = sum(isinstance(step, ToolStep) for step in trace)
    message.input_tokens = sum(step.usage.input_tokens for step in decisions)
    message.output_tokens = sum(step.usage.output_tokens for step in decisions)


def _fault(past: PastTurn) -> StepFault | None:
    """Why a turn did not end well, as far as its steps say."""
    for step in reversed(past.result.trace):
        if isinstance(step, NoticeStep):
            return StepFault(code=step.code, message=step.message)
        if isinstance(step, ModelStep) and step.error is not None:
            return step.error
    return None
