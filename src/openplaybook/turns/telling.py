"""Telling OpenTelemetry of a turn that has ended: once, by whoever ended it, from its own events."""

from collections.abc import Mapping

from openplaybook.telemetry.spans import Spans
from openplaybook.turns import events
from openplaybook.turns.span_attributes import TurnFacts
from openplaybook.turns.spans import span_tree
from openplaybook.turns.trace import trace_of
from openplaybook.turns.turn import Turn


def tell_of(turn: Turn, playbooks: Mapping[int, str], spans: Spans, error: str = "") -> None:
    """Emit the spans of a turn, where anybody listens.

    `playbooks` says which playbook each frame was in when the turn began, by frame id; `error` is the code of why the
    turn ended without an answer. What a dead process did in the turn is told too: it could not.
    """
    if not spans.wanted:
        return
    trace = trace_of(turn.events, turn.snapshot, playbooks, turn.lease.number)
    began_in = _first_playbook(turn, playbooks)
    facts = TurnFacts(
        playbook=began_in,
        playbook_display_name=turn.snapshot.display_name(began_in),
        session=turn.request.session,
        version=turn.snapshot.digest,
        turn_id=turn.lease.turn_id,
        at_us=turn.events[0].data["at"],
        error=error,
        with_content=spans.with_content,
        tool_kinds=turn.snapshot.tool_kinds,
    )
    spans.emit(span_tree(trace, facts), turn.request.trace_parent)


def _first_playbook(turn: Turn, playbooks: Mapping[int, str]) -> str:
    entered = [str(event.data["playbook"]) for event in turn.events if event.kind == events.PUSH]
    return [*list(playbooks.values())[-1:], *entered, turn.snapshot.start_playbook][0]
