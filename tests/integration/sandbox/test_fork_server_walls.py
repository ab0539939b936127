"""What code finds around it: each wall, tried from inside, started as root and as an ordinary user."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from openplaybook.sandbox.base import Ended, ExecutionLimits, Request
from openplaybook.sandbox.local.fork_server import ForkServer, ForkServerConfig
from tests.kit.fork_servers import without_guests
from tests.kit.processes import descendants, wait_until
from tests.kit.sandbox.ordinary import as_ordinary, is_root

WITH_PROCESSES = ExecutionLimits(processes=8)
TRIES = """
def tried(do, *arguments):
    try: return do(*arguments)
    except Exception as error: return type(error).__name__
"""
SYSCALLS = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(number, *arguments)
    return os.strerror(ctypes.get_errno()) if result < 0 else result
"""


async def printed(server: ForkServer, code: str, limits: ExecutionLimits = ExecutionLimits(wall_s=10)) -> str:  # noqa: B008 (frozen)
    execution = await server.execute(Request(code=code, limits=limits))
    return execution.stdout + execution.stderr


async def test_the_process_is_nobody_and_can_become_nobody_else(fork_server: ForkServer) -> None:
    code = """
told = ("Uid", "Cap", "NoNewPrivs", "Seccomp:")
print(*[line for line in open("/proc/self/status") if line.startswith(told)], sep="")
"""
    none = "0000000000000000"
    assert (await printed(fork_server, code)).split() == [
        "Uid:", "1000", "1000", "1000", "1000", "CapInh:", none, "CapPrm:", none, "CapEff:", none, "CapBnd:", none,
        "CapAmb:", none, "NoNewPrivs:", "1", "Seccomp:", "2",
    ]  # fmt: skip


@pytest.mark.skipif(not is_root(), reason="tells how root is given up")
async def test_started_as_root_no_process_of_it_is_root() -> None:
    before = descendants()
    server = await ForkServer.start(ForkServerConfig(preload=(), uid=54321, gid=54322))
    inside = await server.execute(Request(code="import os\nprint(os.getuid())", session="kept"))
    users = sorted((os.stat(f"/proc/{process}").st_uid, _effective_user(process)) for process in descendants() - before)
    await server.aclose()

    assert inside.stdout == "1000\n"
    # The launcher that waits outside is the only one; it reads nothing and waits for an end.
    assert [effective for _, effective in users if effective == 0] == [0]
    assert {effective for _, effective in users} == {0, 54321}


def _effective_user(process: int) -> int:
    with open(f"/proc/{process}/status", encoding="utf-8") as told:
        return int(next(line for line in told if line.startswith("Uid:")).split()[2])


async def test_the_root_is_read_only_and_shows_nothing_of_the_machine(fork_server: ForkServer) -> None:
    code = (
        TRIES
        + """
import os
print([tried(os.listdir, each) for each in ("/", "/home", "/var", "/sys", "/workspace", "/tmp")])
print([tried(open, each, "w") for each in ("/x", "/usr/x", "/etc/passwd", "/rt/inside/guest.py", "/dev/zero")])
print([tried(os.mkdir, each) for each in ("/usr/x", "/dev/x", "/proc/x", "/rt/x")])
"""
    )
    assert (await printed(fork_server, code)).splitlines() == [
        "['PermissionError', 'FileNotFoundError', 'FileNotFoundError', 'FileNotFoundError', [], []]",
        "['OSError', 'OSError', 'OSError', 'OSError', 'PermissionError']",
        "['OSError', 'OSError', 'FileNotFoundError', 'OSError']",
    ]


async def test_proc_shows_the_execution_only(fork_server: ForkServer) -> None:
    code = (
        TRIES
        + """
import os
print(sorted(os.listdir("/proc")))
print([tried(open, f"/proc/{each}") for each in ("sys/kernel/core_pattern", "kcore", "cmdline", "mounts")])
print([tried(open, f"/proc/1/{each}", "rb") for each in ("mem", "environ", "maps", "fd/4")])
print(tried(os.readlink, "/proc/1/fd/4"))
print([tried(open, f"/proc/self/{each}", "w") for each in ("oom_score_adj", "mem", "uid_map", "attr/current")])
"""
    )
    assert (await printed(fork_server, code)).splitlines() == [
        "['1', '2', 'self', 'thread-self']",
        "['FileNotFoundError', 'FileNotFoundError', 'FileNotFoundError', 'FileNotFoundError']",
        "['PermissionError', 'PermissionError', 'PermissionError', 'PermissionError']",
        "PermissionError",
        "['PermissionError', 'PermissionError', 'PermissionError', 'PermissionError']",
    ]


async def test_there_are_no_descriptors_arguments_or_variables_of_others(fork_server: ForkServer) -> None:
    os.environ["OF_THE_SERVER"] = "a secret"
    code = "import os, sys\nprint(sorted(map(int, os.listdir('/proc/self/fd')))[:-1], sys.argv, sorted(os.environ))"

    said = await printed(fork_server, code)
    del os.environ["OF_THE_SERVER"]

    assert said.startswith("[0, 1, 2] ['<code>'] [")
    assert "OF_THE_SERVER" not in said


async def test_there_is_no_network(fork_server: ForkServer) -> None:
    code = (
        TRIES
        + """
import socket
for family in range(50):
    assert tried(socket.socket, family) == "PermissionError", family
left, right = socket.socketpair()
left.send(b"pair")
print(right.recv(9), tried(socket.socketpair, socket.AF_TIPC if hasattr(socket, "AF_TIPC") else 30))
"""
    )
    for limits in (ExecutionLimits(), WITH_PROCESSES):
        assert await printed(fork_server, code, limits) == "b'pair' PermissionError\n"


FORBIDDEN = {
    "ptrace": 101, "shmget": 29, "msgget": 68, "semget": 64, "mount": 165, "umount2": 166, "pivot_root": 155,
    "chroot": 161, "setns": 308, "unshare": 272, "kexec_load": 246, "init_module": 175, "bpf": 321,
    "perf_event_open": 298, "userfaultfd": 323, "memfd_create": 319, "memfd_secret": 447, "io_uring_setup": 425,
    "process_vm_readv": 310, "process_vm_writev": 311, "pidfd_open": 434, "pidfd_getfd": 438,
    "pidfd_send_signal": 424, "keyctl": 250, "add_key": 248, "request_key": 249, "open_by_handle_at": 304,
    "name_to_handle_at": 303, "personality": 135, "setuid": 105, "setgroups": 116, "setpriority": 141,
    "sched_setscheduler": 144, "sched_setaffinity": 203, "ioprio_set": 251, "mknod": 133, "swapon": 167,
    "reboot": 169, "settimeofday": 164, "sethostname": 170, "iopl": 172, "modify_ldt": 154, "seccomp": 317,
    "landlock_create_ruleset": 444, "fsopen": 430, "open_tree": 428, "move_mount": 429, "mount_setattr": 442,
    "fanotify_init": 300, "inotify_init1": 294, "vmsplice": 278, "splice": 275, "tee": 276, "mlockall": 151,
    "move_pages": 279, "kcmp": 312, "quotactl": 179, "acct": 163, "syslog": 103, "clone3": 435, "mincore": 27,
    "flock": 73, "setsockopt": 54, "bind": 49, "connect": 42, "listen": 50, "process_madvise": 440,
    "map_shadow_stack": 453, "capset": 126, "rt_sigqueueinfo": 129, "epoll_ctl_old": 214, "uselib": 134,
    "timerfd_create": 283, "signalfd4": 289, "sync": 162, "syncfs": 306, "setxattr": 188, "chown": 92,
}  # fmt: skip
"""Numbers of x86_64."""


@pytest.mark.parametrize("limits", [ExecutionLimits(), WITH_PROCESSES], ids=["alone", "with processes"])
async def test_system_calls_that_data_analysis_has_no_use_for_do_not_exist(
    fork_server: ForkServer, limits: ExecutionLimits
) -> None:
    code = SYSCALLS + f"print({{name: call(number, *6 * [0]) for name, number in {FORBIDDEN}.items()}})"

    told = eval(await printed(fork_server, code, limits))

    assert told == {
        name: "Function not implemented" if name == "clone3" else "Operation not permitted" for name in FORBIDDEN
    }


async def test_calls_are_judged_by_their_arguments(fork_server: ForkServer) -> None:
    code = (
        SYSCALLS
        + """
forked = [call(56, flags | 17, 0, 0, 0, 0) for flags in (0, 0x10000000, 0x20000000, 0x80)]
print(forked)
print([call(16, 0, request, 0) for request in (0x5412, 0x541C, 0x5401 | 1 << 32)])
print([call(157, option, 1, 0, 0, 0) for option in (4, 22, 23, 8, 36, 40)])
print(call(302, 1, 7, 0, 0), call(302, 0, 7, 0, 0))
print([call(72, 0, command, 0) for command in (1024, 1026, 1031)])
"""
    )
    refused = "Operation not permitted"
    lines = (await printed(fork_server, code)).splitlines()
    assert lines[0] == str([refused] * 4)
    assert lines[1].startswith("['Inappropriate ioctl for device', 'Inappropriate ioctl for device', ")
    assert lines[2] == str([refused] * 6)
    assert lines[3] == f"{refused} 0"
    assert lines[4] == str([refused] * 3)


async def test_a_monitor_that_has_a_request_can_do_no_more_than_its_guest() -> None:
    server = await ForkServer.start(ForkServerConfig(preload=(), ready=0))
    calm = await without_guests(server)
    running = asyncio.ensure_future(server.execute(Request(code="import time\ntime.sleep(1000)")))
    await wait_until(lambda: len(descendants()) == len(calm) + 2)
    expected = {"CapPrm": 16 * "0", "CapEff": 16 * "0", "NoNewPrivs": "1", "Seccomp": "2"}
    monitor, guest = sorted(descendants() - calm)
    await wait_until(lambda: status(guest)["Seccomp"] == "2")

    assert [status(monitor), status(guest)] == [expected, expected]
    running.cancel()
    await server.aclose()


def status(process: int) -> dict[str, str]:
    """What the kernel says of its rights."""
    lines = (line.split(":") for line in Path(f"/proc/{process}/status").read_text().splitlines())
    return {name: value.strip() for name, value in lines if name in ("CapEff", "CapPrm", "NoNewPrivs", "Seccomp")}


async def test_the_guest_has_a_session_of_its_own_and_no_terminal(fork_server: ForkServer) -> None:
    code = """
import os
print(os.getsid(0) == os.getpgid(0) == os.getpid(), [os.isatty(each) for each in range(3)])
try: os.open("/dev/tty", os.O_RDWR)
except OSError as error: print(type(error).__name__)
"""
    assert await printed(fork_server, code) == "True [False, False, False]\nFileNotFoundError\n"


async def test_what_a_slow_monitor_would_miss_the_kernel_holds(fork_server: ForkServer) -> None:
    limits = ExecutionLimits(open_files=64, threads=10, disk_bytes=5 << 20, cpu_s=7.5)
    code = """
from resource import *
for each in (RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_FSIZE, RLIMIT_CPU, RLIMIT_MEMLOCK):
    print(getrlimit(each), end=" ")
"""
    told = await printed(fork_server, code, limits)

    assert told == "(64, 64) (10, 10) (5242880, 5242880) (9, 10) (0, 0) "


async def test_a_crash_starts_no_program_for_core_dumps(fork_server: ForkServer) -> None:
    code = (
        TRIES
        + """
import os, resource
print([line.split()[4:6] for line in open("/proc/self/limits") if "core" in line])
print(tried(resource.setrlimit, resource.RLIMIT_CORE, (0, 0)))
os.abort()
"""
    )
    execution = await fork_server.execute(Request(code=code))

    assert (execution.exit_code, execution.stdout) == (-6, "")
    assert await printed(fork_server, code.replace("os.abort()", "")) == "[['1', '1']]\nValueError\n"


async def test_a_namespace_is_not_to_be_had_where_processes_are(fork_server: ForkServer) -> None:
    code = (
        SYSCALLS + "print([call(56, flags | 17, 0, 0, 0, 0) for flags in (0x10000000, 0x20000000, 0x40000000, 0x80)])"
    )

    assert await printed(fork_server, code, WITH_PROCESSES) == str(["Operation not permitted"] * 4) + "\n"


async def test_all_threads_share_one_table_of_descriptors_so_that_its_limit_is_one(fork_server: ForkServer) -> None:
    unshared = "call(436, 1 << 20, 1 << 20, 2)"  # close_range, CLOSE_RANGE_UNSHARE
    without_files = "call(56, 0x10000 | 0x800 | 0x100, 0, 0, 0, 0)"  # clone, of CLONE_THREAD all but CLONE_FILES

    for limits in (ExecutionLimits(), WITH_PROCESSES):
        told = await printed(fork_server, f"{SYSCALLS}print({unshared}, {without_files}, sep=chr(10))", limits)
        assert told.splitlines() == ["Operation not permitted"] * 2


@pytest.mark.parametrize("instruction", ["int 0x80", "x32"])
async def test_other_ways_into_the_kernel_kill(fork_server: ForkServer, instruction: str) -> None:
    code = {
        "int 0x80": SYSCALLS
        + """
import mmap
page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)
page.write(b"\\xb8\\x14\\0\\0\\0\\xcd\\x80\\xc3")
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
print("lives")
""",
        "x32": SYSCALLS + "call(0x40000000 + 39)\nprint('lives')",
    }[instruction]

    execution = await fork_server.execute(Request(code=code))

    assert (execution.ended, execution.exit_code, execution.stdout) == (Ended.EXIT, -31, "")


async def test_signals_do_not_reach_the_monitor(fork_server: ForkServer) -> None:
    code = (
        TRIES
        + """
import os
print({tried(os.kill, 1, number) for number in range(65)})
print({tried(os.kill, -1, number) for number in (0, 10)})
"""
    )
    assert (await printed(fork_server, code)).splitlines()[0] in ("{'PermissionError'}", "{'PermissionError', None}")
    assert await printed(fork_server, "print(1)") == "1\n"


async def test_taking_away_the_own_output_does_not_hold_up_the_monitor(fork_server: ForkServer) -> None:
    code = """
import os, threading
stolen = os.open("/proc/self/fd/1", os.O_RDONLY)
def steal():
    while True: os.read(stolen, 65536)
for _ in range(2): threading.Thread(target=steal, daemon=True).start()
while True: os.write(1, b"x")
"""
    execution = await fork_server.execute(Request(code=code, limits=ExecutionLimits(wall_s=0.5, stdout_bytes=1)))

    assert execution.ended is Ended.TIME
    assert execution.wall_s < 1


async def test_nothing_stays_for_the_next(fork_server: ForkServer) -> None:
    spoil = """
import builtins, json, os, sys, resource, threading
json.loads = builtins.print = None
os.environ["SPOILED"] = "1"
sys.path.append("/spoiled")
resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
open("/tmp/left", "w").close()
open("/dev/shm/left", "w").close()
"""
    look = """
import json, os, resource, sys
print(json.loads("1"), os.environ.get("SPOILED"), sys.path[-1] != "/spoiled", os.listdir("/tmp"), os.listdir("."),
      resource.getrlimit(resource.RLIMIT_NOFILE))
"""
    before = await printed(fork_server, look)
    await printed(fork_server, spoil, ExecutionLimits(open_files=64))

    assert await printed(fork_server, look) == before == "1 None True [] [] (256, 256)\n"


async def test_warm_random_numbers_do_not_repeat(fork_server: ForkServer) -> None:
    code = "import random, uuid, secrets\nprint(random.random(), uuid.uuid4(), secrets.token_hex())"

    numbers = [number for _ in range(4) for number in (await printed(fork_server, code)).split()]

    assert len(set(numbers)) == 12


@pytest.mark.proof
@pytest.mark.skipif(not is_root(), reason="these tests run as an ordinary user already")
async def test_all_of_it_holds_when_an_ordinary_user_starts_it() -> None:
    files = [f"{os.path.dirname(__file__)}/test_fork_server{each}.py" for each in ("_walls", "_ends")]
    process = await asyncio.create_subprocess_exec(
        *as_ordinary([sys.executable, "-B", "-m", "pytest", "-q", "-k", "not ordinary_user", *files]),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    told, _ = await process.communicate()

    assert process.returncode == 0, told.decode()
