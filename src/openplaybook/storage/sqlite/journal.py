"""What a running turn writes, what remains of it, the sessions it belongs to, and which answers reached their
clients."""

import sqlite3
from collections.abc import Sequence

from openplaybook.storage.base import Lease, Session, Step, TurnState
from openplaybook.storage.errors import LeaseLost
from openplaybook.storage.sqlite import blobs


def append(connection: sqlite3.Connection, lease: Lease, steps: Sequence[tuple[str, bytes]], now_us: int) -> None:
    """Add rows to the running turn. Raises `LeaseLost`."""
    turn, next_seq = _running(connection, lease)
    add(connection, turn, next_seq, steps, now_us)


def renew(connection: sqlite3.Connection, lease: Lease, until_us: int) -> None:
    """Hold the lease until then. Raises `LeaseLost`."""
    turn, _ = _running(connection, lease)
    connection.execute("UPDATE turn SET lease_until_us = ? WHERE id = ?", (until_us, turn))


def end_leases(connection: sqlite3.Connection) -> int:
    """Let every lease run out; how many there were."""
    return connection.execute("UPDATE turn SET lease_until_us = 0 WHERE state = 'RUNNING'").rowcount


def finish(
    connection: sqlite3.Connection,
    lease: Lease,
    state: TurnState,
    steps: Sequence[tuple[str, bytes]],
    response: bytes | None,
    session_state: bytes | None,
    now_us: int,
) -> None:
    """End the turn; DONE and STOPPED also set the session's state, where one is given. Raises `LeaseLost`."""
    turn, next_seq = _running(connection, lease)
    add(connection, turn, next_seq, steps, now_us)
    connection.execute(
        "UPDATE turn SET state = ?, response = ?, ended_us = ? WHERE id = ?", (state.value, response, now_us, turn)
    )
    if state is not TurnState.FAILED:
        connection.execute(
            "UPDATE session SET state = coalesce(?, state, x'') WHERE name = ?", (session_state, lease.session)
        )


def add(
    connection: sqlite3.Connection, turn: int, first_seq: int, steps: Sequence[tuple[str, bytes]], now_us: int
) -> None:
    """Insert rows of a turn (by its row id), numbered from `first_seq`."""
    connection.executemany(
        "INSERT INTO step (turn, seq, kind, time_us, payload) VALUES (?, ?, ?, ?, ?)",
        [(turn, seq, kind, now_us, payload) for seq, (kind, payload) in enumerate(steps, first_seq)],
    )


def of_turn(connection: sqlite3.Connection, turn: int, number: int) -> Sequence[Step]:
    """All rows of one turn (by its row id), which is turn `number` of its session."""
    rows = connection.execute("SELECT seq, kind, payload, time_us FROM step WHERE turn = ? ORDER BY seq", (turn,))
    return [Step(number, *row) for row in rows.fetchall()]


def history(connection: sqlite3.Connection, session: str, turns: int, before: int | None) -> Sequence[Step]:
    """Rows of the latest DONE or STOPPED turns of the session's present life, oldest first."""
    rows = connection.execute(
        """
        WITH latest AS (
            SELECT turn.id, turn.number FROM turn JOIN session ON session.id = turn.session
            WHERE session.name = ?1 AND turn.life = session.life AND turn.state IN ('DONE', 'STOPPED')
              AND (?2 IS NULL OR turn.number < ?2)
            ORDER BY turn.number DESC LIMIT ?3
        )
        SELECT latest.number, step.seq, step.kind, step.payload, step.time_us
        FROM latest JOIN step ON step.turn = latest.id ORDER BY latest.number, step.seq
        """,
        (session, before, turns),
    )
    return [Step(*row) for row in rows.fetchall()]


def session(connection: sqlite3.Connection, name: str, now_us: int) -> Session | None:
    """The session as its finished turns left it; None while none has finished, and once it has expired."""
    rows = connection.execute(
        "SELECT name, state, turns, expires_us FROM session WHERE name = ? AND state IS NOT NULL AND expires_us > ?",
        (name, now_us),
    ).fetchall()
    return Session(*rows[0]) if rows else None


def delete_session(connection: sqlite3.Connection, name: str) -> None:
    """Delete a session; its turns, their rows and its blobs go with it."""
    connection.execute("DELETE FROM session WHERE name = ?", (name,))
    blobs.delete(connection, f"{name}/")


def _running(connection: sqlite3.Connection, lease: Lease) -> tuple[int, int]:
    """Row id of the turn that the lease holds, and the number of its next journal row. Raises `LeaseLost`."""
    # The turn's id is compared too: a session that was deleted and begun anew counts its fences from 1 again.
    rows = connection.execute(
        "SELECT id, (SELECT coalesce(max(seq) + 1, 0) FROM step WHERE step.turn = turn.id) FROM turn"
        " WHERE session = (SELECT id FROM session WHERE name = ?) AND number = ?"
        " AND turn_id = ? AND owner = ? AND fence = ? AND state = 'RUNNING'",
        (lease.session, lease.number, lease.turn_id, lease.owner, lease.fence),
    ).fetchall()
    if not rows:
        raise LeaseLost(f"turn {lease.turn_id} of {lease.session} is not {lease.owner}'s any more")
    return rows[0]


def mark_delivered(connection: sqlite3.Connection, turns: Sequence[tuple[str, int]]) -> None:
    """Note of turns (session, number) that their responses were written to a connection."""
    connection.executemany(
        "UPDATE turn SET delivered = 1"
        " WHERE session = (SELECT id FROM session WHERE name = ?) AND number = ? AND state = 'DONE'",
        turns,
    )


def answered(connection: sqlite3.Connection, session: str, fingerprint: str, now_us: int) -> bytes | None:
    """Response of the latest DONE turn of the session's present life with this input."""
    rows = connection.execute(
        "SELECT turn.response FROM session JOIN turn ON turn.session = session.id AND turn.life = session.life"
        " WHERE session.name = ? AND session.expires_us > ? AND turn.state = 'DONE' AND turn.fingerprint = ?"
        " ORDER BY turn.number DESC LIMIT 1",
        (session, now_us, fingerprint),
    ).fetchall()
    return rows[0][0] if rows else None
