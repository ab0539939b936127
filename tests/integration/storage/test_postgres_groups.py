"""Writes that go to PostgreSQL together, and connections that are lent."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from psycopg import AsyncConnection, DataError
from psycopg.errors import DivisionByZero

from openplaybook.storage.base import BeginTurn, Lease, Started, TurnState
from openplaybook.storage.errors import LeaseLost
from openplaybook.storage.postgres import PostgresStore
from openplaybook.storage.postgres.database_address import read_address
from openplaybook.storage.postgres.link_pool import LinkPool
from openplaybook.storage.postgres.statements import Statement, Value
from tests.kit.postgres import Cluster

FAR_US = 2**60
BEGIN = BeginTurn("agents/a/sessions/0", "agents/a", "t", None, "hello", "o", 10_000_000, FAR_US)


@pytest.fixture
async def store(database: str) -> AsyncIterator[PostgresStore]:
    opened = PostgresStore(read_address(database), connections=4)
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
async def connections(store: PostgresStore, database: str) -> AsyncIterator[LinkPool]:
    """One connection, to a database that has our tables."""
    opened = LinkPool(read_address(database), 1)
    await opened.open()
    yield opened
    await opened.close()


async def leases(store: PostgresStore, count: int) -> list[Lease]:
    begun = await asyncio.gather(
        *(
            store.begin_turn(replace(BEGIN, session=f"agents/a/sessions/{number}", turn_id=f"t{number}"))
            for number in range(count)
        )
    )
    return [each.lease for each in begun if isinstance(each, Started)]


async def test_writes_that_come_together_share_a_transaction(cluster: Cluster, store: PostgresStore) -> None:
    held = await leases(store, 8)
    await asyncio.gather(*(store.append(lease, [("row", b"x")]) for lease in held))
    assert cluster.sql("SELECT count(*), count(DISTINCT xmin::text) FROM openplaybook.step") == [(8, 1)]


async def test_one_that_fails_takes_nothing_from_the_others(cluster: Cluster, store: PostgresStore) -> None:
    held = await leases(store, 4)
    await store.finish_turn(held[0], state=TurnState.FAILED)
    results = await asyncio.gather(
        store.append(held[0], [("row", b"x")]),
        store.append(held[1], [("row", b"x")]),
        store.append(held[2], [("no text\0", b"x")]),
        store.append(held[3], [("row", b"x")]),
        return_exceptions=True,
    )
    assert isinstance(results[0], LeaseLost)
    assert isinstance(results[2], DataError)
    assert (results[1], results[3]) == (None, None)
    assert cluster.sql("SELECT count(*) FROM openplaybook.step") == [(2,)]


async def test_a_turn_goes_on_after_a_write_of_it_was_refused(store: PostgresStore) -> None:
    [lease] = await leases(store, 1)
    with pytest.raises(DataError):
        await store.append(lease, [("no text\0", b"x")])
    await store.append(lease, [("row", b"x")])
    await store.finish_turn(lease, state=TurnState.DONE, response=b"")
    assert [step.kind for step in await store.history(lease.session)] == ["row"]


async def test_a_write_that_waits_for_another_server_does_not_hold_up_the_others(
    database: str, store: PostgresStore
) -> None:
    held = await leases(store, 6)
    async with await AsyncConnection.connect(database) as other:
        await other.execute("SELECT 1 FROM openplaybook.turn WHERE turn_id IN ('t0', 't1') FOR UPDATE")
        stuck = [asyncio.ensure_future(store.append(lease, [("row", b"x")])) for lease in held[:2]]
        await asyncio.sleep(0)
        await asyncio.gather(*(store.append(lease, [("row", b"x")]) for lease in held[2:]))
        assert not any(each.done() for each in stuck)
        await other.rollback()
    await asyncio.gather(*stuck)


async def test_two_requests_for_one_new_session_get_one_turn(store: PostgresStore) -> None:
    begun = await asyncio.gather(*(store.begin_turn(replace(BEGIN, turn_id=f"t{number}")) for number in range(2)))
    assert [type(each).__name__ for each in begun] == ["Started", "Busy"]


async def test_values_come_back_as_they_were_given(connections: LinkPool) -> None:
    query = "SELECT $1::text, $2::bytea, $3::bigint, $4::text[], $5::bytea[], $6::bigint[], $7::text[], $8::bytea"
    values: tuple[Value, ...] = ("ä", b"\0\xff", -5, ["a", "b"], [b"", b"\0"], [1, -1], [], None)
    assert await connections.run(lambda link, _: link.rows(query, *values)) == [values]


async def test_a_read_whose_caller_gave_up_gives_its_connection_back(connections: LinkPool) -> None:
    given_up = asyncio.ensure_future(connections.run(lambda link, _: link.rows("SELECT pg_sleep(0.05)::text")))
    await asyncio.sleep(0)
    given_up.cancel()
    assert await connections.run(lambda link, _: link.rows("SELECT 1::bigint")) == [(1,)]
    assert given_up.cancelled()


async def test_users_beyond_the_connections_wait_for_one(connections: LinkPool) -> None:
    found = await asyncio.gather(*(connections.run(lambda link, _: link.rows("SELECT 1::bigint")) for _ in range(20)))
    assert found == [[(1,)]] * 20


async def test_transactions_of_one_exchange_stand_for_themselves(connections: LinkPool) -> None:
    statements = [Statement("SELECT 1 / $1::bigint", [number]) for number in (1, 0, 1)]
    link = await connections.take()
    ended = asyncio.Event()
    link.exchange([statements[:2], statements[2:]], ended.set)
    await ended.wait()
    connections.give(link)
    first, second, third = statements
    assert first.error is not None
    assert isinstance(second.error, DivisionByZero)
    assert (third.error, third.rows) == (None, [(1,)])
