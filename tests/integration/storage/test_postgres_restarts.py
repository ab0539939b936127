"""A database that restarts, crashes or stays away."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from itertools import count

import pytest

from openplaybook.storage.base import BeginTurn, Started, Store, TurnState
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.postgres import PostgresStore
from openplaybook.storage.postgres.database_address import read_address
from tests.kit.postgres import Cluster, running_cluster

FAR_US = 2**60
WRITERS = 6


@pytest.fixture(scope="module")
def mortal() -> Iterator[Cluster]:
    """A cluster of these tests' own, which they stop and start."""
    with running_cluster() as started:
        yield started


@pytest.fixture
async def store(mortal: Cluster) -> AsyncIterator[Store]:
    mortal.sql("DROP SCHEMA IF EXISTS openplaybook CASCADE")
    opened = PostgresStore(read_address(mortal.url()))
    await opened.open()
    yield opened
    await opened.close()


class Writer:
    """Says one turn after another in a session of its own, and remembers what it was told is done."""

    def __init__(self, store: Store, number: int) -> None:
        self.session = f"agents/a/sessions/{number}"
        self.done = 0
        self._store = store

    async def run(self, stop: asyncio.Event) -> None:
        for number in count(1):
            if stop.is_set():
                return
            begun = await self._store.begin_turn(
                BeginTurn(self.session, "agents/a", f"t{number}", f"k{number}", "", "o", FAR_US, FAR_US)
            )
            assert isinstance(begun, Started), begun
            for kind in ("one", "two"):
                await self._store.append(begun.lease, [(kind, b"x" * 500)])
            await self._store.finish_turn(
                begun.lease, state=TurnState.DONE, response=b"", steps=[("end", b"")], session_state=b"s"
            )
            self.done = number


async def outlived(store: Store, *disturb: "asyncio.Future[None]") -> list[Writer]:
    """Writers that were at work while all that went on, and for ten turns after it."""
    stop = asyncio.Event()
    writers = [Writer(store, number) for number in range(WRITERS)]
    tasks = [asyncio.create_task(writer.run(stop)) for writer in writers]
    await asyncio.gather(*disturb)
    after = [writer.done + 10 for writer in writers]
    while any(writer.done < number for writer, number in zip(writers, after, strict=True)):
        await asyncio.wait(tasks, timeout=0.02)
        assert not any(task.done() for task in tasks)
    stop.set()
    await asyncio.gather(*tasks)
    return writers


async def assert_whole(store: Store, writers: list[Writer]) -> None:
    """Every turn is there once, with its rows once and in order."""
    for writer in writers:
        kept = await store.kept_turns(writer.session, limit=100_000)
        assert [turn.number for turn in kept] == list(range(1, writer.done + 1))
        assert {tuple(step.kind for step in turn.steps) for turn in kept} == {("one", "two", "end")}


async def test_connections_that_an_administrator_ends_are_made_anew(mortal: Cluster, store: Store) -> None:
    def end_them_all() -> None:
        for _ in range(10):
            mortal.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'openplaybook'")

    writers = await outlived(store, asyncio.ensure_future(asyncio.to_thread(end_them_all)))
    await assert_whole(store, writers)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
async def test_turns_go_on_over_restarts_and_crashes(mortal: Cluster, store: Store, how: signal.Signals) -> None:
    def restart_twice() -> None:
        for _ in range(2):
            mortal.restart(how)

    writers = await outlived(store, asyncio.ensure_future(asyncio.to_thread(restart_twice)))
    await assert_whole(store, writers)


async def test_a_database_that_stays_away_is_told_of_and_used_again_when_it_is_back(mortal: Cluster) -> None:
    mortal.sql("DROP SCHEMA IF EXISTS openplaybook CASCADE")
    store = PostgresStore(read_address(mortal.url()), patience_s=0.5)
    await store.open()
    try:
        begun = await store.begin_turn(BeginTurn("agents/a/sessions/s", "agents/a", "t", "k", "", "o", FAR_US, FAR_US))
        assert isinstance(begun, Started)
        await asyncio.to_thread(mortal.stop)
        try:
            for operation in (store.append(begun.lease, [("row", b"")]), store.get("agents/a")):
                with pytest.raises(StoreUnusable, match=rf"^postgresql://127\.0\.0\.1:{mortal.port}/postgres: "):
                    await operation
        finally:
            await asyncio.to_thread(mortal.start)
        while True:
            try:
                await store.append(begun.lease, [("row", b"")])
                break
            except StoreUnusable:
                continue
        await store.finish_turn(begun.lease, state=TurnState.DONE, response=b"")
        assert [step.kind for step in await store.history("agents/a/sessions/s")] == ["row"]
    finally:
        await store.close()
