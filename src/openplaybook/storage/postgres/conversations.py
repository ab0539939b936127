"""Sessions as their history shows them."""

from collections.abc import Sequence
from typing import LiteralString

from psycopg.rows import TupleRow

from openplaybook.storage.base import Conversation, KeptTurn, Step, TurnState
from openplaybook.storage.postgres.statements import Sql

_CONVERSATION: LiteralString = """
    SELECT session.name, session.id, first.began_us, coalesce(latest.ended_us, latest.began_us), session.expires_us,
           session.turns
    FROM openplaybook.session
    JOIN openplaybook.turn AS first ON first.session = session.id AND first.number = 1
    JOIN openplaybook.turn AS latest ON latest.session = session.id AND latest.number = session.turns
    WHERE EXISTS (
        SELECT 1 FROM openplaybook.turn WHERE turn.session = session.id AND turn.state IN ('DONE', 'STOPPED')
    )
"""
# Written so that no index but the one by root gives the order: the one by id alone would lead through the sessions of
# all other roots.
_OF_ROOT: LiteralString = f"""
    {_CONVERSATION} AND session.root >= $1 AND (session.root, session.id) < ($1, $2::bigint)
    ORDER BY session.root DESC, session.id DESC LIMIT $3::bigint
"""
_OF_SESSION: LiteralString = f"{_CONVERSATION} AND session.name = $1"
_OF_SESSION_TURNS: LiteralString = """
    SELECT * FROM openplaybook.turn WHERE session = (SELECT id FROM openplaybook.session WHERE name = $1)
"""
_KEPT: LiteralString = f"""
    {_OF_SESSION_TURNS} AND number > $2::bigint AND state IN ('DONE', 'STOPPED') ORDER BY number LIMIT $3::bigint
"""
_ONE: LiteralString = f"""
    {_OF_SESSION_TURNS} AND ($2::bigint IS NULL OR number = $2::bigint) ORDER BY number DESC LIMIT 1
"""
_WITH_STEPS: LiteralString = """
    SELECT kept.number, kept.turn_id, kept.state, kept.began_us, coalesce(kept.ended_us, 0), kept.response,
           coalesce(array_agg(step.seq ORDER BY step.seq) FILTER (WHERE step.seq IS NOT NULL), '{}'),
           array_agg(step.kind ORDER BY step.seq), array_agg(step.payload ORDER BY step.seq),
           array_agg(step.time_us ORDER BY step.seq)
    FROM kept LEFT JOIN openplaybook.step ON step.session = kept.session AND step.turn = kept.number
    GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY kept.number
"""
_TURNS: LiteralString = f"WITH kept AS ({_KEPT}) {_WITH_STEPS}"
_TURN: LiteralString = f"WITH kept AS ({_ONE}) {_WITH_STEPS}"
_LAST = 2**63 - 1
"""No position is larger."""


async def of_root(sql: Sql, root: str, before: int | None, limit: int) -> Sequence[Conversation]:
    """Sessions of a root with a DONE or STOPPED turn, the one begun last first, those before position `before`."""
    rows = await sql.rows(_OF_ROOT, root, _LAST if before is None else before, limit)
    return [Conversation(*row) for row in rows]


async def of_session(sql: Sql, name: str) -> Conversation | None:
    """One session with a DONE or STOPPED turn."""
    rows = await sql.rows(_OF_SESSION, name)
    return Conversation(*rows[0]) if rows else None


async def turns(sql: Sql, session: str, after: int, limit: int) -> Sequence[KeptTurn]:
    """DONE and STOPPED turns of all the session's lives, those past number `after`, in their order."""
    return _kept(await sql.rows(_TURNS, session, after, limit))


async def turn(sql: Sql, session: str, number: int | None) -> KeptTurn | None:
    """One turn in any state, the session's latest where `number` is None."""
    return next(iter(_kept(await sql.rows(_TURN, session, number))), None)


def _kept(rows: Sequence[TupleRow]) -> Sequence[KeptTurn]:
    return [
        KeptTurn(
            number,
            turn_id,
            TurnState(state),
            began_us,
            ended_us,
            response,
            # A turn without rows has columns of different lengths, since one of them is counted.
            [Step(number, *row) for row in zip(*columns, strict=False)],
        )
        for number, turn_id, state, began_us, ended_us, response, *columns in rows
    ]
