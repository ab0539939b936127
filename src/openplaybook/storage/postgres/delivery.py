"""Which answers reached their clients, and what was answered to an input."""

from collections.abc import Sequence
from typing import LiteralString

from openplaybook.storage.postgres.clock import NOW
from openplaybook.storage.postgres.link import Sql

_MARK: LiteralString = """
    UPDATE openplaybook.turn SET delivered = true
    FROM unnest($1::text[], $2::bigint[]) AS given (name, number)
    JOIN openplaybook.session ON session.name = given.name
    WHERE turn.session = session.id AND turn.number = given.number AND turn.state = 'DONE' AND NOT delivered
    RETURNING turn.session
"""
_ANSWERED: LiteralString = f"""
    SELECT response FROM openplaybook.turn
    WHERE session = (SELECT id FROM openplaybook.session WHERE name = $2 AND expires_us > {NOW})
      AND life = (SELECT life FROM openplaybook.session WHERE name = $2) AND state = 'DONE' AND fingerprint = $3
    ORDER BY number DESC LIMIT 1
"""


async def mark(sql: Sql, turns: Sequence[tuple[str, int]]) -> None:
    """Note of turns (session, number) that their responses were written to a connection."""
    await sql.rows(_MARK, [name for name, _ in turns], [number for _, number in turns])


async def answered(sql: Sql, session: str, fingerprint: str, clock_us: int | None) -> bytes | None:
    """Response of the latest DONE turn of the session's present life with this input."""
    found = await sql.rows(_ANSWERED, clock_us, session, fingerprint)
    return found[0][0] if found else None
