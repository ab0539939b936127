"""Files that were damaged, and disks that are full for a while."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import openplaybook
from openplaybook.storage.base import BeginTurn, Put, Started
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite import SqliteStore

PAGE = 4096

FULL_FOR_A_WHILE = """
import asyncio, resource, sys
from pathlib import Path
from openplaybook.storage.base import BeginTurn, TurnState
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite import SqliteStore

async def main():
    store = SqliteStore(Path(sys.argv[1]))
    await store.open()
    begun = await store.begin_turn(BeginTurn("s", "a", "t", "k", "", "o", 2**60, 2**60))
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limit))
    written = refused = 0
    while refused < 5:
        try:
            await store.append(begun.lease, [("row", b"x" * 5000)])
            written += 1
        except StoreUnusable as error:
            refused += 1
    assert await store.get("nothing") is None
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    await store.append(begun.lease, [("row", b"x" * 5000)])
    await store.finish_turn(begun.lease, state=TurnState.DONE, response=b"")
    print(written + 1, [step.seq for step in await store.history("s")] == list(range(written + 1)))
    await store.close()

asyncio.run(main())
"""


async def filled(path: Path, records: int = 200) -> None:
    """A database with so many records of 2,000 bytes."""
    store = SqliteStore(path)
    await store.open()
    await store.apply(
        [Put(f"agents/a/tools/{number}", "tool", "agents/a", "agents/a", b"x" * 2000) for number in range(records)]
    )
    await store.close()


async def test_a_file_that_was_cut_short_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    await filled(path)
    cut = path.read_bytes()[: 20 * PAGE]
    path.write_bytes(cut)
    with pytest.raises(StoreUnusable, match="the file is damaged; put a backup in its place"):
        await SqliteStore(path).open()
    assert path.read_bytes() == cut


async def test_a_page_that_was_damaged_is_told_of_and_the_rest_serves(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    await filled(path)
    data = bytearray(path.read_bytes())
    # A page in the middle of the table; the first ones hold the schema and the roots of the trees.
    position = data.index(b"agents/a/tools/100tool") // PAGE * PAGE
    data[position : position + PAGE] = b"\xff" * PAGE
    path.write_bytes(data)
    store = SqliteStore(path)
    await store.open()
    try:
        with pytest.raises(StoreUnusable, match="the file is damaged; put a backup in its place"):
            await store.scan("agents/a")
        with pytest.raises(StoreUnusable, match="the file is damaged"):
            await store.apply([Put("agents/a/tools/100", "tool", "agents/a", "agents/a", b"y")])
        found = await store.get("agents/a/tools/0")
        assert found is not None
        assert found.body == b"x" * 2000
        begin = BeginTurn("agents/a/sessions/s", "agents/a", "t", "k", "", "o", 1, 2**60)
        assert isinstance(await store.begin_turn(begin), Started)
    finally:
        await store.close()


def test_a_disk_that_was_full_is_written_again_when_there_is_room(tmp_path: Path) -> None:
    source = str(Path(openplaybook.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", FULL_FOR_A_WHILE, tmp_path / "store.db"],
        env={**os.environ, "PYTHONPATH": source},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    written, whole = done.stdout.split()
    assert int(written) > 3
    assert whole == "True"
