"""Sessions as they go, with all that was theirs; inside a transaction of the caller's.

Three deletions, each of which sees what was written before it got its locks: after the session's row has gone no turn
can begin, and after the turns' rows have gone no journal row can be added.
"""

from collections.abc import Sequence
from typing import LiteralString

from openplaybook.storage.postgres import blobs
from openplaybook.storage.postgres.statements import NOW, Sql

# In the order of the index, so that a batch reads no more than it deletes; a session that another server is deleting is
# left to it.
_EXPIRED: LiteralString = f"""
    SELECT id, name FROM openplaybook.session
    WHERE expires_hour <= ({NOW} - $2::bigint) / 3600000000 AND expires_us <= {NOW} - $2::bigint
      AND NOT EXISTS (
        SELECT 1 FROM openplaybook.turn WHERE turn.session = session.id AND turn.number = session.turns
          AND turn.state = 'RUNNING' AND turn.lease_until_us > {NOW}
      )
    ORDER BY expires_hour LIMIT $3::bigint FOR UPDATE OF session SKIP LOCKED
"""
_SESSION: LiteralString = "SELECT id, name FROM openplaybook.session WHERE name = $1 FOR UPDATE"
_OF_ROOT: LiteralString = "SELECT id, name FROM openplaybook.session WHERE root = $1 FOR UPDATE"
_DELETIONS: Sequence[LiteralString] = (
    "DELETE FROM openplaybook.session WHERE id = ANY($1::bigint[]) RETURNING id",
    "DELETE FROM openplaybook.turn WHERE session = ANY($1::bigint[]) RETURNING session",
    "DELETE FROM openplaybook.step WHERE session = ANY($1::bigint[]) RETURNING session",
)


async def session(sql: Sql, name: str) -> None:
    """Delete a session; its turns, their rows and its blobs go with it."""
    await _delete(sql, await sql.rows(_SESSION, name))
    await blobs.delete(sql, f"{name}/")


async def sessions_of(sql: Sql, root: str) -> None:
    """Delete the sessions of a root, and the blobs beneath it."""
    await _delete(sql, await sql.rows(_OF_ROOT, root))
    await blobs.delete(sql, f"{root}/")


async def expired(sql: Sql, kept_us: int, limit: int, clock_us: int | None) -> Sequence[str]:
    """Delete at most `limit` sessions that expired at least `kept_us` ago and in which no turn runs; their names."""
    rows = await sql.rows(_EXPIRED, clock_us, kept_us, limit)
    await _delete(sql, rows)
    for _, name in rows:
        await blobs.delete(sql, f"{name}/")
    return [name for _, name in rows]


async def _delete(sql: Sql, sessions: Sequence[tuple[int, str]]) -> None:
    ids = [number for number, _ in sessions]
    for deletion in _DELETIONS if ids else ():
        await sql.rows(deletion, ids)
