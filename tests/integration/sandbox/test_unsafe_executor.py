"""Code in a plain child process: what it is told, what it gives back, and where it ends."""

import asyncio
import os
import select
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.sandbox.base import DEFAULT_LIMITS, CodeFile, Ended, Execution, InvalidRequest, Request
from openplaybook.sandbox.unsafe_executor import NAME, WARNING, UnsafeExecutor

QUICK = replace(DEFAULT_LIMITS, wall_s=1.0)


async def ran(code: str, files: Sequence[CodeFile] = ()) -> Execution:
    executor = UnsafeExecutor(DEFAULT_LIMITS)
    return await executor.execute(Request(code=code, files=files, limits=QUICK, context={"order": 7}))


async def test_what_is_printed_written_and_raised_comes_back() -> None:
    code = "print(open('a/in.txt').read(), context.order)\nopen('out.txt', 'w').write('x')\n1 / 0"
    execution = await ran(code, [CodeFile("a/in.txt", b"text")])
    assert (execution.ended, execution.exit_code, execution.stdout) == (Ended.EXIT, 1, "text 7\n")
    assert execution.stderr.splitlines()[-1] == "ZeroDivisionError: division by zero"
    assert execution.files == [CodeFile("out.txt", b"x")]


async def test_the_value_of_a_last_expression_is_the_result() -> None:
    assert (await ran("4 + 4")).stdout == "8"


async def test_it_sees_nothing_of_the_servers_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENPLAYBOOK_MASTER_KEY", "planted")
    execution = await ran("import os; print('\\n'.join(os.environ))")
    assert not {name for name in execution.stdout.split() if name.startswith("OPENPLAYBOOK")}


async def test_time_ends_it_with_its_children_and_what_it_printed_is_kept() -> None:
    code = "import subprocess; print(subprocess.Popen(['sleep', '60']).pid)\nwhile True: pass"
    execution = await ran(code)
    assert (execution.ended, execution.exit_code) == (Ended.TIME, None)
    # It is killed, but may be a moment dying.
    assert ends(int(execution.stdout))


def ends(pid: int) -> bool:
    """Whether a process has ended, or does so in some seconds; the dead may wait for whoever asks after them."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], 10)[0])
    finally:
        os.close(descriptor)


async def test_a_daemon_that_keeps_the_output_open_holds_nobody_up() -> None:
    code = "import subprocess; print(subprocess.Popen(['sleep', '60'], start_new_session=True).pid)"
    execution = await ran(code)
    daemon = int(execution.stdout)
    os.kill(daemon, signal.SIGKILL)  # it still runs
    assert (execution.ended, execution.exit_code) == (Ended.EXIT, 0)


async def test_output_beyond_the_limit_is_counted_and_dropped() -> None:
    execution = await ran("print('x' * 3_000_000)")
    assert (len(execution.stdout), execution.dropped) == (DEFAULT_LIMITS.stdout_bytes, 3_000_001 - 1024 * 1024)


async def test_whoever_goes_away_ends_it_and_its_folder_goes_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    running = asyncio.create_task(ran("import time; time.sleep(60)"))
    async with asyncio.timeout(10):
        while not os.listdir(tmp_path):  # noqa: ASYNC110 (seen from outside only)
            await asyncio.sleep(0.005)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert os.listdir(tmp_path) == []


async def test_requests_are_checked_as_everywhere() -> None:
    executor = UnsafeExecutor(QUICK)
    with pytest.raises(InvalidRequest, match=r"^files: '\.\./x' is not the name"):
        await executor.execute(Request(code="", limits=QUICK, files=[CodeFile("../x", b"")]))
    with pytest.raises(InvalidRequest, match=r"^tools: code cannot call any in unsafe-subprocess$"):
        await executor.execute(Request(code="", limits=QUICK, tools=["weather"]))


async def test_it_warns_when_it_is_made_and_when_it_is_asked(caplog: pytest.LogCaptureFixture) -> None:
    report = await UnsafeExecutor(DEFAULT_LIMITS).report()
    assert (report.executor, report.ok, report.note) == (NAME, True, WARNING)
    assert [record.getMessage() for record in caplog.records] == [f"{NAME}: {WARNING}"]
