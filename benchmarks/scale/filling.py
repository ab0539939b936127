"""Many sessions, written by the database itself: rows of the sizes that a conversation with an OpenAPI tool has."""

from typing import LiteralString

from psycopg import Connection

TURNS = 4
"""Of each session; one of them calls a tool."""

AGENTS = 100

_WORDS: LiteralString = "decode(repeat(md5(random()::text), 64), 'hex')"
"""1,024 bytes that do not compress, as stored text of conversations hardly does in rows this small."""

_SESSIONS: LiteralString = f"""
    INSERT INTO openplaybook.session (name, root, life, turns, fence, expires_us, expires_hour, state)
    SELECT 'projects/p/locations/global/agents/' || (n %% %(agents)s) || '/sessions/' || md5(n::text),
           'projects/p/locations/global/agents/' || (n %% %(agents)s), 1, %(turns)s, %(turns)s, ends, ends / 3600000000,
           substring({_WORDS} FOR 700)
    FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS n,
         LATERAL (SELECT %(now_us)s::bigint + (n %% 720) * 3600000000 AS ends) AS lasting
"""
_TURNS: LiteralString = f"""
    INSERT INTO openplaybook.turn (
        session, number, life, turn_id, fingerprint, state, owner, fence, lease_until_us, steps, delivered, began_us,
        ended_us, response
    )
    SELECT session.id, number, 1, gen_random_uuid()::text, md5(random()::text) || md5(random()::text), 'DONE',
           'server:1:abcdef01', number, %(now_us)s, CASE number WHEN 2 THEN 7 ELSE 3 END, true, %(now_us)s, %(now_us)s,
           substring({_WORDS} FOR 500)
    FROM openplaybook.session, generate_series(1, %(turns)s) AS number WHERE session.id > %(after)s
"""
_STEPS: LiteralString = f"""
    INSERT INTO openplaybook.step (session, turn, seq, time_us, kind, payload)
    SELECT session.id, number, seq, %(now_us)s, kind, substring({_WORDS} FOR size)
    FROM openplaybook.session, generate_series(1, %(turns)s) AS number,
         LATERAL (
            VALUES (0, 'begin', 380), (1, 'heard', 70), (2, 'reply', 430), (3, 'intent', 60), (4, 'result', 1000),
                   (5, 'reply', 430), (6, 'notice', 120)
         ) AS row (seq, kind, size)
    WHERE session.id > %(after)s AND (number = 2 OR seq < 3)
"""


def fill(connection: Connection, first: int, last: int, now_us: int) -> None:
    """Add sessions `first` to `last`, numbered from 1, as turns long over; some end each hour of a month."""
    after = connection.execute("SELECT coalesce(max(id), 0) FROM openplaybook.session").fetchall()[0][0]
    values = {"first": first, "last": last, "after": after, "now_us": now_us, "turns": TURNS, "agents": AGENTS}
    for statement in (_SESSIONS, _TURNS, _STEPS):
        connection.execute(statement, values)
    connection.commit()
    connection.autocommit = True
    connection.execute("VACUUM (ANALYZE)")
    connection.execute("CHECKPOINT")
    connection.autocommit = False
