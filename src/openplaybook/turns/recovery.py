"""Turns that cannot go on: those whose fault shows while they run, and those whose process died.

What a turn did stays in its session, so that the next one's model sees it; a turn that did nothing leaves no trace.
"""

from collections.abc import Sequence
from dataclasses import replace

from openplaybook.jsonvalues import JsonObject
from openplaybook.storage.base import TurnState
from openplaybook.turns import events
from openplaybook.turns.base import EventInput, TextInput, ToolResultInput, TurnInput, TurnRequest
from openplaybook.turns.events import Event
from openplaybook.turns.opening import open_turn
from openplaybook.turns.settling import settle_abandoned
from openplaybook.turns.state import CallKind, CallStatus, SessionState
from openplaybook.turns.turn import Turn

ORPHANED = "ORPHANED"
"""Code of a turn whose process died and whose request never came again."""


def in_doubt(state: SessionState) -> frozenset[str]:
    """Ids of the calls that were on their way when the turn's owner died."""
    if not state.frames:
        return frozenset()
    return frozenset(
        call.id for call in state.top.batch if call.kind is CallKind.TOOL and call.status is CallStatus.SENT
    )


async def abandon(turn: Turn, code: str, message: str) -> None:
    """End a turn that cannot go on: without a trace in the session, unless it has acted already."""
    if not turn.effort.acted:
        await turn.store.finish_turn(turn.lease, state=TurnState.FAILED, steps=turn.uncommitted())
        return
    settle_abandoned(turn)
    given = turn.events[0].data["input"]
    turn.emit(events.STOP, frame=turn.state.top.id, input=given, code=code, message=message)
    await turn.store.finish_turn(
        turn.lease, state=TurnState.STOPPED, steps=turn.uncommitted(), session_state=turn.state.dump()
    )


async def end_orphan(turn: Turn, recorded: Sequence[Event]) -> None:
    """End the turn of a request that never came again, for good. `turn` holds nothing of `recorded` yet."""
    turn.replay(recorded)
    if len(recorded) == 1 and isinstance(turn.request.input, ToolResultInput):
        open_turn(turn)  # A result that arrived is not asked for twice.
    await abandon(turn, ORPHANED, "The server stopped, and the request did not come again.")


def dead_request(request: TurnRequest, begin: JsonObject) -> TurnRequest:
    """The request of a dead turn, from its BEGIN row, as far as ending it needs; `request` is the one that found it."""
    return replace(request, input=_input_of(begin["input"]), current_playbook=begin["playbook"] or None, parameters={})


def _input_of(given: JsonObject) -> TurnInput:
    if "event" in given:
        return EventInput(given["event"])
    if "text" in given:
        return TextInput(given["text"])
    return ToolResultInput(given["tool"], given["action"], given["call"], given["output"], given["error"])
