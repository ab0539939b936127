"""The executor of this machine with real fork servers."""

import asyncio
import os
import platform
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.sandbox.base import (
    DEFAULT_LIMITS,
    CodeFile,
    Ended,
    Execution,
    InvalidRequest,
    Request,
    SandboxFailed,
    SandboxUnavailable,
)
from openplaybook.sandbox.local.executor import LocalExecutor, LocalSettings
from openplaybook.sandbox.local.local_settings import Schedule
from tests.kit.sandbox.ordinary import as_ordinary, is_root

BARE = LocalSettings(preload=(), ready=1)
SOURCES = Path(__file__).parents[4] / "src"


@pytest.fixture
async def executor() -> AsyncIterator[LocalExecutor]:
    executor = LocalExecutor(BARE)
    yield executor
    await executor.aclose()


async def printed(executor: LocalExecutor, code: str, tenant: str = "") -> str:
    return (await executor.execute(Request(code=code, tenant=tenant))).stdout


async def until(holds: Callable[[], bool]) -> None:
    """Wait for something that is about to be."""
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110 (seen from outside only)
            await asyncio.sleep(0.005)


def launchers() -> set[int]:
    """Fork servers of this process, by their launchers."""
    told = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text()
    return {pid for pid in map(int, told.split()) if b"inside.launcher" in Path(f"/proc/{pid}/cmdline").read_bytes()}


async def test_nothing_is_started_before_it_is_needed(executor: LocalExecutor) -> None:
    assert (launchers(), executor.warm.started) == (set(), 0)
    assert await printed(executor, "print(6 * 7)") == "42\n"
    assert (len(launchers()), executor.warm.started) == (1, 1)


async def test_files_go_in_and_come_out(executor: LocalExecutor) -> None:
    code = "open('b/out.txt', 'w').write(open('b/in.txt').read().upper())"
    execution = await executor.execute(Request(code=code, files=[CodeFile("b/in.txt", b"text")]))
    assert (execution.succeeded, execution.files) == (True, [CodeFile("b/out.txt", b"TEXT")])


async def test_tenants_share_no_interpreter(executor: LocalExecutor) -> None:
    assert [await printed(executor, "print(1)", tenant) for tenant in ("a", "b", "a")] == ["1\n"] * 3
    assert len(launchers()) == 2


@pytest.mark.parametrize("tenant", ["", "prepared"])
async def test_a_prepared_tenant_does_not_wait_for_a_start(executor: LocalExecutor, tenant: str) -> None:
    await executor.prepare(tenant)
    assert (executor.warm.started, executor.admission.running) == (1, 0)
    assert await printed(executor, "print(1)", tenant) == "1\n"
    assert executor.warm.started == 1


async def test_no_more_run_at_once_than_there_are_places() -> None:
    executor = LocalExecutor(replace(BARE, concurrency=2))
    running = [asyncio.create_task(printed(executor, "import time; time.sleep(0.2); print(1)")) for _ in range(5)]
    seen: set[int] = set()
    while not all(task.done() for task in running):
        await asyncio.sleep(0.01)
        seen.add(executor.admission.running)
    assert [task.result() for task in running] == ["1\n"] * 5
    assert max(seen) == 2
    await executor.aclose()


async def test_the_limit_of_time_begins_when_the_code_does() -> None:
    executor = LocalExecutor(replace(BARE, concurrency=1))
    await executor.prepare()
    limits = replace(DEFAULT_LIMITS, wall_s=2.0)
    request = Request(code="import time; time.sleep(1.2); print(1)", limits=limits)
    both = await asyncio.gather(executor.execute(request), executor.execute(request))
    assert [execution.stdout for execution in both] == ["1\n"] * 2
    await executor.aclose()


async def test_who_waits_for_longer_than_its_own_limit_is_turned_away() -> None:
    executor = LocalExecutor(replace(BARE, concurrency=1))
    await executor.prepare()
    long = asyncio.create_task(printed(executor, "import time; time.sleep(20)"))
    await until(lambda: executor.admission.running == 1)
    with pytest.raises(SandboxUnavailable, match=r"^1 executions are running and 0 are waiting"):
        await executor.execute(Request(code="", limits=replace(DEFAULT_LIMITS, wall_s=0.1)))
    long.cancel()
    await asyncio.wait([long])
    assert await printed(executor, "print(1)") == "1\n"
    await executor.aclose()


@pytest.mark.parametrize("depth", [0, 1, 2])
async def test_after_a_part_of_its_fork_server_was_killed_the_next_calls_are_right(
    executor: LocalExecutor, depth: int
) -> None:
    await executor.execute(Request(code=""))
    [launcher] = launchers()
    os.kill([launcher, *descendants(launcher)][depth], signal.SIGKILL)
    for _ in range(4):
        async with asyncio.timeout(60):
            assert await printed(executor, "print(1)") == "1\n"


def descendants(pid: int) -> Sequence[int]:
    """Its children and theirs, but for those that have ended while they were looked at."""
    children: list[int] = []
    deeper: list[int] = []
    for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
        try:
            deeper += descendants(child)
        except (FileNotFoundError, ProcessLookupError):
            continue
        children.append(child)
    return [*children, *deeper]


async def test_an_execution_whose_interpreter_dies_under_it_is_made_again(executor: LocalExecutor) -> None:
    await executor.prepare()
    running = asyncio.create_task(printed(executor, "import time; time.sleep(0.5); print(1)"))
    await until(lambda: executor.admission.running == 1)
    [launcher] = launchers()
    os.kill(descendants(launcher)[0], signal.SIGKILL)
    assert await running == "1\n"
    assert executor.warm.started == 2


async def test_an_execution_that_called_a_tool_is_not_made_again(executor: LocalExecutor) -> None:
    made: list[str] = []

    async def call(name: str, arguments: JsonObject) -> JsonValue:
        made.append(name)
        [launcher] = launchers()
        os.kill(launcher, signal.SIGKILL)
        return await asyncio.get_running_loop().create_future()

    with pytest.raises(SandboxFailed):
        await executor.execute(Request(code="tools.pay({})", tools=["pay"]), call)
    assert made == ["pay"]


async def test_interpreters_are_replaced_on_a_schedule() -> None:
    executor = LocalExecutor(replace(BARE, schedule=Schedule(executions=3)))
    layouts: set[str] = set()
    while len(layouts) < 3:
        layouts.add(await printed(executor, "print(id(object))"))
    assert executor.warm.started >= 3
    await executor.aclose()
    assert launchers() == set()


async def test_a_session_keeps_its_variables_only_where_the_operator_wants_it(executor: LocalExecutor) -> None:
    async def both(of: LocalExecutor) -> list[Execution]:
        codes = ("x = 41", "print(x + 1)")
        return [await of.execute(Request(code=code, session="s", tenant="t")) for code in codes]

    first, second = await both(executor)
    assert (first.fresh, second.fresh, second.exit_code) == (True, True, 1)
    keeping = LocalExecutor(replace(BARE, keeps_sessions=True))
    first, second = await both(keeping)
    assert (first.fresh, second.fresh, second.stdout) == (True, False, "42\n")
    await keeping.aclose()


async def test_what_the_operator_does_not_allow_is_refused_before_anything_starts(executor: LocalExecutor) -> None:
    with pytest.raises(InvalidRequest, match=r"^limits\.wall_s: 60 is more than the 30 that are allowed$"):
        await executor.execute(Request(code="", limits=replace(DEFAULT_LIMITS, wall_s=60.0)))
    assert executor.warm.started == 0


async def test_an_interpreter_that_is_not_there_is_said() -> None:
    executor = LocalExecutor(replace(BARE, python="/nowhere/python"))
    with pytest.raises(SandboxUnavailable, match="/nowhere/python"):
        await executor.execute(Request(code=""))
    await executor.prepare()
    await executor.aclose()


async def test_at_the_end_nothing_of_it_is_left() -> None:
    executor = LocalExecutor(BARE)
    running = asyncio.create_task(printed(executor, "while True: pass"))
    await until(lambda: executor.warm.started == 1)
    await executor.aclose()
    with pytest.raises(SandboxUnavailable, match="no code runs any more"):
        await running
    assert launchers() == set()


async def test_it_reports_every_wall(executor: LocalExecutor) -> None:
    report = await executor.report()
    assert (report.executor, report.ok, report.reason) == ("forkserver", True, "")
    assert [layer.required for layer in report.layers if layer.name == "cgroup"] == [False]


@pytest.mark.parametrize(
    ("python", "found"),
    [
        ("/nowhere/python", "code_python: /nowhere/python does not start: No such file or directory"),
        ("/bin/false", "code_python: /bin/false ended with status 1"),
    ],
)
async def test_an_interpreter_that_does_not_start_is_reported_and_not_used(python: str, found: str) -> None:
    executor = LocalExecutor(replace(BARE, python=python))
    remedy = "name a Python that code is to use, 3.11 or newer"
    assert (await executor.report()).reason == f"interpreter: {found} → {remedy}"
    with pytest.raises(SandboxUnavailable, match=f"^{found}$"):
        await executor.execute(Request(code="1"))


async def test_an_interpreter_that_is_too_old_is_not_used(tmp_path: Path) -> None:
    old = tmp_path / "python"
    # A Python that says it is an older one, as far as a program can tell.
    old.write_text(
        f'#!/bin/sh\nexec {sys.executable} -c "import sys; sys.version_info = (3, 8); exec(sys.argv[2])" -- "$3"\n'
    )
    old.chmod(0o755)
    executor = LocalExecutor(replace(BARE, python=str(old)))
    with pytest.raises(SandboxUnavailable, match=r"it is Python 3\.8, and code needs 3\.11 or newer$"):
        await executor.execute(Request(code="1"))


async def test_modules_that_are_not_there_to_be_imported_ahead_are_reported() -> None:
    executor = LocalExecutor(replace(BARE, preload=("json.decoder", "nowhere.at.all", "nothing")))
    report = await executor.report()
    [interpreter] = [layer for layer in report.layers if layer.name == "interpreter"]
    version = platform.python_version()
    assert interpreter.detail == f"Python {version}, without nowhere, nothing of code_preload"
    assert report.ok


USER = f"""
import asyncio, sys
sys.path.insert(0, {str(SOURCES)!r})
from openplaybook.sandbox.base import Request
from openplaybook.sandbox.local.executor import LocalExecutor, LocalSettings
async def main():
    executor = LocalExecutor(LocalSettings(preload=(), ready=1))
    try:
        print((await executor.execute(Request(code="import os; print(os.getuid(), 6 * 7)"))).stdout)
    finally:
        await executor.aclose()
asyncio.run(main())
"""


@pytest.mark.skipif(not is_root(), reason="only root becomes somebody else")
def test_it_works_for_an_ordinary_user() -> None:
    ran = subprocess.run(as_ordinary([sys.executable, "-c", USER]), capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout) == (0, "1000 42\n\n"), ran.stderr


@pytest.mark.skipif(not is_root(), reason="takes a right away, which only root has")
def test_where_a_wall_is_missing_nothing_is_run_and_the_reason_is_given() -> None:
    before = ["setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin"]
    ran = subprocess.run([*before, sys.executable, "-c", USER], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 1
    assert "SandboxUnavailable: mounts, proc: unshare: Operation not permitted (EPERM) → root without" in ran.stderr


def test_ended_is_told_apart_from_failed() -> None:
    assert Execution(ended=Ended.TIME, exit_code=None, stdout="", stderr="x").error() == "x\nended by the limit: time"
