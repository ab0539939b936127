"""What only the store on PostgreSQL does."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from psycopg import AsyncConnection

from openplaybook.storage.base import BeginTurn, Busy, Put, Started, Store, TurnState
from openplaybook.storage.postgres import PostgresStore
from openplaybook.storage.postgres.database_address import read_address
from openplaybook.storage.postgres.link_pool import LinkPool
from openplaybook.telemetry.metrics import CommitWatch
from tests.kit.postgres import Cluster

FAR_US = 2**60
BEGIN = BeginTurn("agents/a/sessions/s", "agents/a", "t", "k", "hello", "o", 10_000_000, FAR_US)


class Watch(CommitWatch):
    """Counts what it is told."""

    writes = 0

    def committed(self, seconds: float, writes: int) -> None:
        assert seconds > 0
        self.writes += writes


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
async def store(database: str, watch: Watch) -> AsyncIterator[Store]:
    """A store with three connections."""
    opened = PostgresStore(read_address(database), connections=3, watch=watch)
    await opened.open()
    yield opened
    await opened.close()


async def test_time_is_the_databases(cluster: Cluster, store: Store) -> None:
    await store.begin_turn(BEGIN)
    assert cluster.sql(
        "SELECT abs(extract(epoch FROM now()) * 1000000 + 10000000 - lease_until_us) < 60000000 FROM openplaybook.turn"
    ) == [(True,)]


async def test_a_write_whose_caller_gave_up_is_made(store: Store) -> None:
    begun = await store.begin_turn(BEGIN)
    assert isinstance(begun, Started)
    given_up = asyncio.ensure_future(store.append(begun.lease, [("row", b"")]))
    await asyncio.sleep(0)
    given_up.cancel()
    await store.finish_turn(begun.lease, state=TurnState.DONE, response=b"", steps=[("end", b"")])
    assert given_up.cancelled()
    assert [step.kind for step in await store.history(BEGIN.session)] == ["row", "end"]


async def test_a_lease_that_is_renewed_while_another_server_takes_it_over_stays(database: str, store: Store) -> None:
    await store.begin_turn(BEGIN)
    await store.end_leases()
    async with (
        await AsyncConnection.connect(database, autocommit=True) as watching,
        await AsyncConnection.connect(database) as renewing,
    ):
        await renewing.execute("UPDATE openplaybook.turn SET lease_until_us = %s", (FAR_US,))
        taking = asyncio.ensure_future(store.begin_turn(replace(BEGIN, owner="another")))
        waiting = 0
        while not waiting:  # until it has seen a lease that is over, and would write
            found = await watching.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
            [(waiting,)] = await found.fetchall()
    assert await taking == Busy(FAR_US, same=1)


async def test_pending_writes_are_finished_by_close(database: str, store: Store) -> None:
    writes = [asyncio.ensure_future(store.put_blob(f"b/{number}", b"x")) for number in range(50)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*writes)
    await store.open()
    assert len(await store.blobs("b/")) == 50


async def test_no_more_connections_are_held_than_allowed(cluster: Cluster, store: Store) -> None:
    await asyncio.gather(*(store.get(str(number)) for number in range(100)))
    ours = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'openplaybook' AND datname = 'postgres'"
    assert cluster.sql(ours)[0][0] in (1, 2, 3)


async def test_every_write_is_told_to_the_watch(store: Store, watch: Watch) -> None:
    begun = await store.begin_turn(BEGIN)
    assert isinstance(begun, Started)
    await store.append(begun.lease, [("row", b"")])
    await store.get("agents/a")
    await store.finish_turn(begun.lease, state=TurnState.DONE, response=b"")
    await store.apply([Put("agents/a", "agent", "agents", "agents/a", b"")])
    assert watch.writes == 4


async def test_what_the_database_would_forget_in_a_crash_is_not_reported(cluster: Cluster, database: str) -> None:
    cluster.sql("ALTER ROLE openplaybook SET synchronous_commit = off")
    cluster.sql("ALTER ROLE openplaybook SET default_transaction_isolation = 'serializable'")
    try:
        assert cluster.sql("SHOW synchronous_commit") == [("off",)]
        connections = LinkPool(read_address(database), 1)
        await connections.open()
        settings = "SELECT current_setting('synchronous_commit'), current_setting('transaction_isolation')"
        found = await connections.run(lambda link, _: link.rows(settings))
        await connections.close()
    finally:
        cluster.sql("ALTER ROLE openplaybook RESET ALL")
    assert found == [("on", "read committed")]


async def test_a_turns_writes_touch_no_index(cluster: Cluster, store: Store) -> None:
    """Heap-only tuples: what a turn changes in its rows costs a page, not four."""
    for number in range(1, 21):
        begun = await store.begin_turn(
            BeginTurn(BEGIN.session, "agents/a", f"t{number}", f"k{number}", "", "o", FAR_US, FAR_US)
        )
        assert isinstance(begun, Started)
        for _ in range(4):
            await store.append(begun.lease, [("row", b"x" * 100)])
        await store.finish_turn(begun.lease, state=TurnState.DONE, response=b"r" * 500, session_state=b"s" * 500)
    await store.close()
    # Counts are handed in when a connection ends.
    while cluster.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'openplaybook'") != [(0,)]:
        pass
    found = cluster.sql(
        "SELECT relname, n_tup_hot_upd * 10 >= n_tup_upd * 9 FROM pg_stat_user_tables"
        " WHERE schemaname = 'openplaybook' AND relname IN ('session', 'turn') ORDER BY relname"
    )
    assert found == [("session", True), ("turn", True)]
