"""`begin_turn` inside one transaction: look, decide, write."""

import sqlite3
from collections.abc import Sequence

from openplaybook.storage.base import Answered, BeginTurn, Begun
from openplaybook.storage.sqlite import grants
from openplaybook.storage.turn_decision import Repeat, SessionRow, StartTurn, TakeOver, TurnRow, decide

_TURN = "SELECT number, turn_id, request_key, fingerprint, state, owner, fence, lease_until_us, delivered FROM turn"


def begin(connection: sqlite3.Connection, begin: BeginTurn, now_us: int) -> Begun:
    """Decide what becomes of a request and write it, inside a transaction of the caller's."""
    session = _session(connection, begin.session)
    if session is None:
        return grants.start(connection, begin, grants.new_session(connection, begin), now_us)
    decision = decide(begin, session, _turns(connection, session, begin), now_us)
    if isinstance(decision, StartTurn):
        return grants.start(connection, begin, decision.session, now_us)
    if isinstance(decision, TakeOver):
        return grants.take_over(connection, begin, session, decision, now_us)
    if isinstance(decision, Repeat):
        return Answered(_response(connection, session, decision.number))
    return decision


def _session(connection: sqlite3.Connection, name: str) -> SessionRow | None:
    rows = connection.execute(
        "SELECT id, life, turns, fence, expires_us, state FROM session WHERE name = ?", (name,)
    ).fetchall()
    return SessionRow(*rows[0]) if rows else None


def _turns(connection: sqlite3.Connection, session: SessionRow, begin: BeginTurn) -> Sequence[TurnRow]:
    """The turns on which the request depends, as `decide` wants them."""
    if begin.request_key is not None:
        where = "(state = 'RUNNING' OR (life = ?2 AND request_key = ?3 AND state IN ('RUNNING', 'DONE')))"
        values: tuple[int | str, ...] = (session.life, begin.request_key)
    else:
        latest = "SELECT number FROM turn WHERE session = ?1 AND state <> 'FAILED' ORDER BY number DESC LIMIT 1"
        where = f"life = ?2 AND number IN (?3, ({latest})) AND state <> 'FAILED'"
        values = (session.life, begin.joins)
    rows = connection.execute(f"{_TURN} WHERE session = ?1 AND {where}", (session.id, *values)).fetchall()
    return [TurnRow(*facts, delivered=bool(delivered)) for *facts, delivered in rows]


def _response(connection: sqlite3.Connection, session: SessionRow, number: int) -> bytes:
    rows = connection.execute(
        "SELECT response FROM turn WHERE session = ? AND number = ?", (session.id, number)
    ).fetchall()
    return rows[0][0]
