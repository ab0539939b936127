"""The database file: how it is made, and why it may be refused."""

import asyncio
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import openplaybook
from openplaybook.storage.base import Put
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite import SqliteStore

RECORD = Put("agents/a", "agent", "agents", "agents/a", b"{}")
OPEN_AND_SAY_WHY = """
import asyncio, os, sys
from pathlib import Path
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite import SqliteStore
if os.getuid() == 0:
    os.setuid(65534)
try:
    asyncio.run(SqliteStore(Path(sys.argv[1])).open())
except StoreUnusable as error:
    print(error)
"""

WRITE_TO_THE_LIMIT = """
import asyncio, resource, signal, sys
from pathlib import Path
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite import SqliteStore

async def main():
    store = SqliteStore(Path(sys.argv[1]))
    await store.open()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    written = 0
    try:
        while True:
            await store.put_blob(str(written), bytes(50_000))
            written += 1
    except StoreUnusable as error:
        print(written, error.code)
    await store.get_blob("0")

asyncio.run(main())
"""


def python(script: str, *arguments: str | Path) -> str:
    """What a script prints that must end well."""
    source = str(Path(openplaybook.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": source}
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that other users may enter, as pytest's own may not."""
    folder = Path(tempfile.mkdtemp(prefix="openplaybook-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


async def refusal(path: Path) -> str:
    """Why the file is refused."""
    with pytest.raises(StoreUnusable) as refused:
        await SqliteStore(path).open()
    assert str(refused.value).startswith(f"{path}: ")
    return str(refused.value).removeprefix(f"{path}: ")


async def filled(path: Path) -> None:
    """A database with one record."""
    store = SqliteStore(path)
    await store.open()
    await store.apply([RECORD])
    await store.close()


async def test_a_new_file_and_its_directory_are_for_their_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "data" / "store.db"
    store = SqliteStore(path)
    await store.open()
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}
    await store.close()
    assert modes == {"store.db": 0o600, "store.db-wal": 0o600, "store.db-shm": 0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_closing_folds_the_write_ahead_log_into_the_file(tmp_path: Path) -> None:
    asyncio.run(filled(tmp_path / "store.db"))
    assert [each.name for each in tmp_path.iterdir()] == ["store.db"]


async def test_two_stores_may_share_a_file_and_see_each_others_writes(tmp_path: Path) -> None:
    one, two = SqliteStore(tmp_path / "store.db"), SqliteStore(tmp_path / "store.db")
    await asyncio.gather(one.open(), two.open())
    await asyncio.gather(*(store.apply([RECORD]) for store in (one, two) for _ in range(10)))
    found = [await one.get("agents/a"), await two.get("agents/a")]
    await asyncio.gather(one.close(), two.close())
    assert [record and record.version for record in found] == [20, 20]


class TestRefused:
    async def test_a_database_of_a_newer_version(self, tmp_path: Path) -> None:
        path = tmp_path / "store.db"
        await filled(path)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA user_version = 1000")
        before = path.read_bytes()
        assert (await refusal(path)).startswith("written by a newer version of OpenPlaybook (schema 1000, this")
        assert path.read_bytes() == before

    async def test_the_database_of_another_program(self, tmp_path: Path) -> None:
        path = tmp_path / "store.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE theirs (x)")
        before = path.read_bytes()
        assert await refusal(path) == "the database of another program; choose another data directory"
        assert path.read_bytes() == before

    async def test_a_file_that_is_no_database(self, tmp_path: Path) -> None:
        path = tmp_path / "store.db"
        path.write_bytes(b"no database at all, but long enough to be read as one" * 100)
        assert (await refusal(path)).startswith("the file is not an SQLite database; move it away")

    async def test_a_damaged_file(self, tmp_path: Path) -> None:
        path = tmp_path / "store.db"
        await filled(path)
        data = bytearray(path.read_bytes())
        data[100:4096] = bytes(4096 - 100)
        path.write_bytes(data)
        assert (await refusal(path)).startswith("the file is damaged; put a backup in its place")

    async def test_a_directory_in_its_place(self, tmp_path: Path) -> None:
        assert await refusal(tmp_path) == (
            "the file cannot be opened; its directory must exist and be writable for this user "
            "(SQLite: unable to open database file)"
        )

    async def test_a_file_where_its_directory_should_be(self, tmp_path: Path) -> None:
        (tmp_path / "data").write_bytes(b"")
        assert await refusal(tmp_path / "data" / "store.db") == "cannot be opened for writing: File exists"

    def test_a_directory_that_may_not_be_written(self, public_folder: Path) -> None:
        public_folder.chmod(0o555)
        said = python(OPEN_AND_SAY_WHY, public_folder / "store.db")
        assert said == f"{public_folder}/store.db: cannot be opened for writing: Permission denied\n"

    def test_a_file_in_a_directory_that_may_not_be_written(self, public_folder: Path) -> None:
        path = public_folder / "store.db"
        asyncio.run(filled(path))
        path.chmod(0o666)
        public_folder.chmod(0o555)
        before = path.read_bytes()
        assert "read-only; make both writable" in python(OPEN_AND_SAY_WHY, path)
        assert path.read_bytes() == before

    async def test_a_store_that_is_closed_or_was_never_opened(self, tmp_path: Path) -> None:
        store = SqliteStore(tmp_path / "store.db")
        with pytest.raises(StoreUnusable, match="is not open"):
            await store.get("agents/a")
        await store.open()
        await store.close()
        await store.close()
        with pytest.raises(StoreUnusable, match="is not open"):
            await store.apply([RECORD])


async def test_writes_that_the_disk_refuses_are_refused_and_the_earlier_ones_stay(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    written, code = python(WRITE_TO_THE_LIMIT, path).split()
    assert (int(written) > 3, code) == (True, "STORE_UNUSABLE")
    store = SqliteStore(path)
    await store.open()
    blobs = [await store.get_blob(str(number)) for number in range(int(written) + 1)]
    await store.close()
    assert blobs == [bytes(50_000)] * int(written) + [None]


async def test_pending_writes_are_finished_by_close(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store.db")
    await store.open()
    writes = [asyncio.ensure_future(store.put_blob(str(number), b"x")) for number in range(100)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*writes)
    await store.open()
    assert await store.get_blob("99") == b"x"
    await store.close()


async def test_a_write_whose_caller_gave_up_is_made_and_harms_nobody(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store.db")
    await store.open()
    given_up = asyncio.ensure_future(store.put_blob("1", b"x"))
    await asyncio.sleep(0)
    given_up.cancel()
    await store.put_blob("2", b"x")
    assert given_up.cancelled()
    assert await store.get_blob("1") == b"x"
    await store.close()
