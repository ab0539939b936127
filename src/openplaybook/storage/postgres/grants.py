"""The statements behind `begin_turn`: what a request finds, and leases as they are written."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import LiteralString

from psycopg import AsyncConnection

from openplaybook.storage.base import BeginTurn, Lease, Session
from openplaybook.storage.decision import SessionRow, TakeOver, TurnRow
from openplaybook.storage.postgres.clock import NOW
from openplaybook.storage.postgres.connections import rows

_TURN: LiteralString = (
    "SELECT number, turn_id, request_key, fingerprint, state, owner, fence, lease_until_us, delivered"
    " FROM openplaybook.turn WHERE session = session.id AND life = session.life"
)
_SESSION: LiteralString = f"""
    SELECT {NOW}, id, life, turns, session.fence, expires_us, session.state, turn.* FROM openplaybook.session
"""
# A turn that runs is always the session's latest.
_LOOK_WITH_KEY: LiteralString = f"""
    {_SESSION} LEFT JOIN LATERAL (
        ({_TURN} AND number = session.turns AND state = 'RUNNING')
        UNION ALL
        ({_TURN} AND request_key = $3::text AND state = 'DONE')
    ) AS turn ON true WHERE name = $2
"""
_LOOK_WITHOUT: LiteralString = f"""
    {_SESSION} LEFT JOIN LATERAL (
        ({_TURN} AND state <> 'FAILED' ORDER BY number DESC LIMIT 1)
        UNION
        ({_TURN} AND state <> 'FAILED' AND number = $3::bigint)
    ) AS turn ON true WHERE name = $2
"""
_ADD_TURN: LiteralString = f"""
    added AS (
        INSERT INTO openplaybook.turn (
            session, life, number, fence, turn_id, request_key, fingerprint, state, owner, lease_until_us, steps,
            delivered, began_us
        )
        SELECT id, $4::bigint, $5::bigint, $6::bigint, $7::text, $8::text, $9::text, 'RUNNING', $10::text,
               {NOW} + $11::bigint, cardinality($12::text[]), false, {NOW}
        FROM held RETURNING session
    ),
    rows AS (
        INSERT INTO openplaybook.step (session, turn, seq, time_us, kind, payload)
        SELECT session, $5::bigint, given.number - 1, {NOW}, given.kind, given.payload
        FROM added, unnest($12::text[], $13::bytea[]) WITH ORDINALITY AS given (kind, payload, number)
    )
    SELECT session FROM added
"""
_START: LiteralString = f"""
    WITH held AS (
        UPDATE openplaybook.session
        SET life = $4::bigint, turns = $5::bigint, fence = $6::bigint, expires_us = $3::bigint,
            expires_hour = $3::bigint / 3600000000, state = CASE WHEN life = $4::bigint THEN state END
        WHERE id = $2::bigint AND fence = $6::bigint - 1 RETURNING id
    ),
    {_ADD_TURN}
"""
_START_ANEW: LiteralString = f"""
    WITH held AS (
        INSERT INTO openplaybook.session (name, root, life, turns, fence, expires_us, expires_hour)
        VALUES ($2::text, $14::text, $4::bigint, $5::bigint, $6::bigint, $3::bigint, $3::bigint / 3600000000)
        ON CONFLICT (name) DO NOTHING RETURNING id
    ),
    {_ADD_TURN}
"""
_TAKE_OVER: LiteralString = f"""
    WITH taken AS (
        UPDATE openplaybook.turn SET owner = $5::text, fence = $6::bigint, lease_until_us = {NOW} + $7::bigint
        WHERE session = $2::bigint AND number = $3::bigint AND state = 'RUNNING' AND fence = $6::bigint - 1
          AND lease_until_us = $4::bigint
        RETURNING session
    ),
    held AS (
        UPDATE openplaybook.session
        SET fence = $6::bigint, expires_us = $8::bigint, expires_hour = $8::bigint / 3600000000
        FROM taken WHERE id = taken.session
    )
    SELECT session FROM taken
"""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a request found."""

    now_us: int
    session: SessionRow
    turns: Sequence[TurnRow]

    def holds(self, lease: Lease) -> bool:
        """Whether that lease was granted and still stands."""
        ours = (lease.number, lease.turn_id, lease.owner, lease.fence)
        return any((turn.number, turn.turn_id, turn.owner, turn.fence) == ours for turn in self.turns)


@dataclass(frozen=True, slots=True)
class Grant:
    """A lease that is to be written, or was."""

    lease: Lease
    before: Session | None
    expires_us: int
    taken: TakeOver | None = None


async def look(connection: AsyncConnection, begin: BeginTurn, clock_us: int | None) -> Seen | None:
    """The session and the turns on which the request depends, at one moment; None where there is no session."""
    if begin.request_key is not None:
        found = await rows(connection, _LOOK_WITH_KEY, clock_us, begin.session, begin.request_key)
    else:
        found = await rows(connection, _LOOK_WITHOUT, clock_us, begin.session, begin.joins)
    if not found:
        return None
    now_us, *session = found[0][:7]
    turns = [TurnRow(*row[7:]) for row in found if row[7] is not None]
    return Seen(now_us, SessionRow(*session), turns)


async def start(
    connection: AsyncConnection, begin: BeginTurn, session: SessionRow | None, grant: Grant, clock_us: int | None
) -> bool:
    """Begin a turn; whether the session still was as it was seen (None: not there)."""
    lease = grant.lease
    values = (
        1 if session is None else session.life,
        lease.number,
        lease.fence,
        lease.turn_id,
        begin.request_key,
        begin.fingerprint,
        lease.owner,
        begin.lease_us,
        [kind for kind, _ in begin.steps],
        [payload for _, payload in begin.steps],
    )
    if session is None:
        added = await rows(connection, _START_ANEW, clock_us, begin.session, grant.expires_us, *values, begin.root)
    else:
        added = await rows(connection, _START, clock_us, session.id, grant.expires_us, *values)
    return bool(added)


async def take_over(
    connection: AsyncConnection,
    begin: BeginTurn,
    session: SessionRow,
    grant: Grant,
    taken: TakeOver,
    clock_us: int | None,
) -> bool:
    """Pass a dead turn on; whether it still was as it was seen."""
    lease = grant.lease
    values = (lease.number, taken.turn.lease_until_us, lease.owner, lease.fence, begin.lease_us, grant.expires_us)
    return bool(await rows(connection, _TAKE_OVER, clock_us, session.id, *values))


async def response(connection: AsyncConnection, session: SessionRow, number: int) -> bytes | None:
    """What that turn answered; None where it has gone since."""
    query: LiteralString = "SELECT response FROM openplaybook.turn WHERE session = $1::bigint AND number = $2::bigint"
    found = await rows(connection, query, session.id, number)
    return found[0][0] if found else None
