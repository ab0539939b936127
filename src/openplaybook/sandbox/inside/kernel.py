"""System calls that Python does not have, each an `OSError` that names itself when it fails."""

import ctypes
import os
import struct
from collections.abc import Sequence

NEW_MOUNTS, NEW_CGROUP, NEW_UTS, NEW_IPC = 0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000
NEW_USER, NEW_PIDS, NEW_NETWORK = 0x1000_0000, 0x2000_0000, 0x4000_0000
NEW_TIME = 0x80
"""Flags of `clone(2)` and `unshare(2)` (linux/sched.h)."""

NO_SUID, NO_DEVICES, NO_EXEC, REMOUNT, BIND, RECURSIVE, PRIVATE = 2, 4, 8, 32, 4096, 16384, 1 << 18
"""Flags of `mount(2)` (linux/mount.h)."""

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 38, 47, 4
"""Options of `prctl(2)` (linux/prctl.h)."""

_MOUNT_SETATTR = 442
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_SECCOMP_MODE_FILTER = 2
_AT_RECURSIVE = 0x8000
_ATTR_READ_ONLY, _ATTR_NO_SUID, _ATTR_NO_DEVICES = 1, 2, 4
_LAZILY = 2
_CAPABILITY_VERSION_3 = 0x2008_0522
_LANDLOCK_RULE_PATH_BENEATH = 1

# Numbers from 424 on are the same on every architecture.
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mount.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p]
_libc.prctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong]
_libc.syscall.restype = ctypes.c_long


def unshare(flags: int) -> None:
    """Leave namespaces for new ones; with `NEW_PIDS`, children are born in the new one."""
    _checked(_libc.unshare(flags), "unshare")


def enter(namespace: int, kind: int) -> None:
    """Enter the namespace of a file descriptor (`setns(2)`)."""
    _checked(_libc.setns(namespace, kind), "setns")


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount a file system, or bind one."""
    result = _libc.mount(_text(source), _text(target), _text(kind), flags, _text(options))
    _checked(result, f"mount {target}")


def make_read_only(target: str) -> None:
    """A mount and all that is mounted in it: read-only, without devices and without set-user-id programs."""
    attributes = struct.pack("=QQQQ", _ATTR_READ_ONLY | _ATTR_NO_SUID | _ATTR_NO_DEVICES, 0, 0, 0)
    result = _libc.syscall(_MOUNT_SETATTR, -1, _text(target), _AT_RECURSIVE, attributes, ctypes.c_size_t(32))
    _checked(result, f"mount_setattr {target}")


def pivot_root(new: str, old: str) -> None:
    """Make `new` the root and detach what was mounted there before; `old` is a folder in `new`."""
    os.chdir(new)
    _checked(_libc.pivot_root(b".", _text(old)), "pivot_root")
    os.chdir("/")
    _checked(_libc.umount2(_text(f"/{old}"), _LAZILY), "umount the old root")


def set_option(option: int, value: int, argument: int = 0) -> None:
    """`prctl(2)`."""
    _checked(_libc.prctl(option, value, argument, 0, 0), f"prctl {option}")


def give_up_capabilities() -> None:
    """For good: the bounding set too, so that no program brings one back."""
    for capability in range(64):
        # The first that the kernel does not know is past the last.
        if _libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0:
            break
    set_option(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    _checked(_libc.capset(struct.pack("Ii", _CAPABILITY_VERSION_3, 0), bytes(24)), "capset")


def filter_system_calls(program: bytes) -> None:
    """Put a BPF program between this thread and the kernel (`seccomp(2)`)."""
    instructions = ctypes.create_string_buffer(program, len(program))
    described = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(instructions)))
    set_option(PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(described))


def landlock_version() -> int:
    """The version of Landlock's interface that this kernel speaks; 0 when it has none or it is off."""
    return max(int(_libc.syscall(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), 1)), 0)


def landlock(handled: Sequence[int], rules: Sequence[tuple[int, int]]) -> None:
    """Restrict this thread (Landlock): `handled` are the kinds of access to files, to the network and across scopes
    that are forbidden, unless one of `rules` (access, file descriptor) allows it beneath a path."""
    attributes = struct.pack(f"={len(handled)}Q", *handled)
    created = _libc.syscall(_LANDLOCK_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0)
    ruleset = _checked(created, "landlock_create_ruleset")
    for access, path in rules:
        rule = struct.pack("=Qi", access, path)
        added = _libc.syscall(_LANDLOCK_ADD, ruleset, _LANDLOCK_RULE_PATH_BENEATH, rule, 0)
        _checked(added, "landlock_add_rule")
    _checked(_libc.syscall(_LANDLOCK_RESTRICT, ruleset, 0), "landlock_restrict_self")
    os.close(ruleset)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _text(value: str) -> bytes | None:
    return os.fsencode(value) if value else None
