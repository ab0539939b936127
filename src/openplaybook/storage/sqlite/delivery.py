"""Which answers reached their clients, and what was answered to an input."""

import sqlite3
from collections.abc import Sequence


def mark(connection: sqlite3.Connection, turns: Sequence[tuple[str, int]]) -> None:
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
