"""A conversation that lies in the store, as a recording."""

from functools import partial

from openplaybook.jsonvalues import as_object, loads
from openplaybook.recordings.capture import JournalTurn, RecordingContext, recording_of
from openplaybook.recordings.errors import ConversationTooLong, NoConversation
from openplaybook.recordings.form import Recording
from openplaybook.recordings.placeholders import Placeholders
from openplaybook.storage.base import KeptTurn, Store
from openplaybook.turns.agent.past_agents import PastAgents
from openplaybook.turns.journal.rows import begin_of, event_of
from openplaybook.turns.journal.turn_results import load_result
from openplaybook.turns.session.history import kept_turns
from openplaybook.workers.lanes import PACKAGES

MAX_TURNS = 1000
"""Of one recording."""
MAX_BYTES = 25_000_000
"""Of the journal that it is made of, each thing that was said standing there about twice."""


async def record_session(store: Store, agent: str, session: str, *, last: int | None = None) -> Recording:
    """The recording of a session's present (or last) life, up to turn number `last`.

    Raises `NoConversation`, `ConversationTooLong`.
    """
    first = await _first(store, session)
    past: list[JournalTurn] = []
    size = 0
    async for turn in kept_turns(store, session):
        if last is not None and turn.number > last:
            break
        if turn.number >= first:
            past.append(past_turn(turn))
            size += len(turn.response or b"") + sum(len(step.payload) for step in turn.steps)
        if size > MAX_BYTES:
            raise ConversationTooLong(f"session {session} has more than {MAX_BYTES:,} bytes; a recording has fewer")
    if not past:
        raise NoConversation(f"session {session} has no turn that could be recorded")
    agents = PastAgents(store)
    today = await agents.present(agent)
    displayed: dict[str, str] = {}
    secret = set(today.secret_parameters)
    for turn in past:
        begin = begin_of(turn.happened)
        then = await agents.by_digest(begin.snapshot)
        displayed |= {**then.playbook_names, **then.tool_names}
        secret |= {*then.secret_parameters, *begin.sealed}
    record = await store.get(agent)
    name = str(as_object(loads(record.body)).get("displayName", "")) if record is not None else ""
    known = RecordingContext(Placeholders(agent, session), name, displayed, frozenset(secret))
    # A long conversation takes seconds.
    return await PACKAGES.run(partial(recording_of, past, known))


def past_turn(stored: KeptTurn) -> JournalTurn:
    """A turn as the store has it."""
    result = None if stored.response is None else load_result(stored.response, ())
    return JournalTurn([event_of(step) for step in stored.steps], result)


async def _first(store: Store, session: str) -> int:
    """Number of the first turn of the session's life: what was before it is another conversation."""
    steps = await store.history(session, turns=MAX_TURNS)
    if len({step.turn for step in steps}) == MAX_TURNS:
        raise ConversationTooLong(f"session {session} has {MAX_TURNS} turns or more; a recording has fewer")
    return steps[0].turn if steps else 1
