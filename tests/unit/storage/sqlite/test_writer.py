"""The writer thread and its group commit."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from openplaybook.storage.errors import RecordNotFound, StoreUnusable
from openplaybook.storage.saturation import Saturation
from openplaybook.storage.sqlite.file_connections import connect_writer, prepare_for_writing
from openplaybook.storage.sqlite.transactions import Work
from openplaybook.storage.sqlite.writer import LARGE, Writer
from openplaybook.telemetry.metrics import CommitWatch

PATH = Path("store.db")


def insert(number: int) -> Work[int]:
    def work(connection: sqlite3.Connection) -> int:
        connection.execute("INSERT INTO t VALUES (?)", (number,))
        return number

    return work


def insert_then_refuse(number: int) -> Work[int]:
    def work(connection: sqlite3.Connection) -> int:
        insert(number)(connection)
        raise RecordNotFound(str(number))

    return work


def numbers(connection: sqlite3.Connection) -> list[int]:
    return [number for (number,) in connection.execute("SELECT * FROM t").fetchall()]


@pytest.fixture
def connection() -> sqlite3.Connection:
    """An empty table, in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.execute("CREATE TABLE t (number INTEGER PRIMARY KEY)")
    return connection


@pytest.fixture
async def writer(connection: sqlite3.Connection) -> AsyncIterator[Writer]:
    writer = Writer(connection, PATH, CommitWatch())
    yield writer
    await writer.close()


class Gate:
    """A large write that holds the connection until it is opened, so that what comes meanwhile waits for the next
    commit."""

    def __init__(self) -> None:
        self._reached = threading.Event()
        self._open = threading.Event()

    async def hold(self, writer: Writer) -> "asyncio.Future[None]":
        """Send the writer to the gate; the future is its way through."""
        through = asyncio.ensure_future(writer.run(self, LARGE))
        await self.reached()
        return through

    async def reached(self) -> None:
        """Return once the writer stands at the gate."""
        assert await asyncio.to_thread(self._reached.wait, 10)

    def open(self) -> None:
        self._open.set()

    def __call__(self, connection: sqlite3.Connection) -> None:
        self._reached.set()
        assert self._open.wait(10)


async def together(writer: Writer, *works: Work[int]) -> list[int | BaseException]:
    """What comes of works that are all there when a commit begins."""
    gate = Gate()
    first = await gate.hold(writer)
    others = asyncio.gather(*(writer.run(work) for work in works), return_exceptions=True)
    await asyncio.sleep(0)
    gate.open()
    await first
    return await others


async def test_the_result_of_work_comes_back(writer: Writer) -> None:
    assert await writer.run(insert(7)) == 7
    assert await writer.run(numbers) == [7]


async def test_writes_that_wait_share_one_commit(writer: Writer, connection: sqlite3.Connection) -> None:
    statements: list[str] = []
    connection.set_trace_callback(statements.append)
    assert await together(writer, *(insert(number) for number in range(10))) == list(range(10))
    assert statements.count("COMMIT") == 2


async def test_what_is_small_goes_before_the_second_of_many_large_writes(writer: Writer) -> None:
    gate, order = Gate(), list[str]()
    first = await gate.hold(writer)

    def noted(name: str) -> Work[None]:
        return lambda connection: order.append(name)

    large = [writer.run(noted(f"large {number}"), LARGE) for number in range(3)]
    waiting = asyncio.gather(*large, writer.run(noted("small"), LARGE - 1), writer.run(noted("another"), 0))
    await asyncio.sleep(0)
    gate.open()
    await first
    await waiting
    assert order == ["small", "another", "large 0", "large 1", "large 2"]


async def test_a_small_write_that_comes_during_a_large_one_is_next(writer: Writer) -> None:
    order, gate = list[str](), Gate()

    def noted(name: str) -> Work[None]:
        return lambda connection: order.append(name)

    first = asyncio.ensure_future(writer.run(gate, LARGE))
    second = asyncio.ensure_future(writer.run(noted("large"), LARGE))
    await gate.reached()
    small = asyncio.ensure_future(writer.run(noted("small")))
    await asyncio.sleep(0)
    gate.open()
    await asyncio.gather(first, second, small)
    assert order == ["small", "large"]


async def test_small_writes_have_as_long_as_the_large_one_before_them_took(connection: sqlite3.Connection) -> None:
    now, order, gate = [0.0], list[str](), Gate()
    writer = Writer(connection, PATH, CommitWatch(), clock=lambda: now[0])

    def noted(name: str) -> Work[None]:
        return lambda connection: order.append(name)

    first = asyncio.ensure_future(writer.run(gate, LARGE))
    second = asyncio.ensure_future(writer.run(noted("large"), LARGE))
    await gate.reached()
    small = asyncio.ensure_future(writer.run(noted("small")))
    await asyncio.sleep(0)
    now[0] = 100.0
    gate.open()
    await asyncio.gather(first, small)
    now[0] = 199.0
    await writer.run(noted("another"))
    await writer.run(noted("the last"))
    now[0] = 200.0
    await asyncio.wait_for(second, 10)
    assert order == ["small", "another", "the last", "large"]
    await writer.close()


async def test_nothing_keeps_large_writes_waiting_where_none_is_small(connection: sqlite3.Connection) -> None:
    writer = Writer(connection, PATH, CommitWatch(), clock=count(0, 1000).__next__)
    results = [await asyncio.wait_for(writer.run(insert(number), LARGE), 10) for number in range(5)]
    assert results == list(range(5))
    await writer.close()


async def test_a_large_write_shares_no_commit(writer: Writer, connection: sqlite3.Connection) -> None:
    gate, statements = Gate(), list[str]()
    first = await gate.hold(writer)
    waiting = asyncio.gather(*(writer.run(insert(number), LARGE * (number > 2)) for number in range(6)))
    await asyncio.sleep(0)
    connection.set_trace_callback(statements.append)
    gate.open()
    await first
    assert await waiting == list(range(6))
    assert statements.count("BEGIN IMMEDIATE") == 4  # the three small ones, each of the large ones


async def test_close_finishes_large_writes_that_wait(connection: sqlite3.Connection) -> None:
    writer, gate = Writer(connection, PATH, CommitWatch()), Gate()
    first = await gate.hold(writer)
    waiting = asyncio.gather(*(writer.run(insert(number), LARGE) for number in range(3)))
    await asyncio.sleep(0)
    closing = asyncio.ensure_future(writer.close())
    await asyncio.sleep(0)
    gate.open()
    await asyncio.gather(first, closing)
    assert await waiting == [0, 1, 2]


async def test_a_refused_write_takes_nothing_from_the_others(writer: Writer) -> None:
    results = await together(writer, insert(1), insert_then_refuse(2), insert(3), insert(1), insert(4))
    assert [type(result) for result in results] == [int, RecordNotFound, int, sqlite3.IntegrityError, int]
    assert await writer.run(numbers) == [1, 3, 4]


async def test_a_full_disk_is_said_and_what_was_written_before_stays(
    writer: Writer, connection: sqlite3.Connection
) -> None:
    await writer.run(insert(1))
    await writer.run(lambda connection: connection.execute("CREATE TABLE large (x)"))
    await writer.run(lambda connection: connection.execute("PRAGMA max_page_count = 1"))

    def fill(connection: sqlite3.Connection) -> int:
        connection.execute("INSERT INTO t VALUES (2)")
        connection.execute("INSERT INTO large VALUES (zeroblob(1000000))")
        return 2

    results = await together(writer, fill, fill)
    assert [type(result) for result in results] == [StoreUnusable, StoreUnusable]
    assert "store.db: the disk is full; free some space" in str(results[0])
    assert await writer.run(numbers) == [1]
    assert await writer.run(insert(3)) == 3


async def test_when_sqlite_gives_a_transaction_up_all_in_it_are_refused(writer: Writer) -> None:
    def give_up(connection: sqlite3.Connection) -> int:
        connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
        return 1

    results = await together(writer, insert(1), insert(2), give_up, insert(3))
    assert [type(result) for result in results] == [sqlite3.IntegrityError] * 4
    assert await writer.run(numbers) == []


async def test_a_commit_that_fails_refuses_all_in_it(writer: Writer, connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("CREATE TABLE child (t INTEGER REFERENCES t (number) DEFERRABLE INITIALLY DEFERRED)")

    def orphan(connection: sqlite3.Connection) -> int:
        connection.execute("INSERT INTO child VALUES (99)")
        return 99

    results = await together(writer, insert(1), orphan)
    assert [type(result) for result in results] == [sqlite3.IntegrityError] * 2
    assert await writer.run(numbers) == []


async def test_one_that_is_refused_before_it_wrote_anything_shares_the_commit_of_the_others(
    writer: Writer, connection: sqlite3.Connection
) -> None:
    def refuse(connection: sqlite3.Connection) -> int:
        raise RecordNotFound(str(len(numbers(connection))))

    statements = list[str]()
    connection.set_trace_callback(statements.append)
    results = await together(writer, insert(1), refuse, insert(2))
    assert [type(result) for result in results] == [int, RecordNotFound, int]
    assert statements.count("BEGIN IMMEDIATE") == 2  # the gate's, and theirs
    assert await writer.run(numbers) == [1, 2]


async def test_small_writes_run_on_the_loop_and_large_ones_beside_it(writer: Writer) -> None:
    def thread(connection: sqlite3.Connection) -> int:
        return threading.get_ident()

    assert await writer.run(thread, LARGE - 1) == threading.get_ident()
    assert await writer.run(thread, LARGE) != threading.get_ident()


async def test_the_loop_goes_on_while_another_process_holds_the_file(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with closing(connect_writer(path)) as other:
        prepare_for_writing(other)
        other.execute("CREATE TABLE t (number INTEGER PRIMARY KEY)")
        writer = Writer(connect_writer(path), path, CommitWatch())
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.ensure_future(writer.run(insert(1)))
        for _ in range(100):
            await asyncio.sleep(0)
        assert not waiting.done()
        other.execute("COMMIT")
        assert await waiting == 1
        await writer.close()


async def test_writes_that_come_while_a_busy_loop_holds_a_commit_share_it(connection: sqlite3.Connection) -> None:
    saturation = Saturation(wall=count().__next__, cpu=count().__next__)
    saturation.committed(9)
    writer = Writer(connection, PATH, CommitWatch(), saturation=saturation)
    statements = list[str]()
    connection.set_trace_callback(statements.append)
    first = asyncio.ensure_future(writer.run(insert(1)))
    for _ in range(3):
        await asyncio.sleep(0)
    assert statements == []
    assert await asyncio.gather(first, writer.run(insert(2))) == [1, 2]
    assert statements.count("COMMIT") == 1
    await writer.close()


async def test_a_caller_that_gave_up_does_not_stop_the_writer(writer: Writer) -> None:
    gate = Gate()
    first = await gate.hold(writer)
    second = asyncio.ensure_future(writer.run(insert(2)))
    await asyncio.sleep(0)
    second.cancel()
    gate.open()
    await first
    assert await writer.run(numbers) == [2]


async def test_close_finishes_what_waits_and_then_refuses(connection: sqlite3.Connection) -> None:
    writer = Writer(connection, PATH, CommitWatch())
    gate = Gate()
    first = await gate.hold(writer)
    waiting = [asyncio.ensure_future(writer.run(insert(number))) for number in range(3)]
    await asyncio.sleep(0)
    closing = [asyncio.ensure_future(writer.close()) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(StoreUnusable, match=r"^store\.db: the store is closed$"):
        await writer.run(insert(9))
    gate.open()
    await asyncio.gather(first, *closing)
    assert [write.result() for write in waiting] == [0, 1, 2]
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")
