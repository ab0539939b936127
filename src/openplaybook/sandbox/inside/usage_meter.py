"""What the processes of one execution use, without cgroups: read from /proc and from the clocks of the kernel."""

import os
import resource
import time

from . import root_filesystem
from .execution_limits import ExecutionLimits

_MONITOR = 1
_START_OF_STACK = 27
"""Position in /proc/PID/stat of the address of the stack, counted from 0 (proc_pid_stat(5), field 28)."""
_TIMES = slice(11, 15)
"""There, behind the name: utime, stime, cutime, cstime (fields 14 to 17), in ticks."""
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_HELD = (b"\nRssAnon:", b"\nRssShmem:", b"\nVmSwap:", b"\nHugetlbPages:")
_HELD_IN_PART = (b"\nPss_Anon:", b"\nPss_Shmem:", b"\nSwapPss:", b"\nPrivate_Hugetlb:", b"\nShared_Hugetlb:")
_PATIENCE_S, _SHORT_PATIENCE_S = 0.1, 0.02
"""For adding up shared pages exactly, of all processes and of some."""


class UsageMeter:
    """Of the guest and all it has started. Made while the guest still waits: what it has inherited then is not its."""

    def __init__(self, guest: int) -> None:
        self._guest = guest
        self._inherited = _anonymous(guest)
        self._stack = _start_of_stack(guest)
        self._clocks: dict[int, float] = {}
        self._earlier = 0.0
        self._several = False
        self._seen: dict[int, tuple[float, int]] = {}
        """By process, when it was looked at closely, and what it held."""
        self.pressed = False
        """More than half of the memory was in use at the last look."""
        self.before_s = self._total()
        """Processor time that is not the execution's: of those before it, and of getting ready."""

    def begin(self, limits: ExecutionLimits) -> None:
        """From here on processor time counts for the next execution."""
        # Who was allowed children once may still have some.
        self._several |= limits.processes > 0
        self.before_s = self._total()

    def cpu_s(self) -> float:
        """Processor time of all processes, those included that ended since (as last seen)."""
        return self._total() - self.before_s

    def exceeded(self, limits: ExecutionLimits) -> str:
        """The limit that is exceeded: `memory`, `cpu`, `processes`; empty: none."""
        self._reap_orphans()
        processes = _processes() if self._several else [self._guest]
        self._look_at_clocks(processes)
        if self.cpu_s() > limits.cpu_s:
            return "cpu"
        if len(processes) > limits.processes + 1:
            return "processes"
        return "memory" if self._holds_more(processes, limits.memory_bytes) else ""

    def _holds_more(self, processes: list[int], most: int) -> bool:
        files = _in_files()
        resident = [_anonymous(process) for process in processes]
        own = [max(0, size - self._shared(process)) for process, size in zip(processes, resident, strict=True)]
        used = files + sum(own)
        self.pressed = used > most // 2
        if len(processes) == 1:
            return used > most
        if used > most:
            # A page that forked processes share was counted once for each. Where that can be the reason, look closer.
            return _proportional(processes, most + self._inherited - files) is None
        # A child may have let go of what it inherited, and have as much of its own that was not counted.
        suspected = files + sum(resident) > most + self._inherited
        return suspected and self._hides_more(processes, most + self._inherited - files)

    def _hides_more(self, processes: list[int], most: int) -> bool:
        """Looks closer at some of the processes each time, those first that were looked at longest ago; at all of them
        where that adds up to too much."""
        self._seen = {process: self._seen[process] for process in processes if process in self._seen}
        until = time.monotonic() + _SHORT_PATIENCE_S
        for process in sorted(processes, key=lambda each: self._seen.get(each, (0.0, 0))):
            self._seen[process] = time.monotonic(), _share(process)
            if time.monotonic() > until:
                break
        return sum(size for _, size in self._seen.values()) > most and _proportional(processes, most) is None

    def _shared(self, process: int) -> int:
        """What a process has from the warm interpreter: it lies in memory where the guest lies unless it is another
        program."""
        return self._inherited if process == self._guest or _start_of_stack(process) == self._stack else 0

    def _look_at_clocks(self, processes: list[int]) -> None:
        for process in processes:
            now = _clock(process)
            before = self._clocks.get(process, 0.0)
            if now < before:
                # Another process with the number of one that ended.
                self._earlier += before
            self._clocks[process] = now if now else before

    def _total(self) -> float:
        self._look_at_clocks([self._guest])
        measured = self._earlier + sum(self._clocks.values())
        # Processes that were born and died between two looks are in the kernel's sums only.
        return max(measured, _spent(_processes())) if self._several else measured

    def _reap_orphans(self) -> None:
        """Processes whose parent ended are children of pid 1; only the guest is left for its monitor."""
        while True:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return
            if ended is None or ended.si_pid == self._guest:
                return
            os.waitpid(ended.si_pid, 0)


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != _MONITOR]


def _clock(process: int) -> float:
    """Processor time of a process, by the clock that the kernel has for it (clock_getcpuclockid(3)); 0 when gone."""
    try:
        return time.clock_gettime(~process << 3 | 2)
    except OSError:
        return 0.0


def _spent(processes: list[int]) -> float:
    """Processor time of processes, of the children they have waited for, and of all that this one has waited for; in
    steps of a clock tick, each process's a little less than it is."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    ticks = 0
    for process in processes:
        # The name of the program, in parentheses, may hold anything.
        fields = _content(f"/proc/{process}/stat").rpartition(b")")[2].split()
        ticks += sum(int(field) for field in fields[_TIMES])
    return ended.ru_utime + ended.ru_stime + ticks / _TICKS_PER_S


def _anonymous(process: int) -> int:
    """Bytes of memory that is no file's: its own pages and shared ones, those that were swapped out (a process can ask
    for that) and huge ones. Not in `statm`, which counts shared ones as files and the last two not at all."""
    status = _of_a_living_thread(process, "status", _HELD[0])
    return sum(_kib(status, name) for name in _HELD)


def _share(process: int) -> int:
    """The same, with each page that is shared divided by those who share it."""
    try:
        rollup = _of_a_living_thread(process, "smaps_rollup", _HELD_IN_PART[0])
    except PermissionError:
        # A program that may not be read hides this.
        return _anonymous(process)
    return sum(_kib(rollup, name) for name in _HELD_IN_PART)


def _of_a_living_thread(process: int, file: str, memory_line: bytes) -> bytes:
    """What a process tells of its memory. Where its first thread has ended, another still has it."""
    content = _content(f"/proc/{process}/{file}")
    if memory_line in content:
        return content
    until = time.monotonic() + _SHORT_PATIENCE_S
    # Again, where threads follow each other so quickly that each is gone before it is asked.
    while len(threads := _threads(process)) > 1 and time.monotonic() < until:
        for thread in reversed(threads):
            content = _content(f"/proc/{thread}/{file}")
            if memory_line in content:
                return content
    return b""


def _threads(process: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{process}/task")
    except (FileNotFoundError, ProcessLookupError):
        return []


def _proportional(processes: list[int], most: int) -> int | None:
    """Bytes held with each shared page divided by those who share it; None when it is more than `most`, or when the
    processes made finding out too expensive."""
    until = time.monotonic() + _PATIENCE_S
    total = 0
    for process in processes:
        total += _share(process)
        if total > most or time.monotonic() > until:
            return None
    return total


def _kib(status: bytes, name: bytes) -> int:
    """The number after a name, which is one of KiB, in bytes; 0 where it is not there."""
    at = status.find(name)
    return int(status[at + len(name) :].split(None, 1)[0]) * 1024 if at >= 0 else 0


def _content(path: str) -> bytes:
    """A short file of /proc; empty when its process is gone. Read without the layers of `open`, which would touch, and
    so copy, a megabyte of the memory that is shared with the warm interpreter."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except (FileNotFoundError, ProcessLookupError):
        return b""
    try:
        return os.read(descriptor, 4096)
    except ProcessLookupError:
        return b""
    finally:
        os.close(descriptor)


def _start_of_stack(process: int) -> int:
    # The name of the program, in parentheses, may hold anything.
    fields = _content(f"/proc/{process}/stat").rpartition(b")")[2].split()
    return int(fields[_START_OF_STACK - 2]) if fields else 0


def _in_files() -> int:
    sizes = [os.statvfs(folder) for folder in (root_filesystem.WORKSPACE, root_filesystem.TEMPORARY)]
    return sum((size.f_blocks - size.f_bfree) * size.f_frsize for size in sizes)
