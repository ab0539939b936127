"""The beginning of a turn: what the request says, checked against what the session waits for."""

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.turns import events
from openplaybook.turns.base import TextInput, ToolResultInput, TurnInput, TurnRequest
from openplaybook.turns.errors import (
    AgentNotReady,
    NoSuchPlaybook,
    RequestKeyReused,
    ResultMismatch,
    ResultNotExpected,
    SessionTooLarge,
    SessionWaiting,
)
from openplaybook.turns.prompting import settings_json
from openplaybook.turns.sealing import SealedParameters
from openplaybook.turns.settling import settle
from openplaybook.turns.snapshot import AgentSnapshot
from openplaybook.turns.state import PendingCall, SessionState
from openplaybook.turns.turn import Turn, now_us

MAX_PARAMETER_BYTES = 1_000_000
"""JSON of the session's parameters, which are stored with every turn."""


def check_repeat(request: TurnRequest, begin: JsonObject) -> None:
    """Refuse a request that repeats the key, but not the input, of the one that `begin` is of: `RequestKeyReused`."""
    if _input_json(request.input) != begin["input"]:
        raise RequestKeyReused("An earlier request of this session had the same key and another input.")


def begin_event(request: TurnRequest, snapshot: str, parameters: SealedParameters) -> JsonObject:
    """Data of the journal's first row: the request itself, so that the turn can be recovered from it.

    `parameters` are the request's, with what is secret sealed.
    """
    return {
        "at": now_us(),
        "snapshot": snapshot,
        "input": _input_json(request.input),
        "languageCode": request.language_code,
        "parameters": parameters.values,
        "sealed": list(parameters.sealed),
        "payload": dict(request.payload),
        "metadata": dict(request.end_user_metadata),
        "playbook": request.current_playbook or "",
        "settings": settings_json(request.settings),
    }


def check(state: SessionState, request: TurnRequest, snapshot: AgentSnapshot) -> None:
    """Refuse a request that this session cannot take now; the session stays as it is.

    Raises `AgentNotReady`, `NoSuchPlaybook`, `ResultNotExpected`, `ResultMismatch`, `SessionWaiting`,
    `SessionTooLarge`.
    """
    kept = {} if request.current_playbook else state.parameters
    if request.parameters and len(dumps({**kept, **request.parameters})) > MAX_PARAMETER_BYTES:
        raise SessionTooLarge(f"The session's parameters would be larger than {MAX_PARAMETER_BYTES} bytes as JSON.")
    if request.current_playbook and request.current_playbook not in snapshot.playbooks:
        raise NoSuchPlaybook(f"currentPlaybook {request.current_playbook} is not a playbook of {request.agent}.")
    waiting = [] if request.current_playbook else state.open_client_calls()
    if isinstance(request.input, ToolResultInput):
        if state.interrupted != _input_json(request.input):
            find_call(waiting, request.input)
    elif waiting and snapshot.refuses_paused_input:
        raise SessionWaiting(waiting_message(waiting[0]))
    if not state.frames and not request.current_playbook and snapshot.start_playbook not in snapshot.playbooks:
        raise AgentNotReady(f"Agent {request.agent} has no start playbook: set startPlaybook to one of its playbooks.")


def open_turn(turn: Turn) -> None:
    """Bring the request's input into the session. To be called once the `begin` event is folded."""
    given = turn.request.input
    if turn.state.interrupted is not None and turn.state.interrupted == _input_json(given):
        return  # The caller repeats what was cut short: what was heard and done stands, the model goes on.
    if isinstance(given, ToolResultInput):
        _take_result(turn, given)
        return
    if not turn.state.frames:
        _enter_first(turn)
    for call in turn.state.open_client_calls():
        settle(turn, call, error=("CANCELLED", "Cancelled: the user went on before there was a result."))
    turn.emit(events.HEARD, frame=turn.state.top.id, text=given.text)


def find_call(waiting: list[PendingCall], given: ToolResultInput) -> PendingCall:
    """The open call that a result belongs to: by our id when it is repeated, else the oldest of that tool and action.

    Raises `ResultNotExpected` when nothing is open, `ResultMismatch` when something else is.
    """
    if not waiting:
        raise ResultNotExpected(
            f"Session is not waiting for a tool call result of tool, {_short(given.tool)}, and action, {given.action}."
        )
    for call in waiting:
        alike = call.tool == given.tool and call.action == given.action
        if alike and given.call_id in ("", call.id):
            return call
    raise ResultMismatch(waiting_message(waiting[0]))


def waiting_message(call: PendingCall) -> str:
    """Google's words for a session that waits for a client."""
    return f"Session is waiting for tool call result of tool, {_short(call.tool)}, and action, {call.action}."


def _take_result(turn: Turn, given: ToolResultInput) -> None:
    call = find_call(turn.state.open_client_calls(), given)
    if given.error is not None:
        settle(turn, call, error=("CLIENT_ERROR", given.error))
        return
    output = given.output or {}
    action = turn.snapshot.action_of(turn.state.top.playbook, call.name)
    tool = turn.snapshot.tools.get(call.tool)
    if action is not None and tool is not None:
        for problem in tool.check_result(action, output):
            turn.emit(events.NOTICE, frame=turn.state.top.id, code="RESULT_SCHEMA", message=problem)
    settle(turn, call, output=output)


def _enter_first(turn: Turn) -> None:
    name = turn.request.current_playbook or turn.snapshot.start_playbook
    definitions = turn.snapshot.playbooks[name].playbook.input_parameters
    parameters = turn.visible_parameters()
    turn.emit(
        events.PUSH,
        frame=turn.state.frames_made + 1,
        playbook=name,
        call="",
        # Parameters of the session reach the first playbook by name.
        inputs={each.name: parameters[each.name] for each in definitions if each.name in parameters},
        text="",
    )


def _input_json(given: TurnInput) -> JsonObject:
    if isinstance(given, TextInput):
        return {"text": given.text}
    result: dict[str, JsonValue] = {"tool": given.tool, "action": given.action, "call": given.call_id}
    return {**result, "output": given.output, "error": given.error}


def _short(tool: str) -> str:
    return tool.rsplit("/", 1)[-1]
