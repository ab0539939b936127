"""What came of a call, written down in the form the model will read: of a tool's, and of a playbook's that is called
like a function. What such a playbook says last is the result of its call, and no user hears it."""

from collections.abc import Mapping, Sequence
from functools import partial

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Exchange, Failure, InDoubt, Outcome, Success
from openplaybook.turns.agent.ces_apps import REQUEST
from openplaybook.turns.journal import events
from openplaybook.turns.journal.events import now_us
from openplaybook.turns.journal.state import CallKind, CallStatus, Frame, PendingCall, SessionState
from openplaybook.turns.session.seals import NOTHING_SET, SealedParameters
from openplaybook.turns.turn import Turn

OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN"
"""Code of a call of which nobody knows whether it was carried out."""


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
    models: Sequence[JsonObject] = (),
    sets: SealedParameters = NOTHING_SET,
) -> None:
    """Settle a call with its output, or with an error (code, message) and what the other side answered with it.

    `models` is what the tool asked of its model (`tool_models`), `sets` the session parameters that it sets.
    """
    code, message = error or ("", "")
    if error is not None:
        output = _error_json(code, message, answer)
    turn.emit(
        events.RESULT,
        frame=turn.state.top.id,
        call=call.id,
        modelId=call.model_id,
        name=call.name,
        kind=call.kind.value,
        tool=call.tool,
        action=call.action,
        arguments=call.arguments,
        started=started or now_us(),
        output=output,
        isError=error is not None,
        code=code,
        note=note,
        exchanges=exchanges_json(exchanges),
        **({"models": list(models)} if models else {}),
        **set_json(sets),
    )


def settle_outcome(
    turn: Turn,
    call: PendingCall,
    outcome: Outcome,
    *,
    started: int,
    exchanges: Sequence[Exchange],
    models: Sequence[JsonObject] = (),
    sets: SealedParameters = NOTHING_SET,
) -> None:
    """Settle a call with what its tool said."""
    settled = partial(settle, turn, call, started=started, exchanges=exchanges, models=models, sets=sets)
    if isinstance(outcome, Success):
        settled(output=outcome.output, note=outcome.note)
    elif isinstance(outcome, Failure):
        settled(error=(outcome.code, outcome.message), answer=outcome.output)
    else:
        settled(error=(OUTCOME_UNKNOWN, outcome.message))


def set_json(sets: SealedParameters) -> JsonObject:
    """Session parameters that a call sets, as events hold them; nothing where it sets none."""
    return {"parameters": sets.values, "sealed": sorted(sets.sealed)} if sets.values else {}


def outcome_json(outcome: Outcome) -> JsonObject:
    """What a tool said, as events hold it: `output`, `isError`, `code` and `note`."""
    if isinstance(outcome, Success):
        return {"output": outcome.output, "isError": False, "code": "", "note": outcome.note}
    code, answer = (outcome.code, outcome.output) if isinstance(outcome, Failure) else (OUTCOME_UNKNOWN, None)
    return {"output": _error_json(code, outcome.message, answer), "isError": True, "code": code, "note": ""}


def outcome_of(told: JsonObject) -> Outcome:
    """The inverse of `outcome_json`."""
    if not told["isError"]:
        return Success(told["output"], told["note"])
    message: str = told["output"]["error"]["message"]
    if told["code"] == OUTCOME_UNKNOWN:
        return InDoubt(message)
    return Failure(told["code"], message, told["output"].get("output"))


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


def exchanges_json(exchanges: Sequence[Exchange]) -> list[JsonObject]:
    """Exchanges as events hold them."""
    return [_exchange_json(exchange) for exchange in exchanges]


def _error_json(code: str, message: str, answer: JsonObject | None) -> JsonObject:
    told: JsonObject = {"error": {"code": code, "message": message}}
    return told if answer is None else {**told, "output": answer}


def _exchange_json(exchange: Exchange) -> JsonObject:
    told: JsonObject = {
        "method": exchange.method,
        "url": exchange.url,
        "requestHeaders": _plain(exchange.request_headers),
        "requestBody": exchange.request_body,
        "status": exchange.status,
        "responseHeaders": _plain(exchange.response_headers),
        "responseBody": exchange.response_body,
        "elapsedMs": exchange.elapsed_ms,
        "error": exchange.error,
        "attempts": exchange.attempts,
    }
    return {**told, "responseFile": exchange.response_file} if exchange.response_file else told


def _plain(headers: Mapping[str, str]) -> JsonObject:
    # HTTP libraries have string types of their own, which JSON does not take as keys.
    return {str(name): str(value) for name, value in headers.items()}


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
        turn.emit(events.SAY, frame=turn.state.top.id, text=text, code=code)


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
    turn.emit(
        events.POP,
        frame=left.id,
        playbook=left.playbook,
        outputs=outputs,
        state=state,
        summary="",
        call=call.id,
        name=call.name,
        tool=call.tool,
    )
    return call


def _call_of(turn: Turn, frame: Frame) -> PendingCall:
    caller = turn.state.frames[-2]
    return next(call for call in caller.batch if call.id == frame.call)
