"""The system calls a guest may make: an allow-list as a BPF program of our own (`seccomp(2)`, classic BPF).

What always gets the same answer is remembered by the kernel (a bitmap, since 5.11), so such a call costs no run of the
program; the calls whose arguments count come first, then the others, the most frequent ahead.
"""

import errno
import struct
from collections.abc import Mapping, Sequence

from .kernel import NEW_CGROUP, NEW_IPC, NEW_MOUNTS, NEW_NETWORK, NEW_PIDS, NEW_TIME, NEW_USER, NEW_UTS

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


def _table(text: str) -> dict[str, int]:
    return {name: int(number) for name, _, number in (each.partition("=") for each in text.split())}


X86_64 = _table("""
read=0 write=1 futex=202 mmap=9 munmap=11 close=3 newfstatat=262 openat=257 fstat=5 lseek=8 brk=12 mprotect=10
madvise=28 rt_sigaction=13 rt_sigprocmask=14 readv=19 writev=20 pread64=17 pwrite64=18 preadv=295 pwritev=296
preadv2=327 pwritev2=328 open=2 openat2=437 creat=85 close_range=436 stat=4 lstat=6 statx=332 statfs=137 fstatfs=138
access=21 faccessat=269 faccessat2=439 getdents=78 getdents64=217 getcwd=79 chdir=80 fchdir=81 rename=82
renameat=264 renameat2=316 mkdir=83 mkdirat=258 rmdir=84 unlink=87 unlinkat=263 link=86 linkat=265 symlink=88
symlinkat=266 readlink=89 readlinkat=267 chmod=90 fchmod=91 fchmodat=268 umask=95 truncate=76 ftruncate=77
fallocate=285 getxattr=191 lgetxattr=192 fgetxattr=193 listxattr=194 llistxattr=195 flistxattr=196 fsync=74
fdatasync=75 sync_file_range=277 fadvise64=221 utime=132 utimes=235 utimensat=280 futimesat=261 flock=73
copy_file_range=326 sendfile=40 dup=32 dup2=33 dup3=292 pipe=22 pipe2=293 fcntl=72 eventfd=284 eventfd2=290 poll=7
ppoll=271 select=23 pselect6=270 epoll_create=213 epoll_create1=291 epoll_ctl=233 epoll_wait=232 epoll_pwait=281
epoll_pwait2=441 mremap=25 msync=26 mincore=27 membarrier=324 rt_sigreturn=15 rt_sigpending=127 rt_sigsuspend=130
rt_sigtimedwait=128 sigaltstack=131 kill=62 tgkill=234 tkill=200 getpid=39 getppid=110 gettid=186 getuid=102
geteuid=107 getgid=104 getegid=108 getgroups=115 getresuid=118 getresgid=120 getpgrp=111 getpgid=121 getsid=124
setsid=112 setpgid=109 sched_yield=24 sched_getaffinity=204 sched_getparam=143 sched_getscheduler=145 getcpu=309
getpriority=140 futex_waitv=449 set_robust_list=273 set_tid_address=218 rseq=334 arch_prctl=158 exit=60
exit_group=231 wait4=61 waitid=247 restart_syscall=219 nanosleep=35 clock_nanosleep=230 clock_gettime=228
clock_getres=229 gettimeofday=96 time=201 times=100 getrusage=98 getitimer=36 setitimer=38 alarm=37 pause=34
uname=63 sysinfo=99 getrandom=318 getrlimit=97 setrlimit=160 sendto=44 recvfrom=45 sendmsg=46 recvmsg=47
getsockopt=55 getsockname=51 getpeername=52 shutdown=48 fork=57 vfork=58 execve=59 execveat=322 clone=56 clone3=435
ioctl=16 prctl=157 prlimit64=302 socket=41 socketpair=53 fchmodat2=452
""")

"""Numbers of the calls that a filter names (arch/x86/entry/syscalls/syscall_64.tbl)."""

AARCH64 = _table("""
read=63 write=64 futex=98 mmap=222 munmap=215 close=57 newfstatat=79 openat=56 fstat=80 lseek=62 brk=214
mprotect=226 madvise=233 rt_sigaction=134 rt_sigprocmask=135 readv=65 writev=66 pread64=67 pwrite64=68 preadv=69
pwritev=70 preadv2=286 pwritev2=287 openat2=437 close_range=436 statx=291 statfs=43 fstatfs=44 faccessat=48
faccessat2=439 getdents64=61 getcwd=17 chdir=49 fchdir=50 renameat=38 renameat2=276 mkdirat=34 unlinkat=35 linkat=37
symlinkat=36 readlinkat=78 fchmod=52 fchmodat=53 umask=166 truncate=45 ftruncate=46 fallocate=47 getxattr=8
lgetxattr=9 fgetxattr=10 listxattr=11 llistxattr=12 flistxattr=13 fsync=82 fdatasync=83 sync_file_range=84
fadvise64=223 utimensat=88 flock=32 copy_file_range=285 sendfile=71 dup=23 dup3=24 pipe2=59 fcntl=25 eventfd2=19
ppoll=73 pselect6=72 epoll_create1=20 epoll_ctl=21 epoll_pwait=22 epoll_pwait2=441 mremap=216 msync=227 mincore=232
membarrier=283 rt_sigreturn=139 rt_sigpending=136 rt_sigsuspend=133 rt_sigtimedwait=137 sigaltstack=132 kill=129
tgkill=131 tkill=130 getpid=172 getppid=173 gettid=178 getuid=174 geteuid=175 getgid=176 getegid=177 getgroups=158
getresuid=148 getresgid=150 getpgid=155 getsid=156 setsid=157 setpgid=154 sched_yield=124 sched_getaffinity=123
sched_getparam=121 sched_getscheduler=120 getcpu=168 getpriority=141 futex_waitv=449 set_robust_list=99
set_tid_address=96 rseq=293 exit=93 exit_group=94 wait4=260 waitid=95 restart_syscall=128 nanosleep=101
clock_nanosleep=115 clock_gettime=113 clock_getres=114 gettimeofday=169 times=153 getrusage=165 getitimer=102
setitimer=103 uname=160 sysinfo=179 getrandom=278 getrlimit=163 setrlimit=164 sendto=206 recvfrom=207 sendmsg=211
recvmsg=212 getsockopt=209 getsockname=204 getpeername=205 shutdown=210 execve=221 execveat=281 clone=220 clone3=435
ioctl=29 prctl=167 prlimit64=261 socket=198 socketpair=199 fchmodat2=452
""")
"""The same of include/uapi/asm-generic/unistd.h, which has no calls that newer ones made superfluous (`open`, `fork`);
this table was written from it and has not been run."""

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
