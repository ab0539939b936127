"""What a running turn writes, and which answers reached their clients: each write is one statement, itself a
transaction, and those of a turn check its lease."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import LiteralString

from openplaybook.storage.base import Lease, Session, Step, TurnState
from openplaybook.storage.postgres.statements import NOW, Sql

_HELD: LiteralString = """
    session = (SELECT id FROM openplaybook.session WHERE name = $2) AND number = $3::bigint AND turn_id = $4
    AND owner = $5 AND fence = $6::bigint
"""
"""The turn that a lease holds, or held: the values of `_held`."""

_ROWS: LiteralString = f"""
    rows AS (
        INSERT INTO openplaybook.step (session, turn, seq, time_us, kind, payload)
        SELECT held.session, $3::bigint, $7::bigint + given.number - 1, {NOW}, given.kind, given.payload
        FROM held, unnest($8::text[], $9::bytea[]) WITH ORDINALITY AS given (kind, payload, number)
    )
"""
_APPEND: LiteralString = f"""
    WITH held AS (
        UPDATE openplaybook.turn SET steps = steps + cardinality($8::text[])
        WHERE {_HELD} AND state = 'RUNNING' AND steps = $7::bigint RETURNING session
    ), {_ROWS}
    SELECT session FROM held
"""
# A key is free again where there is no answer.
_FINISH: LiteralString = f"""
    WITH held AS (
        UPDATE openplaybook.turn
        SET steps = steps + cardinality($8::text[]), state = $10, response = $11, ended_us = {NOW},
            request_key = CASE WHEN $10 = 'DONE' THEN request_key END
        WHERE {_HELD} AND state = 'RUNNING' AND steps = $7::bigint RETURNING session
    ), {_ROWS}, changed AS (
        UPDATE openplaybook.session SET state = coalesce($12::bytea, state, ''::bytea)
        FROM held WHERE id = held.session AND $10 <> 'FAILED'
    )
    SELECT session FROM held
"""
_RENEW: LiteralString = f"""
    UPDATE openplaybook.turn SET lease_until_us = {NOW} + $7::bigint WHERE {_HELD} AND state = 'RUNNING'
    RETURNING session
"""
# `$1`, the time elsewhere, has to be named for its type to be known.
_STANDING: LiteralString = f"SELECT steps, state FROM openplaybook.turn WHERE {_HELD} AND $1::bigint IS NULL"
_OF_TURN: LiteralString = """
    SELECT seq, kind, payload, time_us FROM openplaybook.step
    WHERE session = (SELECT id FROM openplaybook.session WHERE name = $1) AND turn = $2::bigint ORDER BY seq
"""
_HISTORY: LiteralString = """
    WITH latest AS (
        SELECT session, number FROM openplaybook.turn
        WHERE session = (SELECT id FROM openplaybook.session WHERE name = $1)
          AND life = (SELECT life FROM openplaybook.session WHERE name = $1)
          AND state IN ('DONE', 'STOPPED') AND number < $2::bigint
        ORDER BY number DESC LIMIT $3::bigint
    )
    SELECT step.turn, step.seq, step.kind, step.payload, step.time_us
    FROM latest JOIN openplaybook.step ON step.session = latest.session AND step.turn = latest.number
    ORDER BY step.turn, step.seq
"""
_LAST = 2**63 - 1
"""No number is larger."""


@dataclass(frozen=True, slots=True)
class TurnEnding:
    """How a turn ends."""

    state: TurnState
    response: bytes | None
    session_state: bytes | None


@dataclass(frozen=True, slots=True)
class TurnProgress:
    """How far a turn has come, as the database has it."""

    steps: int
    state: TurnState


async def standing(sql: Sql, lease: Lease) -> TurnProgress | None:
    """Of the turn that the lease holds or held; None where it was taken over."""
    rows = await sql.rows(_STANDING, None, *_held(lease))
    return TurnProgress(rows[0][0], TurnState(rows[0][1])) if rows else None


async def append(sql: Sql, lease: Lease, known: int, steps: Sequence[tuple[str, bytes]], clock_us: int | None) -> bool:
    """Add rows to a turn that has `known` of them; whether the lease stands and it had."""
    return bool(await sql.rows(_APPEND, clock_us, *_held(lease), known, *_columns(steps)))


async def finish(
    sql: Sql,
    lease: Lease,
    known: int,
    steps: Sequence[tuple[str, bytes]],
    ending: TurnEnding,
    clock_us: int | None,
) -> bool:
    """Add the last rows to a turn that has `known` of them and end it; whether the lease stands and it had."""
    end = (ending.state.value, ending.response, ending.session_state)
    return bool(await sql.rows(_FINISH, clock_us, *_held(lease), known, *_columns(steps), *end))


async def renew(sql: Sql, lease: Lease, lease_us: int, clock_us: int | None) -> bool:
    """Hold the lease for that much longer from now; whether it stands."""
    return bool(await sql.rows(_RENEW, clock_us, *_held(lease), lease_us))


async def end_leases(sql: Sql) -> int:
    """Let every lease run out; how many there were."""
    query: LiteralString = "UPDATE openplaybook.turn SET lease_until_us = 0 WHERE state = 'RUNNING' RETURNING session"
    return len(await sql.rows(query))


async def of_turn(sql: Sql, lease: Lease) -> Sequence[Step]:
    """All rows of a turn."""
    return [Step(lease.number, *row) for row in await sql.rows(_OF_TURN, lease.session, lease.number)]


async def history(sql: Sql, session: str, turns: int, before: int | None) -> Sequence[Step]:
    """Rows of the latest DONE or STOPPED turns of the session's present life, oldest first."""
    rows = await sql.rows(_HISTORY, session, _LAST if before is None else before, turns)
    return [Step(*row) for row in rows]


async def session(sql: Sql, name: str, clock_us: int | None) -> Session | None:
    """The session as its finished turns left it; None while none has finished, and once it has expired."""
    query: LiteralString = f"""
        SELECT name, state, turns, expires_us FROM openplaybook.session
        WHERE name = $2 AND state IS NOT NULL AND expires_us > {NOW}
    """
    rows = await sql.rows(query, clock_us, name)
    return Session(*rows[0]) if rows else None


def _held(lease: Lease) -> tuple[str, int, str, str, int]:
    return lease.session, lease.number, lease.turn_id, lease.owner, lease.fence


def _columns(steps: Sequence[tuple[str, bytes]]) -> tuple[list[str], list[bytes]]:
    return [kind for kind, _ in steps], [payload for _, payload in steps]


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


async def mark_delivered(sql: Sql, turns: Sequence[tuple[str, int]]) -> None:
    """Note of turns (session, number) that their responses were written to a connection."""
    await sql.rows(_MARK, [name for name, _ in turns], [number for _, number in turns])


async def answered(sql: Sql, session: str, fingerprint: str, clock_us: int | None) -> bytes | None:
    """Response of the latest DONE turn of the session's present life with this input."""
    rows = await sql.rows(_ANSWERED, clock_us, session, fingerprint)
    return rows[0][0] if rows else None
