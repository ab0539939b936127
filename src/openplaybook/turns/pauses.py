"""Pauses: a session waits for results of calls that its client makes, and is told of them one by one."""

from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject
from openplaybook.turns import events
from openplaybook.turns.base import ToolResultInput
from openplaybook.turns.errors import ResultMismatch, ResultNotExpected, ResultRefused
from openplaybook.turns.settling import settle
from openplaybook.turns.snapshot import AgentSnapshot
from openplaybook.turns.state import PendingCall, SessionState
from openplaybook.turns.turn import Turn, now_us

_CANCELLED = ("CANCELLED", "Cancelled: the user went on before there was a result.")
_TIMED_OUT = ("TIMED_OUT", "Timed out: the client gave no result in time.")


def check_result(
    state: SessionState, call: PendingCall, given: ToolResultInput, snapshot: AgentSnapshot, at: int
) -> None:
    """Refuse a result of an open call that the session does not take at the time `at`.

    Raises `ResultNotExpected`, `ResultRefused`.
    """
    if is_over(state, at):
        raise ResultNotExpected(
            f"Session is not waiting for a tool call result of tool, {_short(call.tool)}, and action, {call.action}, "
            "any more: the time for it is over."
        )
    if snapshot.client_execution.strict and (problems := _problems(state, call, given, snapshot)):
        raise ResultRefused(
            f"The result of tool, {_short(call.tool)}, and action, {call.action}, does not fit its output schema: "
            f"{'; '.join(problems)}"
        )


def take_result(turn: Turn, given: ToolResultInput) -> None:
    """Settle the call that a result belongs to."""
    call = find_call(turn.state.open_client_calls(), given)
    if given.error is not None:
        settle(turn, call, error=("CLIENT_ERROR", given.error))
        return
    for problem in _problems(turn.state, call, given, turn.snapshot):
        turn.emit(events.NOTICE, frame=turn.state.top.id, code="RESULT_SCHEMA", message=problem)
    settle(turn, call, output=given.output or {})


def give_up(turn: Turn, at: int) -> None:
    """Settle what the session waits for, since the user went on at the time `at`."""
    error = _TIMED_OUT if is_over(turn.state, at) else _CANCELLED
    for call in turn.state.open_client_calls():
        settle(turn, call, error=error)


def pause(turn: Turn) -> None:
    """Set the time until which the session waits, when the turn ends with open calls and the agent limits the wait."""
    limit = turn.snapshot.client_execution.timeout_us
    if limit is not None and turn.state.open_client_calls():
        turn.emit(events.PAUSE, until=now_us() + limit)


def is_over(state: SessionState, at: int) -> bool:
    """Whether the session waits no longer at a time, in microseconds since the epoch."""
    return state.waits_until is not None and at >= state.waits_until


def find_call(waiting: Sequence[PendingCall], given: ToolResultInput) -> PendingCall:
    """The open call that a result belongs to: by our id when it is repeated, else the oldest of that tool and action.

    Raises `ResultNotExpected` when that call is not open, `ResultMismatch` when something else is.
    """
    if not waiting:
        raise ResultNotExpected(
            f"Session is not waiting for a tool call result of tool, {_short(given.tool)}, and action, {given.action}."
        )
    if given.call_id and all(call.id != given.call_id for call in waiting):
        raise ResultNotExpected(
            f"Session is not waiting for the result of call, {given.call_id}; "
            f"open calls: {', '.join(call.id for call in waiting)}."
        )
    named = [call for call in waiting if given.call_id in ("", call.id)]
    for call in named:
        if (call.tool, call.action) == (given.tool, given.action):
            return call
    raise ResultMismatch(waiting_message(named[0]))


def waiting_message(call: PendingCall) -> str:
    """Google's words for a session that waits for a client."""
    return f"Session is waiting for tool call result of tool, {_short(call.tool)}, and action, {call.action}."


def _problems(state: SessionState, call: PendingCall, given: ToolResultInput, snapshot: AgentSnapshot) -> Sequence[str]:
    """What is wrong with a result against the output schema of its action, where that is still known."""
    action = snapshot.action_of(state.top.playbook, call.name)
    tool = snapshot.tools.get(call.tool)
    if given.error is not None or action is None or tool is None:
        return ()
    output: JsonObject = given.output or {}
    return tool.check_result(action, output)


def _short(tool: str) -> str:
    return tool.rsplit("/", 1)[-1]
