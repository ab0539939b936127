"""The data directory: one server at a time, and commands find it."""

import asyncio
import os
import stat
import sys
from pathlib import Path

import pytest

import openplaybook
from openplaybook.storage.data_directory import DataDirectory, ServerAddress
from openplaybook.storage.errors import StoreUnusable

HOLD_UNTIL_KILLED = """
import sys
from pathlib import Path
from openplaybook.storage.data_directory import DataDirectory
directory = DataDirectory(Path(sys.argv[1]))
directory.acquire()
directory.publish(http="http://127.0.0.1:8080", grpc="127.0.0.1:8081")
print("held", flush=True)
sys.stdin.read()
"""


class Pauses:
    """Notes the pauses instead of making them."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def test_a_server_is_found_from_its_first_to_its_last_request(tmp_path: Path) -> None:
    server, command = DataDirectory(tmp_path), DataDirectory(tmp_path)
    assert command.running_server() is None
    server.acquire()
    assert command.running_server() is None
    address = server.publish(http="http://127.0.0.1:8080", grpc="127.0.0.1:8081", clock=lambda: 1_700_000_000.9)
    assert address == ServerAddress(os.getpid(), "http://127.0.0.1:8080", "127.0.0.1:8081", 1_700_000_000)
    assert command.running_server() == address
    server.release()
    assert command.running_server() is None


def test_looking_for_a_server_does_not_take_its_lock_away(tmp_path: Path) -> None:
    server = DataDirectory(tmp_path)
    server.acquire()
    server.publish(http="http://127.0.0.1:1")
    assert server.running_server() == DataDirectory(tmp_path).running_server() != None  # noqa: E711
    with pytest.raises(StoreUnusable):
        DataDirectory(tmp_path).acquire(pause=Pauses())
    server.release()


def test_a_second_server_is_refused_and_told_about_the_first(tmp_path: Path) -> None:
    first, second = DataDirectory(tmp_path), DataDirectory(tmp_path)
    first.acquire()
    pauses = Pauses()
    with pytest.raises(StoreUnusable, match=r"in use by another server \(still starting, or ending\); stop it"):
        second.acquire(pause=pauses)
    assert sum(pauses.seconds) == pytest.approx(0.4)
    first.publish(http="http://127.0.0.1:8080")
    with pytest.raises(StoreUnusable, match=rf"\(process {os.getpid()}, http://127\.0\.0\.1:8080\)"):
        second.acquire(pause=pauses)
    first.release()
    second.acquire()
    second.release()


def test_a_server_waits_for_a_command_that_is_just_looking(tmp_path: Path) -> None:
    holder, server = DataDirectory(tmp_path), DataDirectory(tmp_path)
    holder.acquire()
    server.acquire(pause=lambda _: holder.release())
    with pytest.raises(StoreUnusable):
        holder.acquire(pause=Pauses())
    server.release()


async def test_a_killed_server_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    source = str(Path(openplaybook.__file__).parents[1])
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        HOLD_UNTIL_KILLED,
        tmp_path,
        env={**os.environ, "PYTHONPATH": source},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"held\n"
    server = DataDirectory(tmp_path)
    found = server.running_server()
    assert found is not None
    assert (found.pid, found.http) == (process.pid, "http://127.0.0.1:8080")
    process.kill()
    await process.communicate()
    assert server.running_server() is None
    server.acquire()
    assert DataDirectory(tmp_path).running_server() is None
    server.release()


def test_the_directory_is_made_for_its_owner_only(tmp_path: Path) -> None:
    directory = DataDirectory(tmp_path / "new" / "data")
    assert directory.running_server() is None
    directory.acquire()
    assert stat.S_IMODE(directory.path.stat().st_mode) == 0o700
    assert directory.database == tmp_path / "new" / "data" / "openplaybook.db"
    directory.release()
    directory.release()


def test_what_is_no_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreUnusable, match="cannot be used as data directory: File exists"):
        DataDirectory(tmp_path / "file").acquire()
    with pytest.raises(StoreUnusable, match="cannot be read: Not a directory"):
        DataDirectory(tmp_path / "file").running_server()


def test_an_address_is_told_only_by_the_server_that_has_the_directory(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="is not acquired"):
        DataDirectory(tmp_path).publish(http="http://127.0.0.1:8080")


@pytest.mark.parametrize("text", [b"", b"{}", b'{"pid": "x", "http": "", "grpc": "", "started": 0}', b"[]"])
def test_a_damaged_address_file_is_named(tmp_path: Path, text: bytes) -> None:
    server = DataDirectory(tmp_path)
    server.acquire()
    (tmp_path / "server.json").write_bytes(text)
    with pytest.raises(StoreUnusable, match=r"server\.json is damaged; restart the server"):
        DataDirectory(tmp_path).running_server()
    server.release()
