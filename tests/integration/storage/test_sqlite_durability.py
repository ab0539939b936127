"""A server that is killed has lost nothing that it was told is written."""

import asyncio
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

import openplaybook
from openplaybook.storage.base import Answered, BeginTurn, Busy
from openplaybook.storage.sqlite import SqliteStore

WRITER = Path(__file__).with_name("write_until_killed.py")
FAR_US = 2**60


async def write_and_kill(database: Path, after_lines: int) -> list[list[str]]:
    """What the writer reported until it was killed, which happens once it has reported that often."""
    source = str(Path(openplaybook.__file__).parents[1])
    process = await asyncio.create_subprocess_exec(
        sys.executable, WRITER, database, env={**os.environ, "PYTHONPATH": source}, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    lines = [await process.stdout.readline() for _ in range(after_lines)]
    process.kill()
    # The pipe still holds what was reported between the last line read and the kill.
    rest = (await process.stdout.read()).splitlines(keepends=True)
    await process.wait()
    return [line.decode().split() for line in lines + rest if line.endswith(b"\n")]


def latest(reports: Iterable[list[str]], what: str) -> dict[str, list[int]]:
    """The last numbers reported for each session under that word."""
    return {session: [int(number) for number in numbers] for session, word, *numbers in reports if word == what}


@pytest.mark.parametrize("after_lines", [1, 2, 40, 41, 42, 43, 400])
async def test_everything_awaited_before_a_kill_is_there_after_it(tmp_path: Path, after_lines: int) -> None:
    database = tmp_path / "store.db"
    reports = await write_and_kill(database, after_lines)
    assert len(reports) >= after_lines
    store = SqliteStore(database)
    await store.open()
    try:
        for session, (number,) in latest(reports, "done").items():
            await assert_turns_done(store, session, number)
        for session, (number,) in latest(reports, "begun").items():
            again = BeginTurn(session, "a", "t", f"k{number}", "", "other", 1, FAR_US)
            assert isinstance(await store.begin_turn(again), Busy | Answered)
        for session, (version,) in latest(reports, "record").items():
            record = await store.get(session)
            assert record is not None
            assert record.version >= version
        for session, (number,) in latest(reports, "blob").items():
            assert int(await store.get_blob(session) or b"0") >= number
    finally:
        await store.close()


async def assert_turns_done(store: SqliteStore, session: str, number: int) -> None:
    found = await store.session(session)
    assert found is not None
    assert int(found.state) >= number
    steps = await store.history(session)
    done = int(found.state)
    assert [(step.turn, step.seq) for step in steps] == [(turn, seq) for turn in range(1, done + 1) for seq in (0, 1)]
    assert all(step.payload == b"x" * 1000 for step in steps)
