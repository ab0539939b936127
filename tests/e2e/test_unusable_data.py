"""Data that a server cannot use: it says so when it starts, and goes on when they can be used again."""

import asyncio
import resource
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from openplaybook.storage.sqlite import SqliteStore
from tests.e2e.kit.rest import Rest, words
from tests.e2e.kit.server import clean_environment, running
from tests.kit.preloaded.commands import quick_command

PAGE = 4096


async def _made(path: Path) -> None:
    store = SqliteStore(path)
    await store.open()
    await store.close()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database as a server left it."""
    path = tmp_path / "openplaybook.db"
    asyncio.run(_made(path))
    return path


def refusal(folder: Path) -> str:
    """What a server says that does not start on that data directory."""
    ended = subprocess.run(
        [quick_command(), "serve", "--data-dir", folder, "--port", "0", "--grpc-port", "0"],
        env=clean_environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (1, "", 1), ended.stderr
    return ended.stderr


def test_a_newer_database(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA user_version = 1000")
    before = database.read_bytes()
    assert refusal(database.parent).startswith(f"error: {database}: written by a newer version of OpenPlaybook")
    assert database.read_bytes() == before


def test_a_damaged_database(database: Path) -> None:
    damaged = database.read_bytes()[: 3 * PAGE]
    database.write_bytes(damaged)
    assert refusal(database.parent).startswith(f"error: {database}: the file is damaged; put a backup in its place")
    assert database.read_bytes() == damaged


def test_a_file_that_is_no_database(database: Path) -> None:
    database.write_bytes(b"notes" * 1000)
    assert refusal(database.parent).startswith(f"error: {database}: the file is not an SQLite database; move it away")
    assert database.read_bytes() == b"notes" * 1000


def test_a_data_directory_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"")
    assert "cannot be used as data directory" in refusal(tmp_path / "data")


@pytest.mark.proves("X4")
def test_a_server_whose_disk_is_full_says_so_reads_on_and_writes_again_when_there_is_room(
    tmp_path: Path, script: Path
) -> None:
    with running(tmp_path, "--model", f"scripted:{script}") as server:
        rest = Rest(server.http)
        agent = rest.agent()
        rest.start(agent, "Talk.")
        assert words(rest.say(f"{agent}/sessions/1", "hello")) == "You said: hello"
        pid = server.process.pid
        before = resource.prlimit(pid, resource.RLIMIT_FSIZE, (PAGE, resource.RLIM_INFINITY))
        for _ in range(3):
            refused = rest.detect(f"{agent}/sessions/1", {"text": {"text": "again"}})
            assert refused.error[:2] == (503, "UNAVAILABLE")
            assert "the disk" in refused.error[2]
            assert rest.send("POST", f"/v3/{agent}/playbooks", b"{}").status in (400, 503)
            assert rest("GET", f"v3/{agent}")["name"] == agent
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
        assert words(rest.say(f"{agent}/sessions/1", "again")) == "You said: again"
        told = rest("GET", f"v3beta1/{agent}/conversations/1")["interactions"]
        assert [each["request"]["queryInput"]["text"]["text"] for each in told] == ["again", "hello"]
