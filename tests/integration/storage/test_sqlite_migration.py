"""Files of earlier versions."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from openplaybook.storage.base import (
    Answered,
    BeginTurn,
    BlobFacts,
    Conversation,
    KeptTurn,
    Lease,
    Orphaned,
    Recovered,
    Session,
    Step,
    TurnState,
)
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.storage.sqlite.migrations import MIGRATIONS, migrate

NOW_US = 1_700_000_000_000_000
END_US = NOW_US + 3_600_000_000
ASKED = BeginTurn("agents/a/sessions/s", "agents/a", "new", "key-1", "hello", "server", 10_000_000, END_US)


@pytest.fixture
def version_1(tmp_path: Path) -> Path:
    """A file of version 1: a session with a finished turn and a dead one, and blobs."""
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, MIGRATIONS[:1])
        connection.execute(
            "INSERT INTO session VALUES (7, 'agents/a/sessions/s', 'agents/a', 2, 2, ?, x'73')", (END_US,)
        )
        turn = "INSERT INTO turn VALUES (?, 7, ?, ?, ?, ?, 'old', ?, 0, ?)"
        connection.execute(turn, (1, 1, "turn-1", "key-1", "DONE", 1, b"answer"))
        connection.execute(turn, (2, 2, "turn-2", "key-2", "RUNNING", 2, None))
        step = "INSERT INTO step (turn, seq, kind, time_us, payload) VALUES (?, ?, 'row', ?, x'00')"
        connection.executemany(step, [(1, 0, NOW_US), (1, 1, NOW_US + 5), (2, 0, NOW_US + 9)])
        connection.executemany("INSERT INTO blob VALUES (?, ?)", [("b", b"12"), ("a", b"1")])
    return path


async def test_a_file_of_version_1_keeps_what_it_holds(version_1: Path) -> None:
    before_us = time.time_ns() // 1_000_000_000 * 1_000_000
    store = SqliteStore(version_1, clock=lambda: NOW_US + 60)
    await store.open()
    try:
        steps = [Step(1, 0, "row", b"\0", NOW_US), Step(1, 1, "row", b"\0", NOW_US + 5)]
        expected = KeptTurn(1, "turn-1", TurnState.DONE, NOW_US, NOW_US + 5, b"answer", steps)
        assert await store.kept_turns(ASKED.session) == [expected]
        assert await store.history(ASKED.session) == steps
        assert await store.session(ASKED.session) == Session(ASKED.session, b"s", 2, END_US)
        assert await store.conversations("agents/a") == [
            Conversation(ASKED.session, 7, NOW_US, NOW_US + 9, END_US, turns=2)
        ]
        found = await store.blobs("")
        assert found == [BlobFacts("b", 2, found[0].put_us), BlobFacts("a", 1, found[0].put_us)]
        assert found[0].put_us >= before_us
        assert [await store.get_blob(key) for key in "ab"] == [b"1", b"12"]
    finally:
        await store.close()


@pytest.mark.parametrize(
    ("key", "kind"), [("key-1", Answered), ("key-2", Recovered), ("key-3", Orphaned), (None, Orphaned)]
)
async def test_its_turns_are_answered_and_taken_over(version_1: Path, key: str | None, kind: type) -> None:
    store = SqliteStore(version_1, clock=lambda: NOW_US + 60)
    await store.open()
    try:
        begun = await store.begin_turn(
            BeginTurn(ASKED.session, ASKED.root, "new", key, "hello", "server", 10_000_000, END_US)
        )
    finally:
        await store.close()
    taken = Lease(ASKED.session, "turn-2", 2, "server", fence=3)
    steps = [Step(2, 0, "row", b"\0", NOW_US + 9)]
    session = Session(ASKED.session, b"s", 1, END_US)
    assert begun == (Answered(b"answer") if kind is Answered else kind(taken, session, steps))
