"""From events to state: the one place where a session's state changes.

The same function runs while a turn is live and when it is recovered from its journal, so both agree by
construction.
"""

from collections.abc import Callable

from openplaybook.jsonvalues import JsonObject, as_list
from openplaybook.turns.journal import events
from openplaybook.turns.journal.events import Event
from openplaybook.turns.journal.state import CallKind, CallStatus, Frame, PendingCall, SessionState

_MOST_TOLD = 20


def apply(state: SessionState, event: Event) -> None:
    """Change `state` as `event` says. Kinds that change nothing are passed over."""
    change = _CHANGES.get(event.kind)
    if change is not None:
        change(state, event.data)


def begins_anew(state: SessionState, begin: JsonObject) -> bool:
    """Whether a turn sets aside all that its session held before, by the data of its BEGIN row."""
    return bool(begin["playbook"] or begin.get("history")) or state.ended


def goes_on(state: SessionState, begin: JsonObject) -> bool:
    """Whether a turn goes on with the one that is paused, and so with the agent as that one saw it."""
    return "text" not in begin["input"] and bool(state.open_client_calls()) and not begins_anew(state, begin)


def _begin(state: SessionState, data: JsonObject) -> None:
    continues = goes_on(state, data)
    state.turn += 1
    state.began = data["at"]
    state.answered = False
    state.language_code = data["languageCode"]
    if begins_anew(state, data):
        state.frames.clear()
        state.parameters = {}
        state.sealed = set()
        state.started = set()
        state.interrupted = None
        state.ended = False
    _set_parameters(state, data)
    for name in data.get("removed", ()):
        state.parameters.pop(name, None)
    # A resumed turn goes on with the agent as it was when it began.
    state.snapshot = state.snapshot if continues else data["snapshot"]
    # So does one that was cut short, with what it was asked to be.
    is_same = continues or (state.interrupted is not None and state.interrupted == data["input"])
    asked: bool | None = data.get("clientExecution")
    state.client_execution = state.client_execution if is_same and asked is None else asked
    state.use_fakes = bool(data.get("useFakes")) or (is_same and state.use_fakes)
    for field in ("payload", "metadata", "settings"):
        kept: JsonObject = getattr(state, field) if continues else {}
        setattr(state, field, {**kept, **data[field]})


def _heard(state: SessionState, data: JsonObject) -> None:
    state.interrupted = None


def _push(state: SessionState, data: JsonObject) -> None:
    state.frames_made += 1
    answers = bool(data.get("answers"))
    state.frames.append(Frame(data["frame"], data["playbook"], data["inputs"], data["call"], answers=answers))


def _reply(state: SessionState, data: JsonObject) -> None:
    state.interrupted = None
    state.waits_until = None
    frame = state.top
    state.started.add(frame.playbook)
    if data["planner"] is not None:
        frame.planner = data["planner"]
    frame.batch = [PendingCall.from_json(call) for call in data["calls"]]
    state.answered = not frame.batch and not frame.answers


def _intent(state: SessionState, data: JsonObject) -> None:
    for call in state.top.batch:
        if call.id in data["calls"]:
            call.status = CallStatus.SENT


def _handed(state: SessionState, data: JsonObject) -> None:
    for call in state.top.batch:
        if call.id == data["call"]:
            call.kind, call.status = CallKind.CLIENT, CallStatus.PLANNED


def _result(state: SessionState, data: JsonObject) -> None:
    _change_parameters(state, data)
    batch = state.top.batch
    for call in batch:
        if call.id == data["call"]:
            call.status = CallStatus.SETTLED
    if all(call.status is CallStatus.SETTLED for call in batch):
        batch.clear()


def _pop(state: SessionState, data: JsonObject) -> None:
    state.frames.pop()


def _handled(state: SessionState, data: JsonObject) -> None:
    state.started.add(state.top.playbook)
    _change_parameters(state, data)
    state.answered = state.answered or data["rests"]
    state.interrupted = None


def _move(state: SessionState, data: JsonObject) -> None:
    left = state.frames.pop()
    state.frames_made += 1
    entered = Frame(
        data["frame"], data["playbook"], data["inputs"], data["call"], preceding=left.id, answers=left.answers
    )
    state.frames.append(entered)
    state.answered = False


def _end(state: SessionState, data: JsonObject) -> None:
    state.top.batch.clear()
    state.ended = state.answered = True


def _pause(state: SessionState, data: JsonObject) -> None:
    state.waits_until = data["until"]


def _say(state: SessionState, data: JsonObject) -> None:
    state.answered = True


def _notice(state: SessionState, data: JsonObject) -> None:
    # A client may name any number of models: what a session remembers has a bound.
    if "once" in data and len(state.told) < _MOST_TOLD:
        state.told.add(data["once"])


def _stop(state: SessionState, data: JsonObject) -> None:
    state.interrupted = data["input"]
    state.answered = True


def _set_parameters(state: SessionState, data: JsonObject) -> None:
    given: JsonObject = data["parameters"]
    state.parameters = {**state.parameters, **given}
    state.sealed = (state.sealed - given.keys()) | set(as_list(data.get("sealed")))


def _change_parameters(state: SessionState, data: JsonObject) -> None:
    """As `_set_parameters`, where an event brings any; null takes one away."""
    if data.get("parameters"):
        _set_parameters(state, data)
        state.parameters = {name: value for name, value in state.parameters.items() if value is not None}


_CHANGES: dict[str, Callable[[SessionState, JsonObject], None]] = {
    events.BEGIN: _begin,
    events.DECLARED: _set_parameters,
    events.HEARD: _heard,
    events.PUSH: _push,
    events.REPLY: _reply,
    events.INTENT: _intent,
    events.HANDED: _handed,
    events.RESULT: _result,
    events.INNER_RESULT: _change_parameters,
    events.POP: _pop,
    events.HANDLED: _handled,
    events.MOVE: _move,
    events.END: _end,
    events.PAUSE: _pause,
    events.SAY: _say,
    events.NOTICE: _notice,
    events.STOP: _stop,
}
