"""The system calls a guest may make: an allow-list as a BPF program of our own (`seccomp(2)`, classic BPF).

What always gets the same answer is remembered by the kernel (a bitmap, since 5.11), so such a call costs no run of the
program; the calls whose arguments count come first, then the others, the most frequent ahead.
"""

import errno
import struct
from collections.abc import Mapping, Sequence

from .kernel import NEW_CGROUP, NEW_IPC, NEW_MOUNTS, NEW_NETWORK, NEW_PIDS, NEW_TIME, NEW_USER, NEW_UTS
from .system_call_numbers import AARCH64, X86_64

_ALWAYS = """
read write futex munmap close newfstatat openat fstat lseek brk mprotect madvise rt_sigaction rt_sigprocmask
readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 open openat2 creat stat lstat statx statfs
fstatfs access faccessat faccessat2 getdents getdents64 getcwd chdir fchdir rename renameat renameat2 mkdir mkdirat
rmdir unlink unlinkat link linkat symlink symlinkat readlink readlinkat chmod fchmod fchmodat fchmodat2 umask truncate
ftruncate fallocate getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr fsync fdatasync sync_file_range
fadvise64 utime utimes utimensat futimesat copy_file_range sendfile dup dup2 dup3 pipe pipe2 eventfd
eventfd2 poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 mremap
msync rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack kill tgkill tkill getpid
getppid gettid getuid geteuid getgid getegid getgroups getresuid getresgid getpgrp getpgid getsid setsid setpgid
sched_yield sched_getaffinity sched_getparam sched_getscheduler getcpu getpriority futex_waitv set_robust_list
set_tid_address rseq exit exit_group wait4 waitid restart_syscall nanosleep clock_nanosleep clock_gettime
clock_getres gettimeofday time times getrusage getitimer setitimer alarm pause uname sysinfo getrandom getrlimit
getsockopt getsockname getpeername shutdown
"""
ALLOWED = tuple(_ALWAYS.split())
"""Whatever their arguments. Not among them, because nobody is charged for its memory: `memfd_create`, `shmget`;
because it makes kernel objects that data analysis has no use for: `socket`, `io_uring_setup`, `bpf`, `splice`,
`setsockopt` (filters), `mknod`; because it reaches other processes: `ptrace`, `process_vm_readv`,
`pidfd_open`, `setpriority`, `sched_setaffinity`; because descriptors in flight are counted for the user and not for the
execution: `sendmsg`, `recvmsg`; because it shows or holds up what others do with the same files:
`inotify_init`, `mincore`, `flock`."""

WITH_PROCESSES = ("fork", "vfork", "execve", "execveat", "arch_prctl")
"""Besides, where child processes are allowed."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_KILL, _ALLOW, _ERROR = 0x8000_0000, 0x7FFF_0000, 0x0005_0000
_NUMBER, _ARCHITECTURE = 0, 4
_FIRST_X32 = 0x4000_0000
_NAMESPACES = NEW_MOUNTS | NEW_CGROUP | NEW_UTS | NEW_IPC | NEW_USER | NEW_PIDS | NEW_NETWORK | NEW_TIME
_FILES, _THREAD = 0x400, 0x0001_0000
_AF_UNIX, _OUT_OF_BAND = 1, 1
_UNSHARE = 2
_MAP_SHARED, _MAP_ANONYMOUS = 0x01, 0x20
_RLIMIT_CORE = 4
# Of a terminal only what `isatty` and `get_terminal_size` ask: no TIOCSTI, which types for its user.
_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# F_SETLEASE and F_NOTIFY watch what others do with a file; what F_SETPIPE_SZ takes is charged to the user, not to the
# execution, and makes the pipes of others small. F_SETOWN, F_SETSIG and F_SETOWN_EX have the kernel send a signal when
# a pipe is read: by SIGCONT, processes of a kept session would go on after they were stopped.
_FCNTLS = (8, 10, 15, 1024, 1026, 1031)
# PR_SET_PDEATHSIG, PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS.
_PRCTLS = (1, 3, 15, 16, 38, 39)

ARCHITECTURES: Mapping[str, tuple[int, Mapping[str, int]]] = {
    "x86_64": (0xC000_003E, X86_64),
    "aarch64": (0xC000_00B7, AARCH64),
}
"""By `os.uname().machine`: its number (linux/audit.h) and its table."""


def program(machine: str, *, processes: bool) -> bytes:
    """The filter of a guest. `KeyError` for a machine that has no table."""
    architecture, numbers = ARCHITECTURES[machine]
    parts = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, architecture, 1, 0),
        _answer(_KILL),
        _step(_LOAD, _NUMBER),
        # x32 calls are other numbers of the same architecture.
        _step(_AT_LEAST, _FIRST_X32, 0, 1),
        _answer(_KILL),
        # glibc falls back to `clone`, whose flags a filter can see.
        _when(numbers["clone3"], _refuse(errno.ENOSYS)),
        _when(numbers["clone"], _clone(processes=processes)),
        _when(numbers["ioctl"], _one_of(1, _IOCTLS, errno.ENOTTY)),
        _when(numbers["prctl"], _one_of(0, _PRCTLS, errno.EPERM)),
        _when(numbers["mmap"], _mapping()),
        _when(numbers["fcntl"], _none_of(1, _FCNTLS, errno.EPERM)),
        _when(numbers["prlimit64"], _limits()),
        _when(numbers["setrlimit"], _none_of(0, (_RLIMIT_CORE,), errno.EPERM)),
        _when(numbers["socketpair"], _one_of(0, (_AF_UNIX,), errno.EACCES)),
        _when(numbers["socket"], _refuse(errno.EACCES)),
        # Out-of-band data of unix sockets is a part of the kernel that has had its faults, and that nothing needs.
        _when(numbers["sendto"], _no_bit(3, _OUT_OF_BAND)),
        _when(numbers["recvfrom"], _no_bit(3, _OUT_OF_BAND)),
        _when(numbers["close_range"], _no_bit(2, _UNSHARE)),
    ]
    names = [*ALLOWED, *(WITH_PROCESSES if processes else ())]
    parts += [_when(numbers[name], _answer(_ALLOW)) for name in names if name in numbers]
    return b"".join([*parts, _refuse(errno.EPERM)])


def _clone(*, processes: bool) -> bytes:
    """Threads, which share the descriptors: with a table for each, `RLIMIT_NOFILE` would count for each, and so what
    sockets and pipes hold, which is nobody's memory. Processes where allowed; never a namespace."""
    thread = _step(_ANY_BIT, _FILES, 1, 0) + _refuse(errno.EPERM) + _answer(_ALLOW)
    process = _answer(_ALLOW) if processes else _refuse(errno.EPERM)
    no_namespace = _load_argument(0) + _step(_ANY_BIT, _NAMESPACES, 0, 1) + _refuse(errno.EPERM)
    return no_namespace + _step(_ANY_BIT, _THREAD, 0, len(thread) // 8) + thread + process


def _mapping() -> bytes:
    """Of memory that is shared and no file's, a process can let go (`madvise`) without giving it back: then it shows in
    no count. Files do as well; those in tmpfs are counted."""
    anonymous = _step(_ANY_BIT, _MAP_SHARED, 0, 1) + _refuse(errno.EPERM)
    return _load_argument(3) + _step(_ANY_BIT, _MAP_ANONYMOUS, 0, len(anonymous) // 8) + anonymous + _answer(_ALLOW)


def _limits() -> bytes:
    """Of its own limits only: the monitor has the same user. And not of core dumps, see `guest`."""
    own = _load_argument(0) + _step(_EQUAL, 0, 1, 0) + _refuse(errno.EPERM)
    return own + _none_of(1, (_RLIMIT_CORE,), errno.EPERM)


def _one_of(argument: int, values: Sequence[int], otherwise: int) -> bytes:
    allowed = [_when(value, _answer(_ALLOW)) for value in values]
    return b"".join([_load_argument(argument), *allowed, _refuse(otherwise)])


def _none_of(argument: int, values: Sequence[int], otherwise: int) -> bytes:
    return b"".join(
        [_load_argument(argument), *(_when(value, _refuse(otherwise)) for value in values), _answer(_ALLOW)]
    )


def _no_bit(argument: int, bit: int) -> bytes:
    return _load_argument(argument) + _step(_ANY_BIT, bit, 0, 1) + _refuse(errno.EPERM) + _answer(_ALLOW)


def _load_argument(position: int) -> bytes:
    # The low half: the kernel reads these arguments as 32 bits too.
    return _step(_LOAD, 16 + 8 * position)


def _when(value: int, then: bytes) -> bytes:
    return _step(_EQUAL, value, 0, len(then) // 8) + then


def _refuse(number: int) -> bytes:
    return _answer(_ERROR | number)


def _answer(action: int) -> bytes:
    return _step(_RETURN, action)


def _step(operation: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", operation, if_true, if_false, value)
