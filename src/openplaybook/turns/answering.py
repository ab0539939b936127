"""Playbooks that are called like functions: what they say last is the result of their call, and no user hears them."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.turns import events
from openplaybook.turns.settling import settle, settle_abandoned
from openplaybook.turns.state import Frame, PendingCall
from openplaybook.turns.turn import Turn

REQUEST = "request"
"""Member of the arguments that holds what is asked."""
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
