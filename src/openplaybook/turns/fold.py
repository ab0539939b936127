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
    state.answered = False
    state.language_code = data["languageCode"]
    if data["playbook"]:
        state.frames.clear()
        state.parameters = {}
        state.sealed = set()
        state.interrupted = None
    state.parameters = {**state.parameters, **data["parameters"]}
    state.sealed = (state.sealed - data["parameters"].keys()) | set(as_list(data.get("sealed")))
    continues = bool(state.open_client_calls()) and "text" not in data["input"]
    # A resumed turn goes on with the agent as it was when it began.
    state.snapshot = state.snapshot if continues else data["snapshot"]
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
    frame = state.top
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
    events.SAY: _say,
    events.STOP: _stop,
}
