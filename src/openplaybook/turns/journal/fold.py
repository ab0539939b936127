"""From events to state: the one place where a session's state changes.

The same function runs while a turn is live and when it is recovered from its journal, so both agree by
construction.
"""

from collections.abc import Collection
from functools import singledispatch

from openplaybook.jsonvalues import JsonObject
from openplaybook.turns.base import EventInput, TextInput
from openplaybook.turns.journal.events import (
    CallHanded,
    CallSettled,
    CallsIntended,
    ConversationEnded,
    EngineSpoke,
    Event,
    HandlerFired,
    ModelReplied,
    NoticeGiven,
    ParametersDeclared,
    PlaybookEntered,
    PlaybookLeft,
    PlaybookReplaced,
    Settlement,
    TurnBegun,
    TurnStopped,
    UserHeard,
    WaitLimited,
)
from openplaybook.turns.journal.session_state import CallKind, CallStatus, Frame, SessionState

_MOST_NOTICES = 20


@singledispatch
def apply(event: Event, state: SessionState) -> None:
    """Change `state` as `event` says. Kinds that change nothing are passed over."""


def begins_anew(state: SessionState, begin: TurnBegun) -> bool:
    """Whether a turn sets aside all that its session held before."""
    return begin.sets_aside or state.ended


def goes_on(state: SessionState, begin: TurnBegun) -> bool:
    """Whether a turn goes on with the one that is paused, and so with the agent as that one saw it."""
    brings_words = isinstance(begin.input, TextInput | EventInput)
    return not brings_words and bool(state.open_client_calls()) and not begins_anew(state, begin)


@apply.register
def _begun(event: TurnBegun, state: SessionState) -> None:
    continues = goes_on(state, event)
    state.turn += 1
    state.began = event.at
    state.answered = False
    state.language_code = event.language_code
    if begins_anew(state, event):
        state.frames.clear()
        state.parameters = {}
        state.sealed = set()
        state.started = set()
        state.interrupted = None
        state.ended = False
    _set_parameters(state, event.parameters, event.sealed)
    for name in event.removed:
        state.parameters.pop(name, None)
    # A resumed turn goes on with the agent as it was when it began.
    state.snapshot = state.snapshot if continues else event.snapshot
    # So does one that was cut short, with what it was asked to be.
    is_same = continues or (state.interrupted is not None and state.interrupted == event.input)
    execution = event.client_execution
    state.client_execution = state.client_execution if is_same and execution is None else execution
    state.use_fakes = event.use_fakes or (is_same and state.use_fakes)
    state.payload = {**state.payload, **event.payload} if continues else event.payload
    state.metadata = {**state.metadata, **event.metadata} if continues else event.metadata
    state.settings = {**state.settings, **event.settings} if continues else event.settings


@apply.register
def _declared(event: ParametersDeclared, state: SessionState) -> None:
    _set_parameters(state, event.parameters, event.sealed)


@apply.register
def _heard(event: UserHeard, state: SessionState) -> None:
    state.interrupted = None


@apply.register
def _entered(event: PlaybookEntered, state: SessionState) -> None:
    state.frames_made += 1
    state.frames.append(Frame(event.frame, event.playbook, event.inputs, event.call, answers=event.answers))


@apply.register
def _replied(event: ModelReplied, state: SessionState) -> None:
    state.interrupted = None
    state.waits_until = None
    frame = state.top
    state.started.add(frame.playbook)
    if event.planner is not None:
        frame.planner = event.planner
    # Of its own: their status changes, what was asked for does not.
    frame.batch = [call.copy() for call in event.calls]
    state.answered = not frame.batch and not frame.answers


@apply.register
def _intended(event: CallsIntended, state: SessionState) -> None:
    for call in state.top.batch:
        if call.id in event.calls:
            call.status = CallStatus.SENT


@apply.register
def _handed(event: CallHanded, state: SessionState) -> None:
    for call in state.top.batch:
        if call.id == event.call:
            call.kind, call.status = CallKind.CLIENT, CallStatus.PLANNED


@apply.register
def _settled(event: Settlement, state: SessionState) -> None:
    _change_parameters(state, event.parameters, event.sealed)


@apply.register
def _call_settled(event: CallSettled, state: SessionState) -> None:
    _settled(event, state)
    batch = state.top.batch
    for call in batch:
        if call.id == event.call:
            call.status = CallStatus.SETTLED
    if all(call.status is CallStatus.SETTLED for call in batch):
        batch.clear()


@apply.register
def _left(event: PlaybookLeft, state: SessionState) -> None:
    state.frames.pop()


@apply.register
def _handler_fired(event: HandlerFired, state: SessionState) -> None:
    state.started.add(state.top.playbook)
    _change_parameters(state, event.parameters, event.sealed)
    state.answered = state.answered or event.rests
    state.interrupted = None


@apply.register
def _replaced(event: PlaybookReplaced, state: SessionState) -> None:
    left = state.frames.pop()
    state.frames_made += 1
    entered = Frame(event.frame, event.playbook, event.inputs, event.call, preceding=left.id, answers=left.answers)
    state.frames.append(entered)
    state.answered = False


@apply.register
def _ended(event: ConversationEnded, state: SessionState) -> None:
    state.top.batch.clear()
    state.ended = state.answered = True


@apply.register
def _wait_limited(event: WaitLimited, state: SessionState) -> None:
    state.waits_until = event.until


@apply.register
def _spoke(event: EngineSpoke, state: SessionState) -> None:
    state.answered = True


@apply.register
def _noticed(event: NoticeGiven, state: SessionState) -> None:
    # A client may name any number of models: what a session remembers has a bound.
    if event.once and len(state.told) < _MOST_NOTICES:
        state.told.add(event.once)


@apply.register
def _stopped(event: TurnStopped, state: SessionState) -> None:
    state.interrupted = event.input
    state.answered = True


def _set_parameters(state: SessionState, parameters: JsonObject, sealed: Collection[str]) -> None:
    state.parameters = {**state.parameters, **parameters}
    state.sealed = (state.sealed - parameters.keys()) | set(sealed)


def _change_parameters(state: SessionState, parameters: JsonObject, sealed: Collection[str]) -> None:
    """As `_set_parameters`, where an event brings any; null takes one away."""
    if parameters:
        _set_parameters(state, parameters, sealed)
        state.parameters = {name: value for name, value in state.parameters.items() if value is not None}
