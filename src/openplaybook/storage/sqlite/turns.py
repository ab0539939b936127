"""Who may run which turn: the decision of `begin_turn`, made inside one transaction."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.storage.base import Answered, BeginTurn, Begun, Busy, Lease, Recovered, Session, Started
from openplaybook.storage.sqlite import journal


@dataclass(frozen=True, slots=True)
class _SessionRow:
    id: int
    turns: int
    fence: int
    expires_us: int
    state: bytes | None


@dataclass(frozen=True, slots=True)
class _TurnRow:
    id: int
    number: int
    turn_id: str
    request_key: str
    state: str
    lease_until_us: int
    response: bytes | None


def begin(connection: sqlite3.Connection, begin: BeginTurn, now_us: int) -> Begun:
    """Decide what becomes of a request and write it, inside a transaction of the caller's.

    An answer given before is repeated. A turn that runs under a live lease keeps everything else out, and
    keeps its session from expiring. A turn whose lease is over is taken over by a request with its key; any
    other request fails it and starts a turn of its own.
    """
    session = _session(connection, begin.session)
    turns = _open_turns(connection, session, begin.request_key)
    live = next((turn for turn in turns if turn.state == "RUNNING" and turn.lease_until_us > now_us), None)
    if session is not None and session.expires_us <= now_us and live is None:
        journal.delete_session(connection, begin.session)
        session, turns = None, ()
    answered = next((turn for turn in turns if turn.state == "DONE"), None)
    if answered is not None:
        return Answered(answered.response or b"")
    if live is not None:
        return Busy(live.lease_until_us)
    dead = turns[0] if turns else None
    return _grant(connection, begin, session or _new_session(connection, begin), dead, now_us)


def _grant(
    connection: sqlite3.Connection, begin: BeginTurn, session: _SessionRow, dead: _TurnRow | None, now_us: int
) -> Started | Recovered:
    """A lease on the session; `dead` is its running turn, whose own lease is over."""
    if dead is not None and dead.request_key == begin.request_key:
        return _take_over(connection, begin, session, dead, now_us)
    if dead is not None:
        connection.execute("UPDATE turn SET state = 'FAILED' WHERE id = ?", (dead.id,))
    return _start(connection, begin, session, now_us)


def _session(connection: sqlite3.Connection, name: str) -> _SessionRow | None:
    rows = connection.execute(
        "SELECT id, turns, fence, expires_us, state FROM session WHERE name = ?", (name,)
    ).fetchall()
    return _SessionRow(*rows[0]) if rows else None


def _open_turns(connection: sqlite3.Connection, session: _SessionRow | None, request_key: str) -> Sequence[_TurnRow]:
    """The session's running turn and the turn that carries the request's key, as far as they exist."""
    if session is None:
        return ()
    rows = connection.execute(
        "SELECT id, number, turn_id, request_key, state, lease_until_us, response FROM turn"
        " WHERE session = ?1 AND (state = 'RUNNING' OR (request_key = ?2 AND state IN ('RUNNING', 'DONE')))",
        (session.id, request_key),
    )
    return [_TurnRow(*row) for row in rows.fetchall()]


def _new_session(connection: sqlite3.Connection, begin: BeginTurn) -> _SessionRow:
    added = connection.execute(
        "INSERT INTO session (name, root, turns, fence, expires_us) VALUES (?, ?, 0, 0, ?)",
        (begin.session, begin.root, begin.expires_us),
    )
    assert added.lastrowid is not None, "an INSERT into a table with row ids sets it"
    return _SessionRow(added.lastrowid, turns=0, fence=0, expires_us=begin.expires_us, state=None)


def _start(connection: sqlite3.Connection, begin: BeginTurn, session: _SessionRow, now_us: int) -> Started:
    lease = Lease(begin.session, begin.turn_id, session.turns + 1, begin.owner, session.fence + 1)
    connection.execute(
        "UPDATE session SET turns = ?, fence = ?, expires_us = ? WHERE id = ?",
        (lease.number, lease.fence, begin.expires_us, session.id),
    )
    added = connection.execute(
        "INSERT INTO turn (session, number, turn_id, request_key, state, owner, fence, lease_until_us)"
        " VALUES (?, ?, ?, ?, 'RUNNING', ?, ?, ?)",
        (session.id, lease.number, lease.turn_id, begin.request_key, lease.owner, lease.fence, now_us + begin.lease_us),
    )
    assert added.lastrowid is not None, "an INSERT into a table with row ids sets it"
    journal.add(connection, added.lastrowid, 0, begin.steps, now_us)
    return Started(lease, _before(begin, session, lease.number))


def _take_over(
    connection: sqlite3.Connection, begin: BeginTurn, session: _SessionRow, running: _TurnRow, now_us: int
) -> Recovered:
    lease = Lease(begin.session, running.turn_id, running.number, begin.owner, session.fence + 1)
    connection.execute(
        "UPDATE session SET fence = ?, expires_us = ? WHERE id = ?", (lease.fence, begin.expires_us, session.id)
    )
    connection.execute(
        "UPDATE turn SET owner = ?, fence = ?, lease_until_us = ? WHERE id = ?",
        (lease.owner, lease.fence, now_us + begin.lease_us, running.id),
    )
    steps = journal.of_turn(connection, running.id, running.number)
    return Recovered(lease, _before(begin, session, lease.number), steps)


def _before(begin: BeginTurn, session: _SessionRow, number: int) -> Session | None:
    """The session as the turns before `number` left it; None while none has finished."""
    if session.state is None:
        return None
    return Session(begin.session, session.state, turns=number - 1, expires_us=begin.expires_us)
