"""Numbers of the system calls that a filter names, by architecture.

x86_64: arch/x86/entry/syscalls/syscall_64.tbl. aarch64: include/uapi/asm-generic/unistd.h, which has no calls that
newer ones made superfluous (`open`, `fork`); this table was written from it and has not been run.
"""


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
