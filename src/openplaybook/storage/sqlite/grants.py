"""`begin_turn` inside one transaction: look, decide, and grant the lease to begin a turn, to go on with a dead one, or
to end one."""

import sqlite3
from collections.abc import Callable, Sequence

from openplaybook.storage.base import Answered, BeginTurn, Begun, Lease, Orphaned, Recovered, Started
from openplaybook.storage.sqlite import journal
from openplaybook.storage.turn_decision import Repeat, SessionRow, StartTurn, TakeOver, TurnRow, decide, wait_us

_TURN = (
    "SELECT number, turn_id, request_key, fingerprint, state, owner, fence, lease_until_us,"
    " ended_us, delivered FROM turn"
)


def begin(connection: sqlite3.Connection, begin: BeginTurn, clock: Callable[[], int]) -> Begun:
    """Decide what becomes of a request and write it, inside a transaction of the caller's."""
    waited = wait_us(begin)
    now_us = clock()
    session = _session(connection, begin.session)
    if session is None:
        return _start(connection, begin, _new_session(connection, begin), now_us)
    decision = decide(begin, session, _turns(connection, session, begin), now_us, waited)
    if isinstance(decision, StartTurn):
        return _start(connection, begin, decision.session, now_us)
    if isinstance(decision, TakeOver):
        return _take_over(connection, begin, session, decision, now_us)
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


def _new_session(connection: sqlite3.Connection, begin: BeginTurn) -> SessionRow:
    """A session that was not there before."""
    added = connection.execute(
        "INSERT INTO session (name, root, life, turns, fence, expires_us) VALUES (?, ?, 1, 0, 0, ?)",
        (begin.session, begin.root, begin.expires_us),
    )
    assert added.lastrowid is not None, "an INSERT into a table with row ids sets it"
    return SessionRow(added.lastrowid, life=1, turns=0, fence=0, expires_us=begin.expires_us, state=None)


def _start(connection: sqlite3.Connection, begin: BeginTurn, session: SessionRow, now_us: int) -> Started:
    """Begin the next turn; `session` is as it shall be then."""
    lease = Lease(begin.session, begin.turn_id, session.turns + 1, begin.owner, session.fence + 1)
    connection.execute(
        "UPDATE session SET life = ?1, turns = ?2, fence = ?3, expires_us = ?4,"
        " state = CASE WHEN life = ?1 THEN state END WHERE id = ?5",
        (session.life, lease.number, lease.fence, begin.expires_us, session.id),
    )
    added = connection.execute(
        "INSERT INTO turn (session, life, number, turn_id, request_key, fingerprint, state, owner, fence,"
        " lease_until_us, began_us) VALUES (?, ?, ?, ?, ?, ?, 'RUNNING', ?, ?, ?, ?)",
        (
            session.id,
            session.life,
            lease.number,
            lease.turn_id,
            # A turn without a key is found by its input; its id stands in, since no request carries it.
            lease.turn_id if begin.request_key is None else begin.request_key,
            begin.fingerprint,
            lease.owner,
            lease.fence,
            now_us + begin.lease_us,
            now_us,
        ),
    )
    assert added.lastrowid is not None, "an INSERT into a table with row ids sets it"
    journal.add(connection, added.lastrowid, 0, begin.steps, now_us)
    return Started(lease, session.before(lease, begin.expires_us))


def _take_over(
    connection: sqlite3.Connection, begin: BeginTurn, session: SessionRow, taken: TakeOver, now_us: int
) -> Recovered | Orphaned:
    """Pass a dead turn on. Going on with it lengthens its session, ending it does not."""
    lease = Lease(begin.session, taken.turn.turn_id, taken.turn.number, begin.owner, session.fence + 1)
    expires_us = begin.expires_us if taken.own else session.expires_us
    connection.execute(
        "UPDATE session SET fence = ?, expires_us = ? WHERE id = ?", (lease.fence, expires_us, session.id)
    )
    rows = connection.execute(
        "UPDATE turn SET owner = ?, fence = ?, lease_until_us = ? WHERE session = ? AND number = ? RETURNING id",
        (lease.owner, lease.fence, now_us + begin.lease_us, session.id, lease.number),
    ).fetchall()
    kind = Recovered if taken.own else Orphaned
    return kind(lease, session.before(lease, expires_us), journal.of_turn(connection, rows[0][0], lease.number))
