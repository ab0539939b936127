"""Tries every wall, each in a process of its own, and prints what came of it as JSON. Uses the standard library only.

Run by `probe`, as the user and with the restrictions of the server: what fails here would fail there.
"""

import errno
import json
import os
import sys
from collections.abc import Callable

from openplaybook.sandbox.inside import kernel, landlock, seccomp

NOBODY = 65534
_SETTINGS = (
    "kernel/unprivileged_userns_clone",
    "kernel/apparmor_restrict_unprivileged_userns",
    "user/max_user_namespaces",
    "user/max_pid_namespaces",
    "user/max_net_namespaces",
    "user/max_mnt_namespaces",
    "user/max_ipc_namespaces",
    "user/max_uts_namespaces",
    "user/max_cgroup_namespaces",
)
_PLACES = ("/mnt", "/srv", "/media", "/opt", "/tmp")
_SMALL = 64 * 1024
_PROC_FLAGS = kernel.NO_SUID | kernel.NO_DEVICES | kernel.NO_EXEC


class Unlike(Exception):
    """The kernel took a call and did something else."""


def main() -> None:
    """Print `{attempts: {NAME: {ok, errno, detail}}, settings: {NAME: VALUE}}`."""
    attempts = {name: _attempt(action) for name, action in ATTEMPTS.items()}
    settings = {name: value for name in _SETTINGS if (value := _setting(name))}
    json.dump({"attempts": attempts, "settings": settings}, sys.stdout)


def _setting(name: str) -> str:
    try:
        with open(f"/proc/sys/{name}") as file:
            return file.read().strip()
    except OSError:
        return ""


def _attempt(action: Callable[[], str]) -> dict[str, object]:
    """What came of an action in a child process, whatever it does to that."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        os.write(writing, json.dumps(_outcome(action)).encode())
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        report = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return json.loads(report) if report else {"ok": False, "errno": 0, "detail": f"ended with {status}"}


def _outcome(action: Callable[[], str]) -> dict[str, object]:
    try:
        return {"ok": True, "errno": 0, "detail": action()}
    except OSError as error:
        name = errno.errorcode.get(error.errno or 0, "")
        return {"ok": False, "errno": error.errno or 0, "detail": f"{error.strerror} ({name})" if name else str(error)}
    except (Unlike, KeyError) as error:
        return {"ok": False, "errno": 0, "detail": str(error)}


def _expect_refused(action: Callable[[], object], *numbers: int) -> None:
    """The action has to fail with one of these errors."""
    try:
        action()
    except OSError as error:
        if error.errno in numbers:
            return
        raise
    raise Unlike("was accepted but has no effect")


def _unprivileged_user() -> str:
    if os.geteuid() != 0:
        return f"started as uid {os.geteuid()}"
    _become_nobody()
    _expect_refused(lambda: os.setuid(0), errno.EPERM)
    return f"started as root, becomes uid {NOBODY}"


def _become_nobody() -> None:
    if os.geteuid() != 0:
        return
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    # Its own files in /proc belong to root otherwise.
    kernel.set_option(kernel.PR_SET_DUMPABLE, 1)


def _no_new_privileges() -> str:
    kernel.set_option(kernel.PR_SET_NO_NEW_PRIVS, 1)
    return "set permanently"


def _seccomp() -> str:
    program = seccomp.program(os.uname().machine, processes=False)
    kernel.set_option(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.filter_system_calls(program)
    _expect_refused(os.fork, errno.EPERM)
    return f"a filter of {len(program) // 8} steps holds"


def _landlock() -> str:
    version = kernel.landlock_version()
    kernel.set_option(kernel.PR_SET_NO_NEW_PRIVS, 1)
    landlock.restrict([], [])
    _expect_refused(lambda: os.open("/", os.O_RDONLY), errno.EACCES)
    return f"ABI {version}"


def _user_namespace() -> str:
    _become_nobody()
    kernel.unshare(kernel.NEW_USER)
    return "can be made"


def _mapping() -> str:
    _enter_user_namespace()
    if (os.getuid(), os.getgid()) != (0, 0):
        raise Unlike(f"the user is {os.getuid()}, not 0, in it")
    return "one user and one group"


def _enter_user_namespace(flags: int = 0) -> None:
    _become_nobody()
    user, group = os.getuid(), os.getgid()
    kernel.unshare(kernel.NEW_USER | flags)
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def _beneath_root(action: Callable[[], str]) -> str:
    """The action as it is done where root starts the server: in mounts and a /proc that root made for it."""
    if os.geteuid() != 0:
        return action()
    kernel.unshare(kernel.NEW_MOUNTS | kernel.NEW_PIDS)

    def prepared() -> str:
        kernel.mount("", "/", flags=kernel.PRIVATE | kernel.RECURSIVE)
        kernel.mount("proc", "/proc", "proc", _PROC_FLAGS)
        return action()

    return _in_child(prepared)


def _mounts() -> str:
    _enter_user_namespace(kernel.NEW_MOUNTS)
    kernel.mount("", "/", flags=kernel.PRIVATE | kernel.RECURSIVE)
    root = next(place for place in _PLACES if os.path.isdir(place))
    kernel.mount("probe", root, "tmpfs", kernel.NO_SUID | kernel.NO_DEVICES, f"size={_SMALL},nr_inodes=16")
    os.mkdir(f"{root}/usr")
    os.mkdir(f"{root}/old")
    kernel.mount("/usr", f"{root}/usr", flags=kernel.BIND | kernel.RECURSIVE)
    kernel.make_read_only(f"{root}/usr")
    kernel.pivot_root(root, "old")
    if sorted(os.listdir("/")) != ["old", "usr"]:
        raise Unlike("the old root is still there")
    _expect_refused(lambda: os.mkdir("/usr/probe"), errno.EROFS, errno.EACCES)
    return "a root of its own, read-only"


def _tmpfs() -> str:
    _enter_user_namespace(kernel.NEW_MOUNTS)
    kernel.mount("", "/", flags=kernel.PRIVATE | kernel.RECURSIVE)
    place = next(place for place in _PLACES if os.path.isdir(place))
    kernel.mount("probe", place, "tmpfs", kernel.NO_SUID | kernel.NO_DEVICES | kernel.NO_EXEC, f"size={_SMALL}")
    file = os.open(f"{place}/probe", os.O_CREAT | os.O_WRONLY)
    _expect_refused(lambda: os.posix_fallocate(file, 0, 2 * _SMALL), errno.ENOSPC)
    return "with a size limit"


def _pid_namespace() -> str:
    _enter_user_namespace(kernel.NEW_PIDS)
    return _in_child(_as_first_process)


def _as_first_process() -> str:
    if os.getpid() != 1:
        raise Unlike(f"the process is {os.getpid()}, not 1, in it")
    return "processes start at 1"


def _proc() -> str:
    _enter_user_namespace(kernel.NEW_PIDS | kernel.NEW_MOUNTS)
    return _in_child(_mount_proc)


def _mount_proc() -> str:
    kernel.mount("", "/", flags=kernel.PRIVATE | kernel.RECURSIVE)
    kernel.mount("proc", "/proc", "proc", _PROC_FLAGS, "subset=pid")
    if any(os.path.exists(f"/proc/{name}") for name in ("sys", "meminfo", "2")):
        raise Unlike("it shows more than the sandbox's own processes")
    return "shows the sandbox's own processes only"


def _in_child(action: Callable[[], str]) -> str:
    """The action in a further child, which is the first to be born in a new pid namespace."""
    attempt = _attempt(action)
    detail = str(attempt["detail"])
    if attempt["ok"]:
        return detail
    number = attempt["errno"]
    raise OSError(number, detail.rpartition(" (")[0]) if isinstance(number, int) and number else Unlike(detail)


def _network_namespace() -> str:
    import socket

    _enter_user_namespace(kernel.NEW_NETWORK)
    names = [name for _, name in socket.if_nameindex()]
    if names != ["lo"]:
        raise Unlike(f"has {', '.join(names)}")
    return "nothing but its own loopback, which is down"


def _namespace(flag: int, name: str) -> Callable[[], str]:
    def made() -> str:
        before = os.readlink(f"/proc/self/ns/{name}")
        _enter_user_namespace(flag)
        if os.readlink(f"/proc/self/ns/{name}") == before:
            raise Unlike("is the one it was")
        return "its own"

    return made


ATTEMPTS: dict[str, Callable[[], str]] = {
    "unprivileged user": _unprivileged_user,
    "no new privileges": _no_new_privileges,
    "seccomp": _seccomp,
    "Landlock": _landlock,
    "user namespace": _user_namespace,
    "user mapping": _mapping,
    "mounts": lambda: _beneath_root(_mounts),
    "tmpfs": _tmpfs,
    "pid namespace": _pid_namespace,
    "proc": lambda: _beneath_root(_proc),
    "network namespace": _network_namespace,
    "ipc namespace": _namespace(kernel.NEW_IPC, "ipc"),
    "uts namespace": _namespace(kernel.NEW_UTS, "uts"),
    "cgroup namespace": _namespace(kernel.NEW_CGROUP, "cgroup"),
}
"""By the name of the layer, in the order in which they are reported."""
