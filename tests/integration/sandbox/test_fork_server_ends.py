"""How a fork server and what runs in it come to an end: nothing survives, whoever dies first."""

import asyncio
import gc
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from openplaybook.sandbox.base import Request, SandboxFailed, SandboxUnavailable
from openplaybook.sandbox.local.fork_server import ForkServer, ForkServerConfig
from tests.kit.fork_servers import without_guests
from tests.kit.processes import descendants, wait_until, wait_until_gone
from tests.kit.sandbox.ordinary import REPOSITORY, as_ordinary, is_root

FOREVER = Request(code="import time\nprint('on', flush=True)\ntime.sleep(1000)")
HARDENED = """
import signal, time
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
"""


async def test_cancelling_ends_the_code_and_leaves_the_server_well() -> None:
    server = await ForkServer.start(ForkServerConfig(preload=(), ready=0))
    calm = await without_guests(server)
    running = asyncio.ensure_future(server.execute(Request(code=HARDENED + "time.sleep(1000)")))
    await wait_until(lambda: len(descendants()) == len(calm) + 2)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await wait_until(lambda: not descendants() - calm)

    assert (await server.execute(Request(code="print(1)"))).stdout == "1\n"
    await server.aclose()


async def test_cancelling_at_any_moment_leaves_no_guest_behind() -> None:
    server = await ForkServer.start(ForkServerConfig(preload=(), ready=0))
    calm = await without_guests(server)
    for steps in range(12):
        running = asyncio.ensure_future(server.execute(FOREVER))
        for _ in range(steps):
            await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    await wait_until(lambda: not descendants() - calm)

    assert (await server.execute(Request(code="print(1)"))).stdout == "1\n"
    await server.aclose()


BORN_LATER = """
import os, resource, socket
from openplaybook.sandbox.inside import kernel
from openplaybook.sandbox.inside.launcher import map_user
from openplaybook.sandbox.inside.wall_messages import Warmth
from openplaybook.sandbox.inside.zygote import Zygote

user, group = os.getuid(), os.getgid()
kernel.unshare(kernel.NEW_USER | kernel.NEW_PIDS)
map_user(user, group, inner=0)
if child := os.fork():
    os._exit(os.waitpid(child, 0)[1])
zygote = Zygote(Warmth(preload=[], ready=0, readable=[]), socket.socket())
hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
for most in (0, hard):
    resource.setrlimit(resource.RLIMIT_NPROC, (most, hard))
    try:
        zygote.prove()
    except Exception as error:
        print(type(error).__name__, error, flush=True)
"""


def test_a_warm_interpreter_that_could_not_fork_once_forks_when_it_can() -> None:
    # Without the file system that a launcher makes, a monitor that is born ends at its first mount, and says so.
    command = [sys.executable, "-c", BORN_LATER]
    command = as_ordinary(command) if is_root() else command
    told = subprocess.run(command, capture_output=True, text=True, check=True)

    assert [line.partition(":")[0] for line in told.stdout.splitlines()] == [
        "BlockingIOError [Errno 11] Resource temporarily unavailable",
        "RuntimeError [Errno 2] mount /workspace",
    ]


async def test_closing_ends_everything_that_runs() -> None:
    before = descendants()
    server = await ForkServer.start(ForkServerConfig(preload=(), ready=0))
    calm = await without_guests(server)
    await server.execute(Request(code="", session="kept"))
    running = asyncio.ensure_future(server.execute(FOREVER))
    await wait_until(lambda: len(descendants()) == len(calm) + 4)
    own = descendants() - before
    await server.aclose()

    with pytest.raises(SandboxFailed):
        await running
    await wait_until_gone(own)
    assert not server.alive
    with pytest.raises(SandboxFailed, match="takes no executions"):
        await server.execute(FOREVER)


async def test_the_death_of_the_zygote_is_noticed_and_ends_what_runs() -> None:
    before = descendants()
    server = await ForkServer.start(ForkServerConfig(preload=(), ready=0))
    calm = await without_guests(server)
    running = asyncio.ensure_future(server.execute(FOREVER))
    await wait_until(lambda: len(descendants()) == len(calm) + 2)
    own = descendants() - before
    os.kill(_zygote(own), signal.SIGKILL)

    with pytest.raises(SandboxFailed, match="ended while it ran the code"):
        await running
    assert await server.dies(within_s=5)
    assert not server.alive
    await wait_until_gone(own)
    await server.aclose()


def _zygote(processes: set[int]) -> int:
    """The first process of the inner pid namespace that others are children of."""
    return next(each for each in sorted(processes) if b"inside.zygote" in Path(f"/proc/{each}/cmdline").read_bytes())


SERVER = """
import asyncio, sys
from openplaybook.sandbox.base import Request
from openplaybook.sandbox.local.fork_server import ForkServer, ForkServerConfig
from tests.kit.processes import descendants, wait_until
async def main():
    server = await ForkServer.start(ForkServerConfig(preload=()))
    await server.execute(Request(code="", session="kept"))
    running = asyncio.ensure_future(server.execute(Request(code="import time\\ntime.sleep(1000)")))
    # Launcher, zygote, two that wait and two that run, each a monitor and a guest, at least.
    await wait_until(lambda: len(descendants()) >= 10)
    print("runs", flush=True)
    await running
asyncio.run(main())
"""


async def test_a_server_that_is_killed_leaves_nothing() -> None:
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SERVER, stdout=asyncio.subprocess.PIPE, cwd=REPOSITORY
    )
    assert server.stdout is not None
    assert await server.stdout.readline() == b"runs\n"
    own = descendants(server.pid)
    server.kill()
    await server.wait()

    assert len(own) >= 10
    await wait_until_gone(own)


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        (ForkServerConfig(python="/no/such/python"), "/no/such/python does not start"),
        (ForkServerConfig(python="/bin/false"), "/bin/false ended with status 1"),
        (ForkServerConfig(cgroup="/no/such/group"), "No such file or directory: '/no/such/group/cgroup.procs'"),
    ],
)
async def test_a_fork_server_that_cannot_start_says_why(config: ForkServerConfig, reason: str) -> None:
    before = descendants()
    with pytest.raises(SandboxUnavailable, match=reason):
        await ForkServer.start(config)
    assert descendants() == before


async def test_where_the_server_may_open_nothing_more_it_says_so_and_goes_on_afterwards() -> None:
    config = ForkServerConfig(preload=(), ready=0)
    server = await ForkServer.start(config)
    with nothing_to_open():
        with pytest.raises(SandboxUnavailable, match="Too many open files"):
            await server.execute(Request(code="print(1)"))
        with pytest.raises(SandboxUnavailable, match=r"did not start.*Too many open files"):
            await ForkServer.start(config)

    assert (await server.execute(Request(code="print(1)"))).stdout == "1\n"
    await server.aclose()


@contextmanager
def nothing_to_open() -> Generator[None]:
    """No descriptor is free in this process."""
    held: list[int] = []
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + 20, limits[1]))
    try:
        with suppress(OSError):
            while True:
                held.append(os.open("/dev/null", os.O_RDONLY))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        for descriptor in held:
            os.close(descriptor)


async def test_no_descriptor_of_the_server_stays_open() -> None:
    async def once() -> int:
        server = await ForkServer.start(ForkServerConfig(preload=()))
        for session in ("", "a", "", "a"):
            await server.execute(Request(code="print(1)", session=session))
        await server.aclose()
        return len(os.listdir("/proc/self/fd"))

    counts = [await once() for _ in range(3)]

    assert counts[0] == counts[1] == counts[2]


async def test_no_descriptor_of_a_kept_session_stays_open_when_its_guest_dies() -> None:
    # What earlier tests have left to be closed is not to be counted.
    gc.collect()
    server = await ForkServer.start(ForkServerConfig(preload=(), ready=0))
    calm = await without_guests(server)
    await server.execute(Request(code="", session="a"))
    own, held = descendants() - calm, len(os.listdir("/proc/self/fd"))
    for process in own:
        with suppress(ProcessLookupError):  # one of them may have ended with another
            os.kill(process, signal.SIGKILL)
    await wait_until_gone(own)

    again = await server.execute(Request(code="print(1)", session="a"))
    assert (again.stdout, again.fresh) == ("1\n", True)
    # The new one's in place of the old one's.
    await wait_until(lambda: len(os.listdir("/proc/self/fd")) <= held)
    await server.aclose()
