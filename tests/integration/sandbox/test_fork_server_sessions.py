"""Kept sessions: variables, files and processes that outlive an execution."""

from pathlib import Path

import pytest

from openplaybook.sandbox.base import CodeFile, Ended, ExecutionLimits, Request, SandboxFailed
from openplaybook.sandbox.local.fork_server import ForkServer, ForkServerConfig
from tests.kit.fork_servers import without_guests
from tests.kit.processes import descendants, wait_until

COUNT = "try: n += 1\nexcept NameError: n = 1\nprint(n)"


async def run(server: ForkServer, code: str, session: str = "a", wall_s: float = 10) -> tuple[str, bool]:
    execution = await server.execute(Request(code=code, session=session, limits=ExecutionLimits(wall_s=wall_s)))
    return execution.stdout + execution.stderr, execution.fresh


async def test_variables_and_files_stay_from_one_execution_to_the_next(fork_server: ForkServer) -> None:
    first = await fork_server.execute(Request(code="x = 41\nopen('f', 'w').write('1')", session="a"))
    second = await fork_server.execute(Request(code="print(x + 1, open('f').read(), open('g').read())", session="a",
                                               files=[CodeFile("g", b"new")]))  # fmt: skip

    assert (first.fresh, first.files) == (True, [CodeFile("f", b"1")])
    assert (second.fresh, second.stdout, second.files) == (False, "42 1 new\n", [])


async def test_sessions_do_not_see_each_other(fork_server: ForkServer) -> None:
    assert [await run(fork_server, COUNT, session) for session in ("a", "b", "a", "")] == [
        ("1\n", True), ("1\n", True), ("2\n", False), ("1\n", True),
    ]  # fmt: skip


async def test_failed_code_leaves_its_variables(fork_server: ForkServer) -> None:
    await run(fork_server, "x = 1\nraise ValueError")
    await run(fork_server, "import sys; y = 2; sys.exit(3)")

    assert await run(fork_server, "print(x, y)") == ("1 2\n", False)


@pytest.mark.parametrize(
    ("code", "ended"),
    [
        ("while True: pass", Ended.TIME),
        ("held = []\nwhile True: held.append(bytearray(4 << 20))", Ended.MEMORY),
        ("import os; os._exit(0)", Ended.EXIT),
        ("import os; os.kill(os.getpid(), 9)", Ended.EXIT),
    ],
)
async def test_a_session_that_was_ended_is_forgotten(fork_server: ForkServer, code: str, ended: Ended) -> None:
    await run(fork_server, COUNT)
    limits = ExecutionLimits(wall_s=1, memory_bytes=100 << 20)

    execution = await fork_server.execute(Request(code=code, session="a", limits=limits))

    assert execution.ended is ended
    assert await run(fork_server, COUNT) == ("1\n", True)


async def test_processor_time_of_earlier_executions_does_not_count(fork_server: ForkServer) -> None:
    burn = "import time\nuntil = time.process_time() + 0.3\nwhile time.process_time() < until: pass\nprint('done')"
    limits = ExecutionLimits(cpu_s=0.5)

    executions = [await fork_server.execute(Request(code=burn, session="a", limits=limits)) for _ in range(3)]

    assert [(each.ended, each.stdout) for each in executions] == [(Ended.EXIT, "done\n")] * 3
    assert all(0.29 < each.cpu_s < 0.5 for each in executions)


async def test_between_executions_its_processes_and_threads_stand_still() -> None:
    server = await ForkServer.start(ForkServerConfig(preload=(), ready=0))
    code = """
import os, threading, time
def burn():
    while True: pass
threading.Thread(target=burn, daemon=True).start()
if os.fork() == 0: burn()
"""
    before = await without_guests(server)
    await server.execute(Request(code=code, session="a", limits=ExecutionLimits(processes=2)))
    kept = descendants() - before

    # The monitor sleeps, once it has answered; the guest with its thread, and its child, are stopped.
    await wait_until(lambda: {_task_states(process) for process in kept} == {"S", "TT", "T"})
    await server.aclose()


WAKE_BY_READING = """
import fcntl, os, signal, threading
ours = os.open("/proc/self/fd/1", os.O_WRONLY | os.O_NONBLOCK)
told = []
for command, argument in ((8, os.getpid()), (10, signal.SIGCONT)):  # F_SETOWN, F_SETSIG
    try: fcntl.fcntl(ours, command, argument)
    except PermissionError: told.append("refused")
fcntl.fcntl(ours, fcntl.F_SETFL, os.O_NONBLOCK | os.O_ASYNC)
def fill():
    while True:
        try: os.write(ours, b"x" * 4096)
        except BlockingIOError: pass
print(*told, flush=True)
for _ in range(2): threading.Thread(target=fill, daemon=True).start()
"""


async def test_reading_what_it_wrote_does_not_wake_what_was_stopped() -> None:
    server = await ForkServer.start(ForkServerConfig(preload=(), ready=0))
    before = await without_guests(server)
    execution = await server.execute(Request(code=WAKE_BY_READING, session="a"))
    kept = descendants() - before

    assert execution.stdout.partition("\n")[0] == "refused refused"
    await wait_until(lambda: {_task_states(process) for process in kept} == {"S", "TTT"})
    await server.aclose()


def _task_states(process: int) -> str:
    tasks = Path(f"/proc/{process}/task").iterdir()
    return "".join((task / "stat").read_text().rpartition(")")[2].split()[0] for task in tasks)


async def test_children_of_an_execution_that_may_have_them_count_in_one_that_may_not(fork_server: ForkServer) -> None:
    leave_children = "import os, time\nfor _ in range(2):\n    if os.fork() == 0: time.sleep(60)"
    await fork_server.execute(Request(code=leave_children, session="a", limits=ExecutionLimits(processes=4)))

    later = await fork_server.execute(
        Request(code="import time; time.sleep(30)", session="a", limits=ExecutionLimits(wall_s=5))
    )

    assert later.ended is Ended.PROCESSES


async def test_the_least_recently_used_session_goes_when_there_are_too_many() -> None:
    server = await ForkServer.start(ForkServerConfig(preload=(), sessions=2))
    for session in ("a", "b", "a", "c"):
        await run(server, COUNT, session)

    fresh = [await run(server, COUNT, session) for session in ("a", "b")]
    await server.aclose()

    assert fresh == [("3\n", False), ("1\n", True)]


async def test_a_session_that_nobody_asks_for_ends() -> None:
    server = await ForkServer.start(ForkServerConfig(preload=(), session_idle_s=0.05, ready=0))
    before = await without_guests(server)
    await run(server, COUNT)
    await wait_until(lambda: not descendants() - before)

    again = await run(server, COUNT)
    await server.aclose()

    assert again == ("1\n", True)


async def test_a_folder_that_is_a_link_is_no_way_out_for_files_put_in(fork_server: ForkServer) -> None:
    await run(fork_server, "import os; os.symlink('/tmp', 'd'); os.symlink('/tmp/f', 'f')")

    replaced = await fork_server.execute(Request(code="import os; print(os.listdir('/tmp'), os.path.islink('f'))",
                                                 session="a", files=[CodeFile("f", b"1")]))  # fmt: skip
    assert replaced.stdout == "[] False\n"
    with pytest.raises(SandboxFailed, match="NotADirectoryError"):
        await fork_server.execute(Request(code="", session="a", files=[CodeFile("d/f", b"1")]))
    assert await run(fork_server, COUNT) == ("1\n", True)


async def test_a_result_that_code_forges_is_its_own(fork_server: ForkServer) -> None:
    await run(fork_server, COUNT)

    forged = await run(fork_server, "import os, time\nos.write(3, b'D\\1\\0\\0\\0' + b'0')\ntime.sleep(60)", wall_s=5)

    assert forged == ("", False)
    assert await run(fork_server, COUNT, "b") == ("1\n", True)
