"""A session's state: what it says comes next, and its stored form."""

import pytest

from openplaybook.turns.base import TextInput
from openplaybook.turns.journal.session_state import (
    CallKind,
    CallStatus,
    Frame,
    PendingCall,
    Phase,
    SessionState,
    phase_of,
)


def state_with(*kinds: CallKind, answered: bool = False) -> SessionState:
    batch = [PendingCall(f"c{n}", f"m{n}", "f", kind, {}) for n, kind in enumerate(kinds)]
    return SessionState(frames=[Frame(1, "p", {}, batch=batch)], answered=answered)


@pytest.mark.parametrize(
    ("kinds", "phase"),
    [
        ((), Phase.DECIDE),
        ((CallKind.TOOL,), Phase.CALL),
        ((CallKind.CLIENT, CallKind.TOOL), Phase.CALL),
        ((CallKind.CLIENT,), Phase.PAUSED),
        ((CallKind.PLAYBOOK, CallKind.CLIENT), Phase.PAUSED),
        ((CallKind.PLAYBOOK,), Phase.ENTER),
        ((CallKind.TRANSITION, CallKind.PLAYBOOK), Phase.ENTER),
        ((CallKind.END, CallKind.TRANSITION), Phase.MOVE),
        ((CallKind.END,), Phase.LEAVE),
        ((CallKind.END, CallKind.TOOL), Phase.CALL),
    ],
)
def test_open_calls_decide_what_comes_next(kinds: tuple[CallKind, ...], phase: Phase) -> None:
    assert phase_of(state_with(*kinds)) is phase


def test_an_answered_turn_is_done() -> None:
    assert phase_of(state_with(answered=True)) is Phase.DONE


def test_settled_calls_do_not_count() -> None:
    state = state_with(CallKind.TOOL, CallKind.CLIENT)
    state.top.batch[0].status = CallStatus.SETTLED
    assert phase_of(state) is Phase.PAUSED


def test_a_stored_state_comes_back_as_it_was() -> None:
    state = state_with(CallKind.TOOL, CallKind.CLIENT)
    state.parameters = {"a": [1, {"b": None}]}
    state.interrupted = TextInput("hi")
    assert SessionState.load(state.dump()) == state
