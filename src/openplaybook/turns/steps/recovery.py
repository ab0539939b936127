"""Turns that cannot go on: those whose fault shows while they run, and those whose process died.

What a turn did stays in its session, so that the next one's model sees it; a turn that did nothing leaves no trace.
"""

from collections.abc import Sequence
from dataclasses import replace

from openplaybook.jsonvalues import JsonObject
from openplaybook.storage.base import TurnState
from openplaybook.turns.base import TurnRequest
from openplaybook.turns.journal import events
from openplaybook.turns.journal.events import Event
from openplaybook.turns.journal.messages import input_of, results_of
from openplaybook.turns.session.seals import ParameterSeals
from openplaybook.turns.steps.intake import open_turn
from openplaybook.turns.steps.outcomes import settle_abandoned
from openplaybook.turns.turn import Turn

ORPHANED = "ORPHANED"
"""Code of a turn whose process died and whose request never came again."""


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


async def end_orphan(turn: Turn, recorded: Sequence[Event], seals: ParameterSeals) -> None:
    """End the turn of a request that never came again, for good. `turn` holds nothing of `recorded` yet."""
    turn.replay(recorded)
    if len(recorded) == 1 and results_of(turn.request.input):
        await open_turn(turn, seals)  # A result that arrived is not asked for twice.
    await abandon(turn, ORPHANED, "The server stopped, and the request was not retried.")


def dead_request(request: TurnRequest, begin: JsonObject) -> TurnRequest:
    """The request of a dead turn, from its BEGIN row, as far as ending it needs; `request` is the one that found it."""
    return replace(
        request,
        input=input_of(begin["input"]),
        current_playbook=begin["playbook"] or None,
        parameters={},
        entry_playbook=None,
        history=(),
    )
