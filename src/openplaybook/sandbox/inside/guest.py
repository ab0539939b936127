"""The process that runs a caller's code. It puts up its own walls, then waits for what it shall run.

Walls, in order: a session and descriptors of its own, a user namespace in which nobody else is counted, no
capabilities, no new privileges, Landlock; then, when the request tells the limits: resource limits, seccomp.
"""

import gc
import os
import resource
import select
import signal
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

from . import kernel, landlock, root_filesystem, runtime
from .execution_limits import ExecutionLimits
from .frames import DONE, LARGEST_PROGRAM, REQUEST, STANDS, BadFrame, frame, read_frame, write_all
from .launcher import map_user
from .tool_calls import SocketChannel
from .wall_messages import GuestProgram

CHANNEL = 3
"""The descriptor of the socket to the monitor."""
INNER_USER = 1000
_MIB = 1024 * 1024
_LEISURE_S = 0.02
_SPARE_ADDRESSES = 256 * _MIB
# Not /dev/zero: mapped, it is memory without a file that can be shared (see `seccomp`).
_DEVICES = ("/dev/urandom", "/dev/random")


def main(channel: int, output: int, errors: int, readable: Sequence[str], filters: Mapping[bool, bytes]) -> NoReturn:
    """From the fork to the end."""
    _own_descriptors(channel, output, errors)
    _wall_in(readable)
    runtime.get_ready()
    write_all(CHANNEL, frame(STANDS))
    leave = os._exit
    if not select.select([CHANNEL], [], [], _LEISURE_S)[0]:
        # Nobody is kept waiting by what makes the first use of tables faster.
        runtime.rehearse_tables()
    program = _next_program()
    _limit(program.limits, kept=program.kept)
    if len(os.listdir("/proc/self/task")) != 1:
        raise RuntimeError("a library started a thread, which no filter would hold")
    kernel.filter_system_calls(filters[program.limits.processes > 0])
    if not program.kept:
        if not program.tools:
            os.close(CHANNEL)
        leave(_run(program, None))
    namespace = runtime.new_namespace()
    while True:
        code = _run(program, namespace)
        write_all(CHANNEL, frame(DONE, str(code).encode()))
        program = _next_program()


def _run(program: GuestProgram, namespace: dict[str, object] | None) -> int:
    tools = SocketChannel(CHANNEL) if program.tools else None
    context = program.context
    return runtime.run(program.code, namespace=namespace, tools=tools, tool_names=program.tools, context=context)


def _next_program() -> GuestProgram:
    kind, payload = read_frame(CHANNEL, LARGEST_PROGRAM)
    if kind != REQUEST:
        raise BadFrame(f"{kind!r} in place of a request")
    return GuestProgram.read(payload)


def _own_descriptors(channel: int, output: int, errors: int) -> None:
    os.setsid()
    # Moved up first, so that no number is overwritten before it is copied.
    moved = [os.dup(descriptor) for descriptor in (channel, output, errors)]
    empty = os.open("/dev/null", os.O_RDONLY)
    for number, descriptor in ((0, empty), (1, moved[1]), (2, moved[2]), (CHANNEL, moved[0])):
        os.dup2(descriptor, number, inheritable=number != CHANNEL)
    os.closerange(CHANNEL + 1, 4096)


def _wall_in(readable: Sequence[str]) -> None:
    # When memory runs out, the kernel takes this process first.
    with open("/proc/self/oom_score_adj", "w", encoding="ascii") as written:
        written.write("1000")
    # Of its own, so that RLIMIT_NPROC counts this execution only; and the monitor lies outside of it.
    kernel.unshare(kernel.NEW_USER)
    map_user(0, 0, inner=INNER_USER)
    kernel.give_up_capabilities()
    kernel.set_option(kernel.PR_SET_NO_NEW_PRIVS, 1)
    landlock.restrict(
        [*readable, "/proc", "/etc", *_DEVICES],
        [root_filesystem.WORKSPACE, root_filesystem.TEMPORARY, "/dev/null"],
    )
    os.chdir(root_filesystem.WORKSPACE)
    gc.enable()


def _limit(limits: ExecutionLimits, *, kept: bool) -> None:
    with open("/proc/self/statm", encoding="ascii") as sizes:
        mapped = int(sizes.read().split()[0]) * resource.getpagesize()
    addresses = mapped + 2 * limits.memory_bytes + _SPARE_ADDRESSES
    rules = {
        resource.RLIMIT_AS: addresses,
        resource.RLIMIT_NPROC: limits.threads,
        resource.RLIMIT_NOFILE: limits.open_files,
        resource.RLIMIT_FSIZE: limits.disk_bytes,
        # Not 0, with which the kernel still starts a machine's program for core dumps (core(5)); with 1 it does not.
        resource.RLIMIT_CORE: 1,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_STACK: 8 * _MIB,
        resource.RLIMIT_SIGPENDING: 256,
        resource.RLIMIT_NICE: 0,
        resource.RLIMIT_RTPRIO: 0,
    }
    if not kept:
        # The monitor measures; this holds should it be slow. A kept guest has the sum of many calls.
        rules[resource.RLIMIT_CPU] = int(limits.cpu_s) + 2
    for rule, most in rules.items():
        _, hard = resource.getrlimit(rule)
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        # A second more of processor time, to write out what was printed.
        resource.setrlimit(rule, (value, value + (rule == resource.RLIMIT_CPU and value != hard)))
    # A pipe without readers ends a program quietly, as in a shell; a file that grew too large raises OSError.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.argv = ["<code>"]
