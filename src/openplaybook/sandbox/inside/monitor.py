"""Pid 1 of one execution, or of the executions of a kept session: trusted, and alone with the guest.

Makes file systems for the guest and forks it, then waits. With the first request come the limits; from then on it has
no capabilities either. All the guest starts lives in the same pid namespace, so one signal ends it, and so does the
end of this process: when the client closes its socket, when the zygote dies, when the server does.
"""

import json
import os
import signal
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from . import guest, kernel, root_filesystem
from .execution_limits import ExecutionLimits
from .file_transfer import CollectedFiles, Known, collect, place
from .frames import (
    FAILED,
    REQUEST,
    RESULT,
    STANDS,
    BadFrame,
    frame,
    read_exactly,
    read_frame,
    write_all,
)
from .guest_watch import ClientGone, Guest, GuestWatch, kill_all, stop_all
from .usage_meter import UsageMeter
from .wall_messages import MonitorRequest

STANDING = b"."
"""What a monitor says, when asked, where its walls and those of its guest stand; anything else is why they do not."""
_FIRST_DISK_BYTES, _FIRST_INODES = 64 * 1024 * 1024, 4096


def main(lead_descriptor: int, filters: Mapping[bool, bytes], readable: Sequence[str]) -> None:
    """From the fork to the end of the execution or the session."""
    kernel.set_option(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    # The control socket and the other monitors' sockets are the zygote's.
    os.closerange(3, lead_descriptor)
    os.closerange(lead_descriptor + 1, 4096)
    # With a handler of its own, pid 1 could be signalled by its namespace.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    waiting, why = None, ""
    try:
        waiting = _make_guest(filters, readable)
    except (OSError, EOFError, BadFrame) as error:
        why = str(error)
    with socket.socket(fileno=lead_descriptor) as lead:
        client = _client(lead, why)
    if client is None:
        return
    try:
        if waiting is None:
            raise OSError(why)
        Monitor(waiting, client, filters[False]).serve()
    except ClientGone:
        return
    except Exception as error:  # noqa: BLE001 (told to the client, and the end of all in here)
        write_all(client, frame(FAILED, f"{type(error).__name__}: {error}".encode()[:4096]))


def _client(lead: socket.socket, why: str) -> int | None:
    """The socket of the client, once the zygote has one; None when there is no zygote any more. Says how things stand
    when it is asked before."""
    while True:
        message, descriptors, _, _ = socket.recv_fds(lead, 1, 1, socket.MSG_CMSG_CLOEXEC)
        if descriptors:
            return descriptors[0]
        if not message:
            return None
        lead.send(why.encode()[:4096] or STANDING)


def _make_guest(filters: Mapping[bool, bytes], readable: Sequence[str]) -> Guest:
    kernel.unshare(kernel.NEW_MOUNTS | kernel.NEW_IPC | kernel.NEW_UTS)
    root_filesystem.mount_scratch(_FIRST_DISK_BYTES, _FIRST_INODES)
    root_filesystem.mount_proc("subset=pid")
    os.chdir(root_filesystem.WORKSPACE)
    ours, channel = socket.socketpair()
    output, into_output = os.pipe()
    errors, into_errors = os.pipe()
    pid = os.fork()
    if pid == 0:
        # Whatever happens, a guest never comes back into its monitor.
        try:
            guest.main(channel.fileno(), into_output, into_errors, readable, filters)
        except Exception as error:  # noqa: BLE001 (told to the monitor while it listens, and then to who reads stderr)
            reason = f"{type(error).__name__}: {error}".encode()[:4096]
            os.write(2, reason)
            os.write(guest.CHANNEL, frame(FAILED, reason))
        finally:
            os._exit(1)
    # Not before: a guest of a process that hides itself could not write its maps.
    kernel.set_option(kernel.PR_SET_DUMPABLE, 0)
    for descriptor in (channel.detach(), into_output, into_errors):
        os.close(descriptor)
    kind, reason = read_frame(ours.fileno())
    if kind != STANDS:
        raise OSError(reason.decode(errors="replace"))
    # What is there to read may be gone before it is read: a guest can open its own pipes, too.
    for descriptor in (ours.fileno(), output, errors):
        os.set_blocking(descriptor, False)
    return Guest(pid, os.pidfd_open(pid), ours.detach(), output, errors)


@dataclass(slots=True)
class Monitor:
    """Runs requests in a guest, one after the other."""

    guest: Guest
    client: int
    filter: bytes
    """The system calls that this process is left with."""
    meter: UsageMeter = field(init=False)
    known: Known = field(default_factory=Known)
    runs: int = 0

    def __post_init__(self) -> None:
        self.meter = UsageMeter(self.guest.pid)

    def serve(self) -> None:
        """Until the client leaves or the guest is dead."""
        while True:
            kind, payload = self._next()
            started = time.monotonic()
            if kind != REQUEST:
                raise ValueError(f"{kind!r} in place of a request")
            if not self._run(MonitorRequest.read(payload), started):
                return

    def _next(self) -> tuple[bytes, bytes]:
        try:
            return read_frame(self.client)
        except EOFError:
            raise ClientGone from None

    def _run(self, request: MonitorRequest, started: float) -> bool:
        """Whether the guest lives on."""
        if self.runs == 0:
            self._close_in(request.limits)
        for name, size in request.files:
            place(root_filesystem.WORKSPACE, name, read_exactly(self.client, size), self.known)
        program = read_exactly(self.client, request.program)
        watch = GuestWatch(self.guest, self.client, request.limits, self.meter, tools=request.tools, kept=request.kept)
        self.meter.begin(request.limits)
        if self.runs:
            os.kill(-1, signal.SIGCONT)
        self.runs += 1
        watch.run(frame(REQUEST, program), started + request.limits.wall_s)
        lives = watch.ended == "exit" and watch.waits_for_more and stop_all(self.guest.pid)
        cpu_s = self.meter.cpu_s()
        if not lives:
            kill_all()
            watch.exit_code, cpu_s = self._bury(watch, cpu_s)
        watch.drain()
        collected = collect(root_filesystem.WORKSPACE, request.limits, self.known)
        self.known = collected.known
        self._answer(watch, collected, lives=lives, cpu_s=cpu_s, wall_s=time.monotonic() - started)
        return lives

    def _close_in(self, limits: ExecutionLimits) -> None:
        """The last that needs power over mounts; from then on a monitor can do no more than a guest."""
        sizes = limits.disk_bytes, limits.inodes
        if sizes != (_FIRST_DISK_BYTES, _FIRST_INODES):
            root_filesystem.mount_scratch(*sizes, again=True)
        kernel.give_up_capabilities()
        kernel.set_option(kernel.PR_SET_NO_NEW_PRIVS, 1)
        kernel.filter_system_calls(self.filter)

    def _bury(self, watch: GuestWatch, cpu_s: float) -> tuple[int | None, float]:
        """Wait for the end of every process: only then is there nobody to race with."""
        code = watch.exit_code
        used = 0.0
        while True:
            try:
                pid, status, usage = os.wait4(-1, 0)
            except ChildProcessError:
                break
            used += usage.ru_utime + usage.ru_stime
            if pid == self.guest.pid and not watch.waits_for_more:
                code = os.waitstatus_to_exitcode(status)
        if self.runs == 1:
            # Children that came and went between two looks are in the kernel's sum.
            cpu_s = max(cpu_s, used - self.meter.before_s)
        if code == -signal.SIGXCPU and watch.ended == "exit":
            watch.ended = "cpu"
        return code if watch.ended == "exit" else None, cpu_s

    def _answer(
        self, watch: GuestWatch, collected: CollectedFiles, *, lives: bool, cpu_s: float, wall_s: float
    ) -> None:
        output, errors = watch.streams.values()
        if watch.misused:
            errors.take(f"{watch.misused}\n".encode())
        head = {
            "ended": watch.ended,
            "exit_code": watch.exit_code,
            "kept": lives,
            "stdout": len(output.kept),
            "stderr": len(errors.kept),
            "files": [(name, len(data)) for name, data in collected.files],
            "skipped": collected.skipped,
            "dropped": output.dropped + errors.dropped,
            "cpu_s": round(cpu_s, 4),
            "wall_s": round(wall_s, 4),
        }
        parts = [bytes(output.kept), bytes(errors.kept), *(data for _, data in collected.files)]
        write_all(self.client, frame(RESULT, json.dumps(head).encode()), *parts)
