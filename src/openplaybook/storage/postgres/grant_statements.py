"""The statements behind `begin_turn`: what a request finds, and leases as they are written."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import LiteralString

from psycopg.rows import TupleRow

from openplaybook.storage.base import BeginTurn, Lease, Session
from openplaybook.storage.postgres.statements import NOW, Sql
from openplaybook.storage.turn_decision import SessionRow, TakeOver, TurnRow, wait_us

_TURN: LiteralString = (
    "SELECT number, turn_id, request_key, fingerprint, state, owner, fence, lease_until_us, ended_us,"
    " delivered"
    " FROM openplaybook.turn WHERE session = session.id AND life = session.life"
)
_SESSION: LiteralString = f"""
    SELECT {NOW}, id, life, turns, session.fence, expires_us, session.state, turn.* FROM openplaybook.session
"""


def _look(turns: LiteralString) -> LiteralString:
    return f"{_SESSION} LEFT JOIN LATERAL ({turns}) AS turn ON true WHERE name = $2"


def _with_key(key: LiteralString) -> LiteralString:
    # A turn that runs is always the session's latest.
    return _look(
        f"({_TURN} AND number = session.turns AND state = 'RUNNING')"
        f" UNION ALL ({_TURN} AND request_key = {key}::text AND state = 'DONE')"
    )


def _without_key(joins: LiteralString) -> LiteralString:
    return _look(
        f"({_TURN} AND state <> 'FAILED' ORDER BY number DESC LIMIT 1)"
        f" UNION ({_TURN} AND state <> 'FAILED' AND number = {joins}::bigint)"
    )


_LOOK_WITH_KEY: LiteralString = _with_key("$3")
_LOOK_WITHOUT: LiteralString = _without_key("$3")
_ADD_TURN: LiteralString = f"""
    added AS (
        INSERT INTO openplaybook.turn (
            session, life, number, fence, turn_id, request_key, fingerprint, state, owner, lease_until_us, steps,
            delivered, began_us
        )
        SELECT id, life, turns, fence, $4::text, $5::text, $6::text, 'RUNNING', $7::text, {NOW} + $8::bigint,
               cardinality($9::text[]), false, {NOW}
        FROM held RETURNING session
    ),
    rows AS (
        INSERT INTO openplaybook.step (session, turn, seq, time_us, kind, payload)
        SELECT held.id, held.turns, given.number - 1, {NOW}, given.kind, given.payload
        FROM held, unnest($9::text[], $10::bytea[]) WITH ORDINALITY AS given (kind, payload, number)
    )
"""
_START: LiteralString = f"""
    WITH held AS (
        UPDATE openplaybook.session
        SET life = $11::bigint, turns = $12::bigint, fence = $13::bigint, expires_us = $3::bigint,
            expires_hour = $3::bigint / 3600000000, state = CASE WHEN life = $11::bigint THEN state END
        WHERE id = $2::bigint AND fence = $13::bigint - 1 RETURNING id, life, turns, fence
    ),
    {_ADD_TURN}
    SELECT session FROM added
"""


def _start_at_once(look: LiteralString, is_free: LiteralString) -> LiteralString:
    """Looks, and begins a turn where there is nothing to decide: the session is new, or it has not expired and of the
    turns that the look finds none stands in the way (`is_free`)."""
    return f"""
    WITH seen (now_us, id, life, turns, fence, expires_us, state, number, turn_id, request_key, fingerprint,
               turn_state, owner, turn_fence, lease_until_us, ended_us, delivered) AS MATERIALIZED ({look}),
    free AS (
        SELECT id, fence FROM seen WHERE expires_us > now_us GROUP BY id, fence
        HAVING bool_and(number IS NULL OR ({is_free}))
    ),
    kept AS (
        UPDATE openplaybook.session
        SET turns = session.turns + 1, fence = session.fence + 1, expires_us = $3::bigint,
            expires_hour = $3::bigint / 3600000000
        FROM free WHERE session.id = free.id AND session.fence = free.fence
        RETURNING session.id, session.life, session.turns, session.fence
    ),
    made AS (
        INSERT INTO openplaybook.session (name, root, life, turns, fence, expires_us, expires_hour)
        SELECT $2::text, $11::text, 1, 1, 1, $3::bigint, $3::bigint / 3600000000
        WHERE NOT EXISTS (SELECT FROM seen)
        ON CONFLICT (name) DO NOTHING RETURNING id, life, turns, fence
    ),
    held AS (SELECT * FROM kept UNION ALL SELECT * FROM made),
    {_ADD_TURN}
    SELECT held.turns, held.fence, seen.* FROM (SELECT) AS one LEFT JOIN held ON true LEFT JOIN seen ON true
    """


_START_WITH_KEY: LiteralString = _start_at_once(_with_key("$5"), "false")
_START_WITHOUT: LiteralString = _start_at_once(
    _without_key("$12"), "turn_state <> 'RUNNING' AND fingerprint <> $6::text"
)
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
class SessionView:
    """What a request found."""

    now_us: int
    waited_us: int
    """How long ago the request came."""
    session: SessionRow
    turns: Sequence[TurnRow]

    def holds(self, lease: Lease) -> bool:
        """Whether that lease was granted and still stands."""
        ours = (lease.number, lease.turn_id, lease.owner, lease.fence)
        return any((turn.number, turn.turn_id, turn.owner, turn.fence) == ours for turn in self.turns)

    def granted(self, begin: BeginTurn) -> "Grant | None":
        """What was granted to a request that an earlier attempt made."""
        for turn in self.turns:
            if (turn.turn_id, turn.owner, turn.state) == (begin.turn_id, begin.owner, "RUNNING"):
                return self.grant(begin, turn.number, turn.fence)
        return None

    def grant(self, begin: BeginTurn, number: int, fence: int) -> "Grant":
        """The session's next turn."""
        lease = Lease(begin.session, begin.turn_id, number, begin.owner, fence)
        return Grant(lease, self.session.before(lease, begin.expires_us), begin.expires_us)


@dataclass(frozen=True, slots=True)
class Grant:
    """A lease that is to be written, or was."""

    lease: Lease
    before: Session | None
    expires_us: int
    taken: TakeOver | None = None


async def look(sql: Sql, begin: BeginTurn, clock_us: int | None) -> SessionView | None:
    """The session and the turns on which the request depends, at one moment; None where there is no session."""
    waited = wait_us(begin)
    if begin.request_key is not None:
        rows = await sql.rows(_LOOK_WITH_KEY, clock_us, begin.session, begin.request_key)
    else:
        rows = await sql.rows(_LOOK_WITHOUT, clock_us, begin.session, begin.joins)
    return _view_of(rows, waited)


async def start_at_once(sql: Sql, begin: BeginTurn, clock_us: int | None) -> Grant | SessionView | None:
    """Begin a turn where nothing has to be decided, else what is to be decided on; None where somebody else was
    faster."""
    waited = wait_us(begin)
    values = (clock_us, begin.session, begin.expires_us, *_turn_values(begin), begin.root)
    if begin.request_key is not None:
        rows = await sql.rows(_START_WITH_KEY, *values)
    else:
        rows = await sql.rows(_START_WITHOUT, *values, begin.joins)
    number, fence = rows[0][:2]
    view = None if rows[0][2] is None else _view_of([row[2:] for row in rows], waited)
    if number is None:
        return view
    if view is not None:
        return view.grant(begin, number, fence)
    return Grant(Lease(begin.session, begin.turn_id, number, begin.owner, fence), None, begin.expires_us)


async def start(sql: Sql, begin: BeginTurn, session: SessionRow, grant: Grant, clock_us: int | None) -> bool:
    """Begin a turn; whether the session still was as it was seen."""
    lease = grant.lease
    values = (session.id, grant.expires_us, *_turn_values(begin), session.life, lease.number, lease.fence)
    return bool(await sql.rows(_START, clock_us, *values))


async def take_over(
    sql: Sql,
    begin: BeginTurn,
    session: SessionRow,
    grant: Grant,
    taken: TakeOver,
    clock_us: int | None,
) -> bool:
    """Pass a dead turn on; whether it still was as it was seen."""
    lease = grant.lease
    values = (lease.number, taken.turn.lease_until_us, lease.owner, lease.fence, begin.lease_us, grant.expires_us)
    return bool(await sql.rows(_TAKE_OVER, clock_us, session.id, *values))


async def response(sql: Sql, session: SessionRow, number: int) -> bytes | None:
    """What that turn answered; None where it has gone since."""
    query: LiteralString = "SELECT response FROM openplaybook.turn WHERE session = $1::bigint AND number = $2::bigint"
    rows = await sql.rows(query, session.id, number)
    return rows[0][0] if rows else None


def _turn_values(begin: BeginTurn) -> tuple[str, str | None, str, str, int, list[str], list[bytes]]:
    kinds, payloads = [kind for kind, _ in begin.steps], [payload for _, payload in begin.steps]
    return begin.turn_id, begin.request_key, begin.fingerprint, begin.owner, begin.lease_us, kinds, payloads


def _view_of(rows: Sequence[TupleRow], waited_us: int) -> SessionView | None:
    if not rows:
        return None
    now_us, *session = rows[0][:7]
    turns = [TurnRow(*row[7:]) for row in rows if row[7] is not None]
    return SessionView(now_us, waited_us, SessionRow(*session), turns)
