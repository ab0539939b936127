"""Sizes, and what the store can do at that size."""

import asyncio
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import md5

from psycopg import Connection

from benchmarks.figures import quantile
from benchmarks.processes import cpu_s
from benchmarks.scale.filling import AGENTS
from openplaybook.storage.base import BeginTurn, Started, Store, TurnState

PARTS = ("session", "turn", "step")
_AT_ONCE = 16
_LEASE_US = 10_000_000
_DELETED = 2_000


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes."""

    tables: Mapping[str, int]
    indexes: Mapping[str, int]

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.tables.values()) + sum(self.indexes.values())


@dataclass(frozen=True, slots=True)
class Turns:
    """Turns of one tool call, as the store sees them: a beginning, two appends, an ending."""

    per_s: float
    p50_ms: float
    p99_ms: float
    database_cpu_ms: float
    """CPU of PostgreSQL for each."""


def sizes(connection: Connection) -> Sizes:
    """Of the tables that grow with conversations, what is stored out of line included."""
    found = connection.execute(
        "SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class"
        " WHERE relnamespace = 'openplaybook'::regnamespace AND relname = ANY(%s)",
        (list(PARTS),),
    ).fetchall()
    connection.rollback()
    return Sizes({name: table for name, table, _ in found}, {name: index for name, _, index in found})


async def hold_turns(store: Store, sessions: int, seconds: float, postmaster: int) -> Turns:
    """Turns in sessions chosen at random among those there are, for so long."""
    chance, taken = random.Random(sessions), list[float]()
    cpu, begun = cpu_s(postmaster), time.perf_counter()

    async def work() -> None:
        while time.perf_counter() - begun < seconds:
            started = time.perf_counter()
            await _turn(store, chance.randrange(1, sessions + 1), chance)
            taken.append(time.perf_counter() - started)

    await asyncio.gather(*(work() for _ in range(_AT_ONCE)))
    spent = time.perf_counter() - begun
    return Turns(
        per_s=len(taken) / spent,
        p50_ms=quantile(taken, 0.5) * 1000,
        p99_ms=quantile(taken, 0.99) * 1000,
        database_cpu_ms=(cpu_s(postmaster) - cpu) / len(taken) * 1000,
    )


async def deleted_per_s(store: Store) -> float:
    """Expired sessions that go in a second, one batch after another."""
    begun, deleted = time.perf_counter(), 0
    while deleted < _DELETED:
        gone: Sequence[str] = await store.delete_expired(kept_us=0, limit=200)
        if not gone:
            break
        deleted += len(gone)
    return deleted / (time.perf_counter() - begun)


async def _turn(store: Store, session: int, chance: random.Random) -> None:
    agent = f"projects/p/locations/global/agents/{session % AGENTS}"
    turn = f"{chance.getrandbits(128):032x}"
    begin = BeginTurn(
        session=f"{agent}/sessions/{md5(str(session).encode()).hexdigest()}",
        root=agent,
        turn_id=turn,
        request_key=turn,
        fingerprint=turn,
        owner="benchmark",
        lease_us=_LEASE_US,
        expires_us=time.time_ns() // 1000 + 1_800_000_000,
        steps=(("begin", bytes(380)),),
    )
    begun = await store.begin_turn(begin)
    if not isinstance(begun, Started):
        return  # another of ours holds it
    await store.append(begun.lease, [("heard", bytes(70)), ("reply", bytes(430)), ("intent", bytes(60))])
    await store.append(begun.lease, [("result", bytes(1000))])
    await store.finish_turn(
        begun.lease, state=TurnState.DONE, steps=[("reply", bytes(430))], response=bytes(500), session_state=bytes(700)
    )
