"""The thread that writes the catalog's file: what it does while nobody writes."""

import asyncio
import sqlite3
from pathlib import Path

from openplaybook.retrieval.catalog.sqlite.commit_thread import CommitThread


def said(error: sqlite3.Error) -> Exception:
    return RuntimeError(str(error))


async def test_memory_is_given_back_when_nobody_writes_and_writing_goes_on_after_it(tmp_path: Path) -> None:
    path = tmp_path / "numbers.db"
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    loop, is_given_back = asyncio.get_running_loop(), asyncio.Event()

    def see(statement: str) -> None:
        if statement == "PRAGMA shrink_memory":
            loop.call_soon_threadsafe(is_given_back.set)

    connection.set_trace_callback(see)
    commits = CommitThread(connection, path, said, idle_s=0.01)
    await commits.run(lambda writing: writing.execute("CREATE TABLE number (value INTEGER)"))
    is_given_back.clear()
    await commits.run(lambda writing: writing.execute("INSERT INTO number VALUES (1)"))
    async with asyncio.timeout(10):
        await is_given_back.wait()
    await commits.run(lambda writing: writing.execute("INSERT INTO number VALUES (2)"))
    assert await commits.run(lambda writing: writing.execute("SELECT sum(value) FROM number").fetchone()) == (3,)
    await commits.close()
