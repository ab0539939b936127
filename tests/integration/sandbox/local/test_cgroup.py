"""Control groups on a real mount of cgroup v2. Its controllers are not here: limits are files of an ordinary folder."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from openplaybook.sandbox.base import Request
from openplaybook.sandbox.local.cgroup import ControlGroup, find_tree
from openplaybook.sandbox.local.executor import LocalExecutor, LocalSettings
from openplaybook.sandbox.local.fork_server import ForkServer, ForkServerConfig


def mounted() -> Path | None:
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        left, _, right = line.partition(" - ")
        place = Path(left.split(" ")[4])
        if right.startswith("cgroup2 ") and os.access(place / "cgroup.procs", os.W_OK):
            return place
    return None


@pytest.fixture
def tree() -> Iterator[Path]:
    place = mounted()
    if place is None:
        pytest.skip("no cgroup v2 that we may write")
    folder = place / f"openplaybook-test-{os.getpid()}"
    folder.mkdir()
    yield folder
    folder.rmdir()


async def test_a_group_ends_with_all_that_runs_in_it(tree: Path) -> None:
    group = ControlGroup.bare(tree)
    child = await asyncio.create_subprocess_exec("sleep", "60")
    (group.folder / "cgroup.procs").write_text(str(child.pid))
    await group.remove()
    assert await child.wait() == -signal.SIGKILL
    assert not group.folder.exists()
    await group.remove()


async def test_a_fork_server_runs_in_the_group_it_is_given(tree: Path) -> None:
    group = ControlGroup.bare(tree)
    server = await ForkServer.start(ForkServerConfig(preload=(), ready=1, cgroup=str(group.folder)))
    assert len((group.folder / "cgroup.procs").read_text().split()) >= 3
    assert (await server.execute(Request(code="print(1)"))).stdout == "1\n"
    await server.aclose()
    await group.remove()
    assert not group.folder.exists()


def test_limits_are_written_where_the_kernel_reads_them(tmp_path: Path) -> None:
    # On a real tree these files are there already; here they are made.
    group = ControlGroup.make(tmp_path, memory_bytes=1000, processes=7)
    assert (tmp_path / "cgroup.subtree_control").read_text() == "+memory +pids"
    assert [(group.folder / name).read_text() for name in ("memory.max", "pids.max")] == ["1000", "7"]


async def test_where_nothing_is_delegated_code_runs_all_the_same() -> None:
    if find_tree().folder is not None:
        pytest.skip("a part of the tree is delegated here")
    executor = LocalExecutor(LocalSettings(preload=(), ready=1))
    assert (await executor.execute(Request(code="print(1)"))).stdout == "1\n"
    await executor.aclose()
