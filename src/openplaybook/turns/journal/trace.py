"""From events to the trace: derived once, rendered by `services` in Google's shapes and by the console."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Protocol

from openplaybook.jsonvalues import JsonObject
from openplaybook.turns.base import TraceEvent
from openplaybook.turns.journal.events import (
    CallHanded,
    CallSettled,
    ConversationEnded,
    EngineSpoke,
    Event,
    FrameEvent,
    GuardrailFired,
    GuardStage,
    HandlerFired,
    InnerCallSettled,
    ModelFaulted,
    ModelReplied,
    NoticeGiven,
    PlaybookEntered,
    PlaybookLeft,
    PlaybookReplaced,
    Settlement,
    ToolDecision,
    TurnStopped,
    UserHeard,
)
from openplaybook.turns.journal.messages import text_of
from openplaybook.turns.journal.rows import exchange_json, facts_json
from openplaybook.turns.journal.state import CallKind, PendingCall, SessionState

_MOMENTS = frozenset({"agent", "playbook", "transition"})
_Momentous = ModelReplied | EngineSpoke | HandlerFired | PlaybookEntered | PlaybookLeft | PlaybookReplaced
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
        if isinstance(event, FrameEvent):
            if isinstance(event, PlaybookEntered | PlaybookReplaced):
                frames[event.frame] = event.playbook
            shown.extend(_shown(event, _Scene(snapshot, frames.get(event.frame, ""), turn)))
    return tuple(shown)


def trace_event(event: Settlement, snapshot: TraceNames, playbook: str) -> TraceEvent:
    """A settled tool call while the turn still runs."""
    return _shown(event, _Scene(snapshot, playbook, 0))[-1]


def moments_of(event: Event, snapshot: TraceNames, playbook: str) -> Iterator[TraceEvent]:
    """What one event of a running turn says to its listeners: replies that are complete, and handovers.

    `playbook` is the one that decides. The end of the conversation hands over to nobody.
    """
    if isinstance(event, _Momentous):
        names_one = isinstance(event, PlaybookEntered | PlaybookLeft | PlaybookReplaced)
        scene = _Scene(snapshot, event.playbook if names_one else playbook, 0)
        yield from (shown for shown in _shown(event, scene) if shown.kind in _MOMENTS)


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


@singledispatch
def _shown(event: FrameEvent, scene: _Scene) -> Sequence[TraceEvent]:
    """What the trace tells of an event."""
    return ()


@_shown.register
def _heard(event: UserHeard, scene: _Scene) -> Sequence[TraceEvent]:
    return [_step("user", event, scene, {"text": event.text})]


@_shown.register
def _spoke(event: EngineSpoke, scene: _Scene) -> Sequence[TraceEvent]:
    return [_step("agent", event, scene, {"text": event.text})] if event.text else []


@_shown.register
def _noticed(event: NoticeGiven | TurnStopped, scene: _Scene) -> Sequence[TraceEvent]:
    return [_step("notice", event, scene, {"code": event.code, "message": event.message})]


@_shown.register
def _guarded(event: GuardrailFired, scene: _Scene) -> Sequence[TraceEvent]:
    whose = "the user's" if event.stage is GuardStage.INPUT else "the agent's"
    told: JsonObject = {
        "code": "GUARDRAIL",
        "message": f"Guardrail {event.display_name} fired on {whose} words.",
        "guardrail": event.display_name,
        "stage": event.stage.value,
    }
    return [_step("notice", event, scene, told)]


@_shown.register
def _replied(event: ModelReplied, scene: _Scene) -> Sequence[TraceEvent]:
    model: JsonObject = {
        "model": event.model,
        "input_tokens": event.usage.input_tokens,
        "output_tokens": event.usage.output_tokens,
        "attempts": event.attempts,
        "evidence": event.evidence,
        "call": facts_json(event.call),
    }
    shown = [_step("model", event, scene, model, started=event.started)]
    if event.text and not event.unheard:
        shown.append(_step("agent", event, scene, {"text": event.text}))
    # A call for the client has no result in this turn: it is shown as asked for.
    shown.extend(
        _step("tool", event, scene, _asked(call, call.id, scene.snapshot), ended=0)
        for call in event.calls
        if call.kind is CallKind.CLIENT
    )
    return shown


@_shown.register
def _handed(event: CallHanded, scene: _Scene) -> Sequence[TraceEvent]:
    return [_step("tool", event, scene, _asked(event, event.call, scene.snapshot), ended=0)]


@_shown.register
def _faulted(event: ModelFaulted, scene: _Scene) -> Sequence[TraceEvent]:
    model: JsonObject = {
        "model": event.model,
        "input_tokens": 0,
        "output_tokens": 0,
        "attempts": event.attempts,
        "evidence": {},
        "error": {"code": event.code, "message": event.message},
    }
    return [_step("model", event, scene, model, started=event.started)]


def _asked(call: PendingCall | CallHanded, id: str, snapshot: TraceNames) -> JsonObject:
    return {
        "call_id": id,
        "tool": call.tool,
        "tool_display_name": snapshot.tool_names.get(call.tool, ""),
        "action": call.action,
        "arguments": call.arguments,
    }


@_shown.register
def _call_settled(event: CallSettled, scene: _Scene) -> Sequence[TraceEvent]:
    if event.kind is CallKind.INVALID:
        return [_step("notice", event, scene, {"code": event.code, "message": event.error_message}, event.started)]
    if event.kind not in (CallKind.TOOL, CallKind.CLIENT):
        return []
    told: JsonObject = {"call_id": event.call, **_settled(event, scene)}
    if event.kind is CallKind.CLIENT:
        told["client"] = True
    asked = [_asked_by_tool(each, event, scene) for each in event.models]
    return [*asked, _step("tool", event, scene, told, event.started)]


@_shown.register
def _inner_settled(event: InnerCallSettled, scene: _Scene) -> Sequence[TraceEvent]:
    ids: JsonObject = {"call_id": inner_id(event.call, event.position), "within": event.call}
    return [_step("tool", event, scene, {**ids, **_settled(event, scene)}, event.started)]


def inner_id(outer: str, position: int) -> str:
    """The id of a call that another one made."""
    return f"{outer}.{position}"


def _settled(event: Settlement, scene: _Scene) -> JsonObject:
    told: JsonObject = {
        "tool": event.tool,
        "tool_display_name": scene.snapshot.tool_names.get(event.tool, ""),
        "action": event.action,
        "arguments": event.arguments,
        "note": event.note,
        "exchanges": [exchange_json(each) for each in event.exchanges],
    }
    if shown := {name: value for name, value in event.parameters.items() if name not in event.sealed}:
        told["parameters"] = shown
    if event.is_error:
        return {**told, "error": event.output["error"], "output": event.error_output}
    return {**told, "output": event.output}


def _asked_by_tool(asked: ToolDecision, event: CallSettled, scene: _Scene) -> TraceEvent:
    """A decision that a tool wanted while it was called."""
    model: JsonObject = {
        "model": asked.model,
        "input_tokens": asked.usage.input_tokens,
        "output_tokens": asked.usage.output_tokens,
        "attempts": asked.attempts,
        "evidence": {},
        "call": facts_json(asked.call),
        "within": event.call,
    }
    if asked.error is not None:
        model["error"] = {"code": asked.error.code, "message": asked.error.message}
    return _step("model", event, scene, model, asked.started, asked.at)


@_shown.register
def _entered(event: PlaybookEntered, scene: _Scene) -> Sequence[TraceEvent]:
    if not event.call:
        return []
    return [_step("playbook", event, scene, {**_taken(event, scene), **_as_tool(event)})]


@_shown.register
def _left(event: PlaybookLeft | ConversationEnded, scene: _Scene) -> Sequence[TraceEvent]:
    told: JsonObject = {
        "playbook": event.playbook,
        "playbook_display_name": scene.snapshot.display_name(event.playbook),
        "output": event.outputs,
        "state": event.state,
        "summary": event.summary,
    }
    return [_step("playbook", event, scene, {**told, **(_as_tool(event) if isinstance(event, PlaybookLeft) else {})})]


def _as_tool(event: PlaybookEntered | PlaybookLeft) -> JsonObject:
    """What is said of a playbook that is called like a function."""
    return {"call_id": event.call, "name": event.name, "tool": event.tool} if event.name else {}


@_shown.register
def _replaced(event: PlaybookReplaced, scene: _Scene) -> Sequence[TraceEvent]:
    return [_step("transition", event, scene, _taken(event, scene))]


def _taken(event: PlaybookEntered | PlaybookReplaced, scene: _Scene) -> JsonObject:
    return {
        "playbook": event.playbook,
        "playbook_display_name": scene.snapshot.display_name(event.playbook),
        "arguments": event.inputs,
    }


@_shown.register
def _handler_fired(event: HandlerFired, scene: _Scene) -> Sequence[TraceEvent]:
    told: JsonObject = {
        "stage": event.stage,
        "event": event.event,
        "handler": event.handler,
        "condition": event.condition,
        "call": event.call,
        "messages": len(event.messages),
        "parameters": sorted(event.parameters),
    }
    texts = [text for message in event.messages if (text := text_of(message))]
    return [
        _step("handler", event, scene, told),
        *(_step("agent", event, scene, {"text": text}) for text in texts),
    ]


def _step(
    kind: str, event: FrameEvent, scene: _Scene, told: JsonObject, started: int | None = None, ended: int | None = None
) -> TraceEvent:
    """A step of the trace. It takes no time where nothing says when it started; `ended` 0: it still waits."""
    return TraceEvent(
        kind,
        scene.playbook,
        scene.display_name,
        event.frame,
        event.at if started is None else started,
        event.at if ended is None else ended,
        told,
        scene.turn,
    )
