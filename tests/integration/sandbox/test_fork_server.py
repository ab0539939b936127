"""What a fork server makes of requests: output, files, limits."""

import asyncio
from dataclasses import replace

import pytest

from openplaybook.sandbox.base import CodeFile, Ended, ExecutionLimits, InvalidRequest, Request, Skipped
from openplaybook.sandbox.local.fork_server import ForkServer, ForkServerConfig

MIB = 1024 * 1024
SHORT = ExecutionLimits(wall_s=10, cpu_s=5, memory_bytes=200 * MIB)


async def test_code_runs_and_its_output_comes_back(fork_server: ForkServer) -> None:
    execution = await fork_server.execute(Request(code="import sys; print(6 * 7); print('aside', file=sys.stderr)"))

    assert (execution.ended, execution.exit_code, execution.fresh) == (Ended.EXIT, 0, True)
    assert (execution.stdout, execution.stderr, execution.files) == ("42\n", "aside\n", [])
    assert 0 < execution.cpu_s < 1
    assert 0 < execution.wall_s < 10
    assert fork_server.executions == 1


async def test_an_exception_is_a_traceback_and_an_exit_code(fork_server: ForkServer) -> None:
    execution = await fork_server.execute(Request(code="print('before')\n1 / 0"))

    assert (execution.ended, execution.exit_code, execution.stdout) == (Ended.EXIT, 1, "before\n")
    assert execution.stderr.startswith('Traceback (most recent call last):\n  File "<code>", line 2, in <module>\n')


async def test_files_go_in_and_new_and_changed_ones_come_out(fork_server: ForkServer) -> None:
    code = """
import os
os.makedirs("out/deep")
open("out/deep/new.bin", "wb").write(bytes(3))
open("changed.txt", "a").write("!")
print(sorted(os.listdir(".")), open("in/kept.txt").read())
"""
    files = [CodeFile("in/kept.txt", b"kept"), CodeFile("changed.txt", b"changed")]

    execution = await fork_server.execute(Request(code=code, files=files))

    assert execution.stdout == "['changed.txt', 'in', 'out'] kept\n"
    assert execution.files == [CodeFile("changed.txt", b"changed!"), CodeFile("out/deep/new.bin", bytes(3))]
    assert execution.skipped == []


async def test_files_of_code_that_failed_come_out_too(fork_server: ForkServer) -> None:
    execution = await fork_server.execute(Request(code="open('a', 'w').write('1')\nraise SystemExit(3)"))

    assert (execution.exit_code, execution.files) == (3, [CodeFile("a", b"1")])


async def test_what_is_no_regular_file_under_a_safe_name_stays_inside(fork_server: ForkServer) -> None:
    code = """
import os
os.symlink("/etc/passwd", "link")
os.symlink("/", "folder")
open("a\\u202etxt.exe", "w").write("x")
open("b\\x1b[31m", "w").write("x")
open(b"c\\xff", "w").write("x")
open("d\\\\e", "w").write("x")
os.makedirs("1/2/3/4/5/6/7/8/9")
open("closed", "w").write("mine")
os.chmod("closed", 0)
os.chmod(".", 0)
"""
    execution = await fork_server.execute(Request(code=code))

    assert execution.files == [CodeFile("closed", b"mine")]
    assert execution.skipped == [
        Skipped("1/2/3/4/5/6/7/8/9", "too deep"),
        Skipped("a\\u202etxt.exe", "unsafe name"),
        Skipped("b\\x1b[31m", "unsafe name"),
        Skipped("c\\udcff", "unsafe name"),
        Skipped("d\\\\e", "unsafe name"),
        Skipped("folder", "not a regular file"),
        Skipped("link", "not a regular file"),
    ]


async def test_files_beyond_their_number_and_sizes_are_left_out_and_told(fork_server: ForkServer) -> None:
    code = "for n in range(5): open(f'{n}', 'wb').write(bytes((n + 1) * 10))"
    limits = ExecutionLimits(files=2, file_bytes=40, files_bytes=30)

    execution = await fork_server.execute(Request(code=code, limits=limits))

    assert [(file.name, len(file.data)) for file in execution.files] == [("0", 10), ("1", 20)]
    assert [(each.name, each.reason) for each in execution.skipped] == [
        ("2", "too many files"), ("3", "too many files"), ("4", "too many files"),
    ]  # fmt: skip
    large = await fork_server.execute(Request(code=code, limits=replace(limits, files=5)))
    assert large.skipped[0] == Skipped("2", "too large: all together at most 30 bytes")
    assert large.skipped[2] == Skipped("4", "too large: at most 40 bytes")


@pytest.mark.parametrize("name", ["../a", "/a", "a/../b", "", "a\nb", "a\u202eb", "a/" * 9 + "b"])
async def test_a_file_name_that_leads_out_is_refused(fork_server: ForkServer, name: str) -> None:
    with pytest.raises(InvalidRequest, match="no name of a file in the workspace"):
        await fork_server.execute(Request(code="", files=[CodeFile(name, b"")]))


@pytest.mark.parametrize(
    ("code", "ended"),
    [
        ("print('so far', flush=True)\nimport time\ntime.sleep(60)", Ended.TIME),
        ("print('so far')\nimport time\ntime.sleep(60)", Ended.TIME),
        (
            "print('so far', flush=True)\nimport signal\nsignal.signal(24, lambda *_: None)\nwhile True: pass",
            Ended.TIME,
        ),
    ],
)
async def test_the_time_limit_ends_code_and_keeps_what_was_printed(
    fork_server: ForkServer, code: str, ended: Ended
) -> None:
    execution = await fork_server.execute(Request(code=code, limits=replace(SHORT, wall_s=0.4)))

    assert (execution.ended, execution.exit_code, execution.stdout) == (ended, None, "so far\n")
    assert execution.wall_s < 1.0
    assert execution.error().endswith("ended by the limit: time")


async def test_processor_time_is_that_of_all_processes(fork_server: ForkServer) -> None:
    alone = await fork_server.execute(Request(code="while True: pass", limits=replace(SHORT, cpu_s=0.3)))
    many = "import os\nfor _ in range(5): os.fork()\nwhile True: pass"
    together = await fork_server.execute(Request(code=many, limits=replace(SHORT, cpu_s=0.5, processes=40)))

    assert [alone.ended, together.ended] == [Ended.CPU, Ended.CPU]
    assert 0.3 <= alone.cpu_s < 0.6
    assert 0.5 <= together.cpu_s < 1.0


async def test_processor_time_of_children_that_were_gone_before_anybody_looked_counts(fork_server: ForkServer) -> None:
    code = """
import os, time
def burn():
    while time.process_time() < until: pass
    os._exit(0)
for _ in range(40):
    until = 0.01
    os.waitpid(os.fork() or burn(), 0)
"""
    execution = await fork_server.execute(Request(code=code, limits=replace(SHORT, processes=1)))

    assert (execution.exit_code, execution.stderr) == (0, "")
    assert execution.cpu_s > 0.39


MEMORY_HOGS = {
    "its own": "held = []\nwhile True: held.append(bytearray(4 << 20)); time.sleep(0.002)",
    "files": "while True: open(f'/tmp/{time.monotonic()}', 'wb').write(b'x' * (2 << 20)); time.sleep(0.002)",
    "threads": "\n".join(
        [
            "held = []",
            "def hold():",
            "    while True: held.append(bytearray(1 << 20)); time.sleep(0.002)",
            "for _ in range(4): threading.Thread(target=hold).start()",
        ]
    ),
    "children": "\n".join(
        [
            "for _ in range(4):",
            "    if os.fork() == 0:",
            "        held = []",
            "        while True: held.append(bytearray(1 << 20)); time.sleep(0.002)",
            "os.wait()",
        ]
    ),
}


async def test_shared_memory_that_is_no_file_and_so_in_no_count_is_not_to_be_had(fork_server: ForkServer) -> None:
    code = """
import mmap, os
def tried(what):
    try: return type(what()).__name__
    except OSError as error: return error.strerror
print(tried(lambda: mmap.mmap(-1, 4096)), tried(lambda: os.open("/dev/zero", os.O_RDONLY)), sep="; ")
print(tried(lambda: mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)))
file = open("/tmp/shared", "w+b")
file.truncate(4096)
print(tried(lambda: mmap.mmap(file.fileno(), 4096)))
"""
    execution = await fork_server.execute(Request(code=code))

    assert execution.stdout == "Operation not permitted; Permission denied\nmmap\nmmap\n"


@pytest.mark.parametrize("kind", MEMORY_HOGS)
async def test_memory_of_every_kind_counts(fork_server: ForkServer, kind: str) -> None:
    code = "import mmap, os, threading, time\n" + MEMORY_HOGS[kind]
    limits = replace(SHORT, memory_bytes=100 * MIB, disk_bytes=400 * MIB, processes=8)

    execution = await fork_server.execute(Request(code=code, limits=limits))

    assert (execution.ended, execution.exit_code) == (Ended.MEMORY, None)


async def test_pages_that_children_share_with_their_parent_count_once(fork_server: ForkServer) -> None:
    code = """
import os, time
size = 60 << 20
held = b"x" * size
children = [os.fork() for _ in range(1)]
for _ in range(3):
    if 0 not in children: children.append(os.fork())
time.sleep(0.3)
if 0 in children: os._exit(0)
for child in children: os.waitpid(child, 0)
print(len(children))
"""
    limits = replace(SHORT, memory_bytes=100 * MIB, processes=8)

    execution = await fork_server.execute(Request(code=code, limits=limits))

    assert (execution.ended, execution.stdout, execution.stderr) == (Ended.EXIT, "4\n", "")


async def test_an_allocation_far_beyond_the_limit_is_refused_at_once(fork_server: ForkServer) -> None:
    execution = await fork_server.execute(Request(code="bytearray(3 << 30)", limits=SHORT))

    assert (execution.ended, execution.exit_code) == (Ended.EXIT, 1)
    assert execution.stderr.endswith("MemoryError\n")


async def test_child_processes_are_forbidden_unless_they_are_allowed(fork_server: ForkServer) -> None:
    code = "import subprocess\nprint(subprocess.run(['/bin/echo', 'child'], capture_output=True, text=True).stdout)"

    without = await fork_server.execute(Request(code=code))
    with_them = await fork_server.execute(Request(code=code, limits=ExecutionLimits(processes=2)))

    assert (without.exit_code, without.stderr.splitlines()[-1].split(":")[0]) == (1, "PermissionError")
    assert (with_them.exit_code, with_them.stdout) == (0, "child\n\n")


@pytest.mark.parametrize(("children", "ended"), [(3, Ended.EXIT), (4, Ended.PROCESSES)])
async def test_as_many_child_processes_as_allowed_may_live_and_no_more(
    fork_server: ForkServer, children: int, ended: Ended
) -> None:
    code = f"""
import os, time
for _ in range({children}):
    if os.fork() == 0:
        time.sleep(1)
        os._exit(0)
time.sleep(0.5)
"""
    execution = await fork_server.execute(Request(code=code, limits=replace(SHORT, processes=3)))

    assert execution.ended is ended


async def test_more_child_processes_than_allowed_end_the_execution(fork_server: ForkServer) -> None:
    code = "import os, time\nfor _ in range(6):\n    if os.fork() == 0: time.sleep(30)\ntime.sleep(30)"

    execution = await fork_server.execute(Request(code=code, limits=replace(SHORT, processes=4)))

    assert execution.ended is Ended.PROCESSES


async def test_threads_beyond_their_number_cannot_be_started(fork_server: ForkServer) -> None:
    code = """
import threading, time
started = 0
try:
    for _ in range(20):
        threading.Thread(target=time.sleep, args=(0.2,)).start()
        started += 1
except RuntimeError:
    print(started)
"""
    execution = await fork_server.execute(Request(code=code, limits=replace(SHORT, threads=8)))

    assert (execution.exit_code, execution.stdout) == (0, "7\n")


async def test_output_beyond_its_limit_is_dropped_and_counted(fork_server: ForkServer) -> None:
    limits = replace(SHORT, stdout_bytes=10, stderr_bytes=4)

    execution = await fork_server.execute(
        Request(code="import sys\nprint('x' * 99)\nprint('y' * 9, file=sys.stderr)", limits=limits)
    )

    assert (execution.stdout, execution.stderr, execution.dropped) == ("x" * 10, "y" * 4, 90 + 6)


async def test_output_byte_by_byte_comes_out_whole(fork_server: ForkServer) -> None:
    code = "import os\nfor n in range(5000): os.write(1, b'%d' % (n % 10))"

    execution = await fork_server.execute(Request(code=code, limits=SHORT))

    assert execution.stdout == "0123456789" * 500


async def test_a_flood_of_output_ends_the_execution(fork_server: ForkServer) -> None:
    execution = await fork_server.execute(
        Request(code="import os\nwhile True: os.write(1, b'x' * 65536)", limits=SHORT)
    )

    assert (execution.ended, len(execution.stdout)) == (Ended.OUTPUT, MIB)


@pytest.mark.parametrize("limits", [ExecutionLimits(disk_bytes=MIB), ExecutionLimits(inodes=20)])
async def test_a_full_workspace_is_an_error_of_the_code(fork_server: ForkServer, limits: ExecutionLimits) -> None:
    code = "for n in range(100): open(str(n), 'wb').write(bytes(50_000))"

    execution = await fork_server.execute(Request(code=code, limits=limits))

    assert execution.exit_code == 1
    assert execution.stderr.splitlines()[-1].startswith("OSError: [Errno 28] No space left on device")


async def test_executions_at_the_same_time_do_not_meet(fork_server: ForkServer) -> None:
    code = (
        "import os, time\nopen('mine', 'w').write('N')\ntime.sleep(0.1)\nprint(os.listdir('.'), os.listdir('/tmp'), N)"
    )

    requests = [Request(code=code.replace("N", str(n))) for n in range(6)]
    executions = await asyncio.gather(*map(fork_server.execute, requests))

    assert [each.stdout for each in executions] == [f"['mine'] [] {n}\n" for n in range(6)]


async def test_libraries_that_are_not_installed_are_passed_over_when_it_starts() -> None:
    server = await ForkServer.start(ForkServerConfig(preload=("json", "no_such_library"), ready=0))

    execution = await server.execute(Request(code="import sys; print('json' in sys.modules)"))
    await server.aclose()

    assert execution.stdout == "True\n"
