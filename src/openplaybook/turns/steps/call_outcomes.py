"""What came of a call, written down in the form the model will read: of a tool's, and of a playbook's that is called
like a function. What such a playbook says last is the result of its call, and no user hears it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Exchange, Failure, InDoubt, Outcome, Success
from openplaybook.turns.agent.ces_apps import REQUEST
from openplaybook.turns.journal.events import CallSettled, EngineSpoke, PlaybookLeft, Settlement, ToolDecision, now_us
from openplaybook.turns.journal.session_state import CallKind, CallStatus, Frame, PendingCall, SessionState
from openplaybook.turns.session.seals import NOTHING_SET, SealedParameters
from openplaybook.turns.turn import Turn

OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN"
"""Code of a call of which nobody knows whether it was carried out."""
NOTHING_FOUND = Success({})
"""Has neither signals nor payloads."""


def settle(
    turn: Turn,
    call: PendingCall,
    *,
    output: JsonValue = None,
    error: tuple[str, str] | None = None,
    answer: JsonObject | None = None,
    note: str = "",
    started: int | None = None,
    exchanges: Sequence[Exchange] = (),
    models: Sequence[ToolDecision] = (),
    sets: SealedParameters = NOTHING_SET,
    found: Success = NOTHING_FOUND,
) -> CallSettled:
    """Settle a call with its output, or with an error (code, message) and what the other side answered with it.

    `models` is what the tool asked of its model, `sets` the session parameters that it sets, `found` has the signals
    and payloads of its answer.
    """
    code, message = error or ("", "")
    if error is not None:
        output = _error_json(code, message, answer)
    settled = CallSettled(
        frame=turn.state.top.id,
        call=call.id,
        model_id=call.model_id,
        name=call.name,
        kind=call.kind,
        tool=call.tool,
        action=call.action,
        arguments=call.arguments,
        started=started or now_us(),
        output=output,
        is_error=error is not None,
        code=code,
        note=note,
        exchanges=tuple(exchanges),
        models=tuple(models),
        parameters=sets.values,
        sealed=frozenset(sets.sealed),
        signals=found.signals,
        payloads=found.payloads,
    )
    turn.emit(settled)
    return settled


def settle_outcome(
    turn: Turn,
    call: PendingCall,
    outcome: Outcome,
    *,
    started: int,
    exchanges: Sequence[Exchange],
    models: Sequence[ToolDecision] = (),
    sets: SealedParameters = NOTHING_SET,
) -> CallSettled:
    """Settle a call with what its tool said."""
    settled = partial(settle, turn, call, started=started, exchanges=exchanges, models=models, sets=sets)
    if isinstance(outcome, Success):
        return settled(output=outcome.output, note=outcome.note, found=outcome)
    if isinstance(outcome, Failure):
        return settled(error=(outcome.code, outcome.message), answer=outcome.output)
    return settled(error=(OUTCOME_UNKNOWN, outcome.message))


@dataclass(frozen=True, slots=True)
class RecordedOutcome:
    """What a tool said, as events hold it."""

    output: JsonValue
    is_error: bool = False
    code: str = ""
    note: str = ""


def recorded_outcome(outcome: Outcome) -> RecordedOutcome:
    """What goes on record of an outcome."""
    if isinstance(outcome, Success):
        return RecordedOutcome(outcome.output, note=outcome.note)
    code, answer = (outcome.code, outcome.output) if isinstance(outcome, Failure) else (OUTCOME_UNKNOWN, None)
    return RecordedOutcome(_error_json(code, outcome.message, answer), is_error=True, code=code)


def outcome_of(event: Settlement) -> Outcome:
    """The inverse of `recorded_outcome`."""
    if not event.is_error:
        return Success(event.output, event.note)
    if event.code == OUTCOME_UNKNOWN:
        return InDoubt(event.error_message)
    return Failure(event.code, event.error_message, event.error_output)


def in_doubt(state: SessionState, *, sequential: bool) -> frozenset[str]:
    """Ids of the calls that were on their way when the turn's owner died; `sequential`: one at most."""
    if not state.frames:
        return frozenset()
    sent = [call.id for call in state.top.batch if call.kind is CallKind.TOOL and call.status is CallStatus.SENT]
    # A call is made once the result of the one before it is on record.
    return frozenset(sent[:1] if sequential else sent)


def settle_abandoned(turn: Turn) -> None:
    """Settle what a turn leaves open when it cannot go on, so that the session waits for nothing."""
    doubtful = in_doubt(turn.state, sequential=turn.snapshot.sequential)
    for call in list(turn.state.top.batch):
        if call.id in doubtful:
            settle(
                turn, call, error=(OUTCOME_UNKNOWN, "The turn ended before the result; whether it acted is unknown.")
            )
        elif call.status is not CallStatus.SETTLED:
            settle(turn, call, error=("CANCELLED", "The turn ended before this call was made."))


def _error_json(code: str, message: str, answer: JsonObject | None) -> JsonObject:
    document: JsonObject = {"error": {"code": code, "message": message}}
    return document if answer is None else {**document, "output": answer}


RESULT = "result"
"""Member of the output that holds the words."""


def asked_for(call: PendingCall) -> str:
    """What a playbook is asked that is called like a function; empty where its call does not say."""
    request = call.arguments.get(REQUEST)
    return request if isinstance(request, str) else ""


def speak(turn: Turn, text: str, code: str) -> None:
    """Let the engine speak: to the user, or in a playbook that answers its caller to that."""
    if turn.state.top.answers:
        answer_caller(turn, text)
    else:
        turn.emit(EngineSpoke(frame=turn.state.top.id, text=text, code=code))


def answer_caller(turn: Turn, text: str) -> None:
    """Leave the deciding playbook; its words are the result of the call that entered it."""
    call = _leave(turn, {RESULT: text}, "OK")
    settle(turn, call, output={RESULT: text})


def leave_answering(turn: Turn, code: str, message: str) -> None:
    """Leave every playbook that answers its caller for the one that talks with the user; none of their calls gets a
    result."""
    if not turn.state.top.answers:
        return
    while turn.state.top.answers:
        settle_abandoned(turn)
        settle(turn, _leave(turn, {}, "CANCELLED"), error=(code, message))
    settle_abandoned(turn)


def _leave(turn: Turn, outputs: JsonObject, state: str) -> PendingCall:
    """Leave the deciding playbook; gives the call that entered it."""
    left = turn.state.top
    call = _call_of(turn, left)
    left_now = PlaybookLeft(
        frame=left.id,
        playbook=left.playbook,
        outputs=outputs,
        state=state,
        summary="",
        call=call.id,
        name=call.name,
        tool=call.tool,
    )
    turn.emit(left_now)
    return call


def _call_of(turn: Turn, frame: Frame) -> PendingCall:
    caller = turn.state.frames[-2]
    return next(call for call in caller.batch if call.id == frame.call)
