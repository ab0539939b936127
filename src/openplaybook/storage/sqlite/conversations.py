"""Sessions as their history shows them, until they are forgotten."""

import sqlite3
from collections.abc import Sequence

from openplaybook.storage.base import Conversation, KeptTurn, TurnState
from openplaybook.storage.sqlite import journal

_CONVERSATION = """
    SELECT session.name, session.id, first.began_us, coalesce(last.ended_us, last.began_us), session.expires_us,
           session.turns
    FROM session
    JOIN turn AS first ON first.session = session.id AND first.number = 1
    JOIN turn AS last ON last.session = session.id AND last.number = session.turns
    WHERE EXISTS (SELECT 1 FROM turn WHERE turn.session = session.id AND turn.state IN ('DONE', 'STOPPED'))
"""

_LAST = 2**63 - 1
"""No position is larger."""


def of_root(connection: sqlite3.Connection, root: str, before: int | None, limit: int) -> Sequence[Conversation]:
    """Sessions of a root with a DONE or STOPPED turn, the one begun last first, those before position `before`."""
    rows = connection.execute(
        f"{_CONVERSATION} AND session.root = ?1 AND session.id < ?2 ORDER BY session.id DESC LIMIT ?3",
        (root, _LAST if before is None else before, limit),
    )
    return [Conversation(*row) for row in rows.fetchall()]


def of_session(connection: sqlite3.Connection, name: str) -> Conversation | None:
    """One session with a DONE or STOPPED turn."""
    rows = connection.execute(f"{_CONVERSATION} AND session.name = ?", (name,)).fetchall()
    return Conversation(*rows[0]) if rows else None


_TURN = """
    SELECT turn.id, number, turn_id, turn.state, began_us, coalesce(ended_us, 0), response
    FROM turn JOIN session ON session.id = turn.session WHERE session.name = ?1
"""


def turns(connection: sqlite3.Connection, session: str, after: int, limit: int) -> Sequence[KeptTurn]:
    """DONE and STOPPED turns of all the session's lives, those past number `after`, in their order."""
    rows = connection.execute(
        f"{_TURN} AND number > ?2 AND turn.state IN ('DONE', 'STOPPED') ORDER BY number LIMIT ?3",
        (session, after, limit),
    )
    return _kept(connection, rows)


def turn(connection: sqlite3.Connection, session: str, number: int | None) -> KeptTurn | None:
    """One turn in any state, the session's latest where `number` is None."""
    rows = connection.execute(
        f"{_TURN} AND (?2 IS NULL OR number = ?2) ORDER BY number DESC LIMIT 1", (session, number)
    )
    return next(iter(_kept(connection, rows)), None)


def _kept(connection: sqlite3.Connection, rows: sqlite3.Cursor) -> Sequence[KeptTurn]:
    return [
        KeptTurn(
            number, turn_id, TurnState(state), began_us, ended_us, response, journal.of_turn(connection, row, number)
        )
        for row, number, turn_id, state, began_us, ended_us, response in rows.fetchall()
    ]


def delete_expired(connection: sqlite3.Connection, kept_us: int, limit: int, now_us: int) -> Sequence[str]:
    """Delete at most `limit` sessions that expired at least `kept_us` ago and in which no turn runs; their names."""
    rows = connection.execute(
        "SELECT name FROM session WHERE expires_us <= ?1 AND NOT EXISTS (SELECT 1 FROM turn"
        " WHERE turn.session = session.id AND turn.state = 'RUNNING' AND turn.lease_until_us > ?2)"
        " ORDER BY expires_us LIMIT ?3",
        (now_us - kept_us, now_us, limit),
    ).fetchall()
    names = [name for (name,) in rows]
    for name in names:
        journal.delete_session(connection, name)
    return names
