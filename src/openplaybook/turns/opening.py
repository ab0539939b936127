"""The beginning of a turn: what the request says, checked against what the session waits for."""

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.tools.files import SessionFiles
from openplaybook.turns import events
from openplaybook.turns.base import EventInput, TextInput, ToolResultInput, TurnInput, TurnRequest
from openplaybook.turns.errors import (
    AgentNotReady,
    NoSuchPlaybook,
    RequestKeyReused,
    SessionTooLarge,
    SessionWaiting,
)
from openplaybook.turns.pauses import check_result, find_call, give_up, is_over, take_result, waiting_message
from openplaybook.turns.prompting import settings_json
from openplaybook.turns.sealing import SealedParameters
from openplaybook.turns.snapshot import AgentSnapshot
from openplaybook.turns.state import SessionState
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
        "clientExecution": request.client_execution,
    }


def check(state: SessionState, request: TurnRequest, snapshot: AgentSnapshot, at: int) -> None:
    """Refuse a request that this session cannot take at the time `at`; the session stays as it is.

    Raises `AgentNotReady`, `NoSuchPlaybook`, `ResultNotExpected`, `ResultMismatch`, `ResultRefused`,
    `SessionWaiting`, `SessionTooLarge`.
    """
    begins_anew = bool(request.current_playbook) or state.ended
    kept = {} if begins_anew else state.parameters
    if request.parameters and len(dumps({**kept, **request.parameters})) > MAX_PARAMETER_BYTES:
        raise SessionTooLarge(f"The session's parameters would be larger than {MAX_PARAMETER_BYTES} bytes as JSON.")
    if request.current_playbook and request.current_playbook not in snapshot.playbooks:
        raise NoSuchPlaybook(f"currentPlaybook {request.current_playbook} is not a playbook of {request.agent}.")
    waiting = [] if begins_anew else state.open_client_calls()
    if isinstance(request.input, ToolResultInput):
        if state.interrupted != _input_json(request.input):
            check_result(state, find_call(waiting, request.input), request.input, snapshot, at)
    elif waiting and snapshot.refuses_paused_input and not is_over(state, at):
        raise SessionWaiting(waiting_message(waiting[0]))
    has_none = state.ended or not state.frames
    if has_none and not request.current_playbook and snapshot.start_playbook not in snapshot.playbooks:
        raise AgentNotReady(f"Agent {request.agent} has no start playbook: set startPlaybook to one of its playbooks.")


async def keep_files(turn: Turn) -> None:
    """Keep the files that the request brings; its payload names them by their handles."""
    files = SessionFiles(turn.store, turn.request.session)
    for given in turn.request.files:
        await files.put(given.name, given.media_type, given.data)


def open_turn(turn: Turn) -> None:
    """Bring the request's input into the session. To be called once the `begin` event is folded."""
    given = turn.request.input
    if turn.state.interrupted is not None and turn.state.interrupted == _input_json(given):
        return  # The caller repeats what was cut short: what was heard and done stands, the model goes on.
    if isinstance(given, ToolResultInput):
        take_result(turn, given)
        return
    if not turn.state.frames:
        _enter_first(turn)
    give_up(turn, turn.events[0].data["at"])
    if isinstance(given, TextInput):
        turn.emit(events.HEARD, frame=turn.state.top.id, text=given.text)


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
    if isinstance(given, EventInput):
        # To all that only asks whether a turn brings a result, an event is a user who says nothing.
        return {"text": "", "event": given.event}
    result: dict[str, JsonValue] = {"tool": given.tool, "action": given.action, "call": given.call_id}
    return {**result, "output": given.output, "error": given.error}
