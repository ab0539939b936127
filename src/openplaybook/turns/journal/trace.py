"""From events to the trace: derived once, rendered by `services` in Google's shapes and by the console."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.turns.base import TraceEvent
from openplaybook.turns.journal import events
from openplaybook.turns.journal.events import Event
from openplaybook.turns.journal.messages import text_of
from openplaybook.turns.journal.state import CallKind, PendingCall, SessionState

_MOMENTS = frozenset({"agent", "playbook", "transition"})
_MOMENTOUS = frozenset({events.REPLY, events.SAY, events.HANDLED, events.PUSH, events.POP, events.MOVE})
"""Kinds of events that bring moments."""


class TraceNames(Protocol):
    """What a trace has to know of an agent; an `AgentSnapshot` knows it."""

    @property
    def tool_names(self) -> Mapping[str, str]:
        """Display name by resource name."""
        ...

    def display_name(self, playbook: str) -> str:
        """A playbook's display name; its resource name when this agent has no such playbook."""
        ...


@dataclass(frozen=True, slots=True)
class _Scene:
    """Where an event happened."""

    snapshot: TraceNames
    playbook: str
    turn: int

    @property
    def display_name(self) -> str:
        """Of the playbook."""
        return self.snapshot.display_name(self.playbook)


def trace_of(
    happened: Sequence[Event], snapshot: TraceNames, playbooks: Mapping[int, str], turn: int
) -> tuple[TraceEvent, ...]:
    """The trace of one turn.

    `playbooks` says which playbook each frame was in when the turn began, by frame id.
    """
    frames = dict(playbooks)
    shown: list[TraceEvent] = []
    for event in happened:
        if event.kind in (events.PUSH, events.MOVE):
            frames[event.data["frame"]] = event.data["playbook"]
        render = _RENDERINGS.get(event.kind)
        if render is not None:
            shown.extend(render(event.data, _Scene(snapshot, frames.get(event.data["frame"], ""), turn)))
    return tuple(shown)


def trace_event(event: Event, snapshot: TraceNames, playbook: str) -> TraceEvent:
    """A settled tool call while the turn still runs. `event` is of kind `result` or `inner_result`."""
    return _RENDERINGS[event.kind](event.data, _Scene(snapshot, playbook, 0))[-1]


def moments_of(event: Event, snapshot: TraceNames, playbook: str) -> Iterator[TraceEvent]:
    """What one event of a running turn says to its listeners: replies that are complete, and handovers.

    `playbook` is the one that decides. The end of the conversation hands over to nobody.
    """
    if event.kind not in _MOMENTOUS:
        return
    scene = _Scene(snapshot, str(event.data.get("playbook") or playbook), 0)
    yield from (shown for shown in _RENDERINGS[event.kind](event.data, scene) if shown.kind in _MOMENTS)


def without_parameters(event: TraceEvent, names: Collection[str]) -> TraceEvent:
    """A step without the values of these session parameters, where it tells of any."""
    told = event.data.get("parameters")
    if event.kind != "tool" or not told:
        return event
    kept = {name: value for name, value in told.items() if name not in names}
    return replace(event, data={**event.data, "parameters": kept})


def tool_started(
    state: SessionState, snapshot: TraceNames, call: PendingCall, started: int, within: str = ""
) -> TraceEvent:
    """A tool call that has just been sent: it has no end yet. `within` is the id of the call that makes it."""
    data: JsonObject = {
        **({"within": within} if within else {}),
        "call_id": call.id,
        "tool": call.tool,
        "tool_display_name": snapshot.tool_names.get(call.tool, ""),
        "action": call.action,
        "arguments": call.arguments,
    }
    playbook = state.top.playbook
    return TraceEvent("tool", playbook, snapshot.display_name(playbook), state.top.id, started, 0, data)


def _heard(data: JsonObject, scene: _Scene) -> Sequence[TraceEvent]:
    return [_event("user", data, scene, {"text": data["text"]})]


def _say(data: JsonObject, scene: _Scene) -> Sequence[TraceEvent]:
    return [_event("agent", data, scene, {"text": data["text"]})] if data["text"] else []


def _notice(data: JsonObject, scene: _Scene) -> Sequence[TraceEvent]:
    return [_event("notice", data, scene, {"code": data["code"], "message": data["message"]})]


def _guarded(data: JsonObject, scene: _Scene) -> Sequence[TraceEvent]:
    whose = "the user's" if data["stage"] == events.INPUT else "the agent's"
    told: JsonObject = {
        "code": "GUARDRAIL",
        "message": f"Guardrail {data['displayName']} fired on {whose} words.",
        "guardrail": data["displayName"],
        "stage": data["stage"],
    }
    return [_event("notice", data, scene, told)]


def _reply(data: JsonObject, scene: _Scene) -> Sequence[TraceEvent]:
    model: JsonObject = {
        "model": data["model"],
        "input_tokens": data["usage"]["input"],
        "output_tokens": data["usage"]["output"],
        "attempts": data["attempts"],
        "evidence": data["evidence"],
        "call": data.get("call", {}),
    }
    shown = [_event("model", data, scene, model)]
    if data["text"] and not data.get("unheard"):
        shown.append(_event("agent", {**data, "started": data["at"]}, scene, {"text": data["text"]}))
    # A call for the client has no result in this turn: it is shown as asked for.
    shown.extend(
        _event("tool", {**data, "started": data["at"], "at": 0}, scene, _asked(call, call["id"], scene.snapshot))
        for call in data["calls"]
        if call["kind"] == CallKind.CLIENT.value
    )
    return shown


def _handed(data: JsonObject, scene: _Scene) -> Sequence[TraceEvent]:
    return [_event("tool", {**data, "started": data["at"], "at": 0}, scene, _asked(data, data["call"], scene.snapshot))]


def _fault(data: JsonObject, scene: _Scene) -> Sequence[TraceEvent]:
    model: JsonObject = {
        "model": data["model"],
        "input_tokens": 0,
        "output_tokens": 0,
        "attempts": data["attempts"],
        "evidence": {},
        "error": {"code": data["code"], "message": data["message"]},
    }
    return [_event("model", data, scene, model)]


def _asked(call: JsonObject, id: str, snapshot: TraceNames) -> JsonObject:
    return {
        "call_id": id,
        "tool": call["tool"],
        "tool_display_name": snapshot.tool_names.get(call["tool"], ""),
        "action": call["action"],
        "arguments": call["arguments"],
    }


def _result(data: JsonObject, scene: _Scene) -> Sequence[TraceEvent]:
    if data["kind"] not in (CallKind.TOOL.value, CallKind.CLIENT.value):
        if data["kind"] != CallKind.INVALID.value:
            return []
        message: JsonValue = data["output"]["error"]["message"]
        return [_event("notice", data, scene, {"code": data["code"], "message": message})]
    told = {"call_id": data["call"], **_settled(data, scene)}
    if data["kind"] == CallKind.CLIENT.value:
        told["client"] = True
    asked = [_asked_by_tool(each, data["call"], data["frame"], scene) for each in data.get("models", ())]
    return [*asked, _event("tool", data, scene, told)]


def _inner_result(data: JsonObject, scene: _Scene) -> Sequence[TraceEvent]:
    ids: JsonObject = {"call_id": inner_id(data["call"], data["position"]), "within": data["call"]}
    return [_event("tool", data, scene, {**ids, **_settled(data, scene)})]


def inner_id(outer: str, position: int) -> str:
    """The id of a call that another one made."""
    return f"{outer}.{position}"


def _settled(data: JsonObject, scene: _Scene) -> JsonObject:
    told: JsonObject = {
        "tool": data["tool"],
        "tool_display_name": scene.snapshot.tool_names.get(data["tool"], ""),
        "action": data["action"],
        "arguments": data["arguments"],
        "note": data["note"],
        "exchanges": data["exchanges"],
    }
    if shown := {name: value for name, value in data.get("parameters", {}).items() if name not in data["sealed"]}:
        told["parameters"] = shown
    if data["isError"]:
        return {**told, "error": data["output"]["error"], "output": data["output"].get("output")}
    return {**told, "output": data["output"]}


def _asked_by_tool(asked: JsonObject, call: str, frame: int, scene: _Scene) -> TraceEvent:
    """A decision that a tool wanted while it was called."""
    model: JsonObject = {
        "model": asked["model"],
        "input_tokens": asked["usage"]["input"],
        "output_tokens": asked["usage"]["output"],
        "attempts": asked["attempts"],
        "evidence": {},
        "call": asked["call"],
        "within": call,
        **({"error": asked["error"]} if "error" in asked else {}),
    }
    return _event("model", {**asked, "frame": frame}, scene, model)


def _push(data: JsonObject, scene: _Scene) -> Sequence[TraceEvent]:
    if not data["call"]:
        return []
    told: JsonObject = {
        "playbook": data["playbook"],
        "playbook_display_name": scene.snapshot.display_name(data["playbook"]),
        "arguments": data["inputs"],
    }
    return [_event("playbook", data, scene, {**told, **_as_tool(data)})]


def _pop(data: JsonObject, scene: _Scene) -> Sequence[TraceEvent]:
    told: JsonObject = {
        "playbook": data["playbook"],
        "playbook_display_name": scene.snapshot.display_name(data["playbook"]),
        "output": data["outputs"],
        "state": data["state"],
        "summary": data.get("summary", ""),
    }
    return [_event("playbook", data, scene, {**told, **_as_tool(data)})]


def _as_tool(data: JsonObject) -> JsonObject:
    """What is said of a playbook that is called like a function."""
    return {"call_id": data["call"], "name": data["name"], "tool": data["tool"]} if "name" in data else {}


def _move(data: JsonObject, scene: _Scene) -> Sequence[TraceEvent]:
    told: JsonObject = {
        "playbook": data["playbook"],
        "playbook_display_name": scene.snapshot.display_name(data["playbook"]),
        "arguments": data["inputs"],
    }
    return [_event("transition", data, scene, told)]


def _handled(data: JsonObject, scene: _Scene) -> Sequence[TraceEvent]:
    told: JsonObject = {
        "stage": data["stage"],
        "event": data["event"],
        "handler": data["handler"],
        "condition": data["condition"],
        "call": data["call"],
        "messages": len(data["messages"]),
        "parameters": sorted(data["parameters"]),
    }
    texts = [text for message in data["messages"] if (text := text_of(message))]
    return [
        _event("handler", data, scene, told),
        *(_event("agent", data, scene, {"text": text}) for text in texts),
    ]


def _event(kind: str, data: JsonObject, scene: _Scene, told: JsonObject) -> TraceEvent:
    started = data.get("started", data["at"])
    return TraceEvent(kind, scene.playbook, scene.display_name, data["frame"], started, data["at"], told, scene.turn)


_RENDERINGS: dict[str, Callable[[JsonObject, _Scene], Sequence[TraceEvent]]] = {
    events.HEARD: _heard,
    events.PUSH: _push,
    events.REPLY: _reply,
    events.GUARDED: _guarded,
    events.HANDED: _handed,
    events.FAULT: _fault,
    events.RESULT: _result,
    events.INNER_RESULT: _inner_result,
    events.POP: _pop,
    events.HANDLED: _handled,
    events.MOVE: _move,
    events.END: _pop,
    events.SAY: _say,
    events.NOTICE: _notice,
    events.STOP: _notice,
}
