"""What a turn does next: a pure function of the session's state.

DECIDE ──► CALL ──► DECIDE …          the model decides, tools run, until it has only words
   │         ├────► PAUSED            a call is the client's: the turn ends, the session waits
   │         ├────► ENTER ──► DECIDE  a call enters another playbook
   │         ├────► MOVE ──► DECIDE   a call gives way to another playbook
   │         └────► LEAVE ──► …       a call leaves the playbook; the one beneath goes on, or the conversation ends
   └──────────────► DONE              the last word of the turn
"""

from enum import Enum

from openplaybook.turns.state import CallKind, CallStatus, PendingCall, SessionState


class Phase(Enum):
    """The next thing to do in a turn."""

    DECIDE = "DECIDE"
    CALL = "CALL"
    ENTER = "ENTER"
    MOVE = "MOVE"
    LEAVE = "LEAVE"
    PAUSED = "PAUSED"
    DONE = "DONE"


# Tools first, so that nothing runs again after a pause; playbooks last, as they may take many turns.
_ORDER = (
    (CallKind.TOOL, Phase.CALL),
    (CallKind.CLIENT, Phase.PAUSED),
    (CallKind.PLAYBOOK, Phase.ENTER),
    (CallKind.TRANSITION, Phase.MOVE),
    (CallKind.END, Phase.LEAVE),
)


def phase_of(state: SessionState) -> Phase:
    """The next thing to do."""
    for kind, phase in _ORDER:
        if unsettled(state, kind):
            return phase
    return Phase.DONE if state.answered else Phase.DECIDE


def unsettled(state: SessionState, kind: CallKind) -> list[PendingCall]:
    """The deciding frame's open calls of one kind, in the model's order."""
    if not state.frames:
        return []
    return [call for call in state.top.batch if call.kind is kind and call.status is not CallStatus.SETTLED]
