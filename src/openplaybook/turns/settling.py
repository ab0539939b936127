"""Writing down what came of a call, in the form the model will read."""

from collections.abc import Mapping, Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Exchange, Failure, Outcome, Success
from openplaybook.turns import events
from openplaybook.turns.state import CallStatus, PendingCall
from openplaybook.turns.turn import Turn, now_us


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
) -> None:
    """Settle a call with its output, or with an error (code, message) and what the other side answered with it."""
    code, message = error or ("", "")
    if error is not None:
        output = {"error": {"code": code, "message": message}}
        if answer is not None:
            output["output"] = answer
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
        exchanges=[_exchange_json(exchange) for exchange in exchanges],
    )


def settle_outcome(
    turn: Turn, call: PendingCall, outcome: Outcome, *, started: int, exchanges: Sequence[Exchange]
) -> None:
    """Settle a call with what its tool said."""
    if isinstance(outcome, Success):
        settle(turn, call, output=outcome.output, note=outcome.note, started=started, exchanges=exchanges)
    elif isinstance(outcome, Failure):
        error = (outcome.code, outcome.message)
        settle(turn, call, error=error, answer=outcome.output, started=started, exchanges=exchanges)
    else:
        settle(turn, call, error=("OUTCOME_UNKNOWN", outcome.message), started=started, exchanges=exchanges)


def settle_abandoned(turn: Turn) -> None:
    """Settle what a turn leaves open when it cannot go on, so that the session waits for nothing."""
    for call in list(turn.state.top.batch):
        if call.status is CallStatus.SENT:
            settle(
                turn, call, error=("OUTCOME_UNKNOWN", "The turn ended before the result; whether it acted is unknown.")
            )
        elif call.status is CallStatus.PLANNED:
            settle(turn, call, error=("CANCELLED", "The turn ended before this call was made."))


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
