"""From events to the trace: derived once, rendered by `services` in Google's shapes and by the console."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Protocol, TypeAlias

from openplaybook.models.base import DecisionFacts, Usage
from openplaybook.resources.guardrails import GuardStage
from openplaybook.turns.base import (
    AgentStep,
    AskedCall,
    DepartureStep,
    EntryStep,
    HandlerStep,
    ModelStep,
    NoticeStep,
    StepFault,
    ToolStep,
    TraceMoment,
    TraceStep,
    TransitionStep,
    UserStep,
)
from openplaybook.turns.journal.events import (
    CallHanded,
    CallSettled,
    CallsIntended,
    ConversationEnded,
    Departure,
    EngineSpoke,
    Event,
    FrameEvent,
    GuardrailFired,
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
from openplaybook.turns.journal.journal_messages import text_of
from openplaybook.turns.journal.session_state import CallKind, PendingCall, SessionState

_Momentous = ModelReplied | EngineSpoke | HandlerFired | PlaybookEntered | PlaybookLeft | PlaybookReplaced
"""Kinds of events that bring moments."""

_NAMING = PlaybookEntered | PlaybookReplaced | Departure
"""Kinds of events that say which playbook their frame is of."""

_Place: TypeAlias = tuple[str, str, int, int, int, int]
"""The fields that every step begins with."""


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
    decision: int = 0
    """Which of the turn's decisions it is, from 1."""

    def place(self, event: FrameEvent, started: int | None = None, ended: int | None = None) -> _Place:
        """Of a step. It takes no time where nothing says when it started; `ended` 0: it still waits."""
        return (
            self.playbook,
            self.snapshot.display_name(self.playbook),
            event.frame,
            event.at if started is None else started,
            event.at if ended is None else ended,
            self.turn,
        )

    def tool_name(self, tool: str) -> str:
        """Display name of a tool; empty where the agent has none such."""
        return self.snapshot.tool_names.get(tool, "")


def trace_of(
    happened: Sequence[Event], snapshot: TraceNames, playbooks: Mapping[int, str], turn: int
) -> tuple[TraceStep, ...]:
    """The trace of one turn.

    `playbooks` says which playbook each frame was in when the turn began, by frame id.
    """
    growing = GrowingTrace(snapshot, playbooks, turn)
    return tuple(step for event in happened for step in growing.add(event))


class GrowingTrace:
    """The trace of a turn that still runs, event by event."""

    def __init__(self, snapshot: TraceNames, playbooks: Mapping[int, str], turn: int) -> None:
        """As for `trace_of`."""
        self._snapshot = snapshot
        self._frames = dict(playbooks)
        self._turn = turn
        self._decisions = 0
        self._under_way: dict[str, ToolStep] = {}
        self._replied: tuple[ModelReplied, _Scene] | None = None

    @property
    def under_way(self) -> Sequence[ToolStep]:
        """Calls of tools that were sent and have no result yet: they have no end."""
        return tuple(self._under_way.values())

    def add(self, event: Event) -> Sequence[TraceStep]:
        """The steps that an event adds."""
        if isinstance(event, CallsIntended):
            self._send(event)
        if not isinstance(event, FrameEvent):
            return ()
        if isinstance(event, _NAMING):
            self._frames[event.frame] = event.playbook
        self._decisions += isinstance(event, ModelReplied | ModelFaulted)
        scene = _Scene(self._snapshot, self._frames.get(event.frame, ""), self._turn, self._decisions)
        if isinstance(event, ModelReplied):
            self._replied = event, scene
        elif isinstance(event, CallSettled | CallHanded):
            self._under_way.pop(event.call, None)
        return _steps_of(event, scene)

    def _send(self, event: CallsIntended) -> None:
        """Calls of the latest reply are on their way."""
        if self._replied is None:
            return
        replied, scene = self._replied
        for call in replied.calls:
            if call.id in event.calls:
                step = _open_step(replied, call, call.id, scene)
                self._under_way[call.id] = replace(step, start_us=event.at)


def tool_ended(event: CallSettled | InnerCallSettled, snapshot: TraceNames, playbook: str) -> ToolStep:
    """A settled tool call while the turn still runs."""
    return _settled(event, _Scene(snapshot, playbook, 0))


def moments_of(event: Event, snapshot: TraceNames, playbook: str) -> Iterator[TraceMoment]:
    """What one event of a running turn says to its listeners: replies that are complete, and handovers.

    `playbook` is the one that decides. The end of the conversation hands over to nobody.
    """
    if isinstance(event, _Momentous):
        names_one = isinstance(event, PlaybookEntered | PlaybookLeft | PlaybookReplaced)
        scene = _Scene(snapshot, event.playbook if names_one else playbook, 0)
        yield from (step for step in _steps_of(event, scene) if isinstance(step, TraceMoment))


def without_parameters(step: TraceStep, names: Collection[str]) -> TraceStep:
    """A step without the values of these session parameters, where it tells of any."""
    if not isinstance(step, ToolStep) or not step.parameters:
        return step
    parameters = {name: value for name, value in step.parameters.items() if name not in names}
    return replace(step, parameters=parameters)


def tool_started(
    state: SessionState, snapshot: TraceNames, call: PendingCall, started: int, within: str = ""
) -> ToolStep:
    """A tool call that has just been sent: it has no end yet. `within` is the id of the call that makes it."""
    playbook = state.top.playbook
    place = (playbook, snapshot.display_name(playbook), state.top.id, started, 0)
    return ToolStep(
        *place,
        within=within,
        call_id=call.id,
        tool=call.tool,
        tool_display_name=snapshot.tool_names.get(call.tool, ""),
        action=call.action,
        arguments=call.arguments,
    )


@singledispatch
def _steps_of(event: FrameEvent, scene: _Scene) -> Sequence[TraceStep]:
    """What the trace tells of an event."""
    return ()


@_steps_of.register
def _heard(event: UserHeard, scene: _Scene) -> Sequence[TraceStep]:
    return [UserStep(*scene.place(event), text=event.text)]


@_steps_of.register
def _spoke(event: EngineSpoke, scene: _Scene) -> Sequence[TraceStep]:
    return [AgentStep(*scene.place(event), text=event.text)] if event.text else []


@_steps_of.register
def _noticed(event: NoticeGiven | TurnStopped, scene: _Scene) -> Sequence[TraceStep]:
    return [NoticeStep(*scene.place(event), code=event.code, message=event.message)]


@_steps_of.register
def _guarded(event: GuardrailFired, scene: _Scene) -> Sequence[TraceStep]:
    whose = "the user's" if event.stage is GuardStage.INPUT else "the agent's"
    return [
        NoticeStep(
            *scene.place(event),
            code="GUARDRAIL",
            message=f"Guardrail {event.display_name} fired on {whose} words.",
            guardrail=event.display_name,
            stage=event.stage.value,
        )
    ]


@_steps_of.register
def _replied(event: ModelReplied, scene: _Scene) -> Sequence[TraceStep]:
    decision = ModelStep(
        *scene.place(event, event.started),
        model=event.model,
        usage=event.usage,
        attempts=event.attempts,
        facts=event.call,
        evidence=event.evidence,
        text=event.text,
        calls=tuple(map(_asked, event.calls)),
        prompt=prompt_key(scene.turn, scene.decision),
    )
    steps: list[TraceStep] = [decision]
    if event.text and not event.unheard:
        steps.append(AgentStep(*scene.place(event), text=event.text))
    # A call for the client has no result in this turn: it is shown as asked for.
    steps.extend(_open_step(event, call, call.id, scene) for call in event.calls if call.kind is CallKind.CLIENT)
    return steps


def _asked(call: PendingCall) -> AskedCall:
    return AskedCall(id=call.id, name=call.name, tool=call.tool, action=call.action, arguments=call.arguments)


@_steps_of.register
def _handed(event: CallHanded, scene: _Scene) -> Sequence[TraceStep]:
    return [_open_step(event, event, event.call, scene)]


def _open_step(event: FrameEvent, call: PendingCall | CallHanded, id: str, scene: _Scene) -> ToolStep:
    """A call that has no result yet: it waits for the client, or is on its way."""
    return ToolStep(
        *scene.place(event, ended=0),
        call_id=id,
        tool=call.tool,
        tool_display_name=scene.tool_name(call.tool),
        action=call.action,
        arguments=call.arguments,
    )


@_steps_of.register
def _faulted(event: ModelFaulted, scene: _Scene) -> Sequence[TraceStep]:
    return [
        ModelStep(
            *scene.place(event, event.started),
            model=event.model,
            usage=Usage(),
            attempts=event.attempts,
            facts=DecisionFacts(),
            error=StepFault(code=event.code, message=event.message),
            prompt=prompt_key(scene.turn, scene.decision),
        )
    ]


@_steps_of.register
def _call_settled(event: CallSettled, scene: _Scene) -> Sequence[TraceStep]:
    if event.kind is CallKind.INVALID:
        return [NoticeStep(*scene.place(event, event.started), code=event.code, message=event.error_message)]
    if event.kind not in (CallKind.TOOL, CallKind.CLIENT):
        return []
    decisions = [_tool_decision(each, at, event, scene) for at, each in enumerate(event.models, 1)]
    return [*decisions, _settled(event, scene)]


@_steps_of.register
def _inner_settled(event: InnerCallSettled, scene: _Scene) -> Sequence[TraceStep]:
    return [_settled(event, scene)]


def inner_id(outer: str, position: int) -> str:
    """The id of a call that another one made."""
    return f"{outer}.{position}"


def prompt_key(turn: int, decision: int) -> str:
    """What a decision of a session is kept by: number of the turn, and which of its decisions it is, from 1."""
    return f"{turn}/{decision}"


def tool_prompt_key(turn: int, call: str, decision: int) -> str:
    """The same for a decision that a tool wanted while it was called; `decision` is counted in the call, from 1."""
    return f"{turn}/{call}/{decision}"


def _settled(event: CallSettled | InnerCallSettled, scene: _Scene) -> ToolStep:
    is_inner = isinstance(event, InnerCallSettled)
    return ToolStep(
        *scene.place(event, event.started),
        within=event.call if is_inner else "",
        call_id=inner_id(event.call, event.position) if is_inner else event.call,
        tool=event.tool,
        tool_display_name=scene.tool_name(event.tool),
        action=event.action,
        arguments=event.arguments,
        output=event.error_output if event.is_error else event.output,
        error=_fault(event),
        note=event.note,
        exchanges=event.exchanges,
        parameters={name: value for name, value in event.parameters.items() if name not in event.sealed},
        is_client=not is_inner and event.kind is CallKind.CLIENT,
        signals=event.signals if isinstance(event, CallSettled) else {},
    )


def _fault(event: Settlement) -> StepFault | None:
    return StepFault(code=event.output["error"]["code"], message=event.error_message) if event.is_error else None


def _tool_decision(decision: ToolDecision, position: int, event: CallSettled, scene: _Scene) -> ModelStep:
    """A decision that a tool wanted while it was called; `position` in the call, from 1."""
    fault = decision.error
    return ModelStep(
        *scene.place(event, decision.started, decision.at),
        within=event.call,
        model=decision.model,
        usage=decision.usage,
        attempts=decision.attempts,
        facts=decision.call,
        error=None if fault is None else StepFault(code=fault.code, message=fault.message),
        prompt=tool_prompt_key(scene.turn, event.call, position),
    )


@_steps_of.register
def _entered(event: PlaybookEntered, scene: _Scene) -> Sequence[TraceStep]:
    if not event.call:
        return []
    call = event.call if event.name else ""
    return [EntryStep(*scene.place(event), arguments=event.inputs, call_id=call, name=event.name, tool=event.tool)]


@_steps_of.register
def _left(event: PlaybookLeft | ConversationEnded, scene: _Scene) -> Sequence[TraceStep]:
    call, name, tool = (event.call, event.name, event.tool) if isinstance(event, PlaybookLeft) else ("", "", "")
    return [
        DepartureStep(
            *scene.place(event),
            output=event.outputs,
            state=event.state,
            summary=event.summary,
            call_id=call,
            name=name,
            tool=tool,
        )
    ]


@_steps_of.register
def _replaced(event: PlaybookReplaced, scene: _Scene) -> Sequence[TraceStep]:
    return [TransitionStep(*scene.place(event), arguments=event.inputs)]


@_steps_of.register
def _handler_fired(event: HandlerFired, scene: _Scene) -> Sequence[TraceStep]:
    fired = HandlerStep(
        *scene.place(event),
        stage=event.stage,
        event=event.event,
        handler=event.handler,
        condition=event.condition,
        call_id=event.call,
        messages=len(event.messages),
        parameters=tuple(sorted(event.parameters)),
    )
    texts = [text for message in event.messages if (text := text_of(message))]
    return [fired, *(AgentStep(*scene.place(event), text=text) for text in texts)]
