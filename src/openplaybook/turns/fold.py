"""From events to state: the one place where a session's state changes.

The same function runs while a turn is live and when it is recovered from its journal, so both agree by
construction.
"""

from collections.abc import Callable

from openplaybook.jsonvalues import JsonObject, as_list
from openplaybook.turns import events
from openplaybook.turns.events import Event
from openplaybook.turns.state import CallStatus, Frame, PendingCall, SessionState


def apply(state: SessionState, event: Event) -> None:
    """Change `state` as `event` says. Kinds that change nothing are passed over."""
    change = _CHANGES.get(event.kind)
    if change is not None:
        change(state, event.data)


def _begin(state: SessionState, data: JsonObject) -> None:
    state.turn += 1
    state.began = data["at"]
    state.answered = False
    state.language_code = data["languageCode"]
    if data["playbook"] or state.ended:
        state.frames.clear()
        state.parameters = {}
        state.sealed = set()
        state.started = set()
        state.interrupted = None
        state.ended = False
    state.parameters = {**state.parameters, **data["parameters"]}
    state.sealed = (state.sealed - data["parameters"].keys()) | set(as_list(data.get("sealed")))
    continues = bool(state.open_client_calls()) and "text" not in data["input"]
    # A resumed turn goes on with the agent as it was when it began.
    state.snapshot = state.snapshot if continues else data["snapshot"]
    # So does one that was cut short, with what it was asked to be.
    goes_on = continues or (state.interrupted is not None and state.interrupted == data["input"])
    asked: bool | None = data.get("clientExecution")
    state.client_execution = state.client_execution if goes_on and asked is None else asked
    for field in ("payload", "metadata", "settings"):
        kept: JsonObject = getattr(state, field) if continues else {}
        setattr(state, field, {**kept, **data[field]})


def _heard(state: SessionState, data: JsonObject) -> None:
    state.interrupted = None


def _push(state: SessionState, data: JsonObject) -> None:
    state.frames_made += 1
    state.frames.append(Frame(data["frame"], data["playbook"], data["inputs"], data["call"]))


def _reply(state: SessionState, data: JsonObject) -> None:
    state.interrupted = None
    state.waits_until = None
    frame = state.top
    state.started.add(frame.playbook)
    if data["planner"] is not None:
        frame.planner = data["planner"]
    frame.batch = [PendingCall.from_json(call) for call in data["calls"]]
    state.answered = not frame.batch


def _intent(state: SessionState, data: JsonObject) -> None:
    for call in state.top.batch:
        if call.id in data["calls"]:
            call.status = CallStatus.SENT


def _result(state: SessionState, data: JsonObject) -> None:
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
    kept = {**state.parameters, **data["parameters"]}
    state.parameters = {name: value for name, value in kept.items() if value is not None}
    state.sealed = (state.sealed - data["parameters"].keys()) | set(as_list(data["sealed"]))
    state.answered = state.answered or data["rests"]
    state.interrupted = None


def _move(state: SessionState, data: JsonObject) -> None:
    left = state.frames.pop()
    state.frames_made += 1
    entered = Frame(data["frame"], data["playbook"], data["inputs"], data["call"], preceding=left.id)
    state.frames.append(entered)
    state.answered = False


def _end(state: SessionState, data: JsonObject) -> None:
    state.top.batch.clear()
    state.ended = state.answered = True


def _pause(state: SessionState, data: JsonObject) -> None:
    state.waits_until = data["until"]


def _say(state: SessionState, data: JsonObject) -> None:
    state.answered = True


def _stop(state: SessionState, data: JsonObject) -> None:
    state.interrupted = data["input"]
    state.answered = True


_CHANGES: dict[str, Callable[[SessionState, JsonObject], None]] = {
    events.BEGIN: _begin,
    events.HEARD: _heard,
    events.PUSH: _push,
    events.REPLY: _reply,
    events.INTENT: _intent,
    events.RESULT: _result,
    events.POP: _pop,
    events.HANDLED: _handled,
    events.MOVE: _move,
    events.END: _end,
    events.PAUSE: _pause,
    events.SAY: _say,
    events.STOP: _stop,
}
