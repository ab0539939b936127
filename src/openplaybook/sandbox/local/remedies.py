"""What to change on a machine where a wall cannot be built: one sentence a layer, as the errors of the kernel tell."""

import errno

from openplaybook.sandbox.local.host_machine import HostMachine

_UNIT = (
    "let the unit make namespaces and mounts: deploy/systemd/code-interpreter.conf as a drop-in of it "
    "(RestrictNamespaces=no, SystemCallFilter=@system-service @mount @sandbox capset sethostname, "
    "ProtectKernelTunables=no, ProtectKernelLogs=no, ProtectHostname=no, ProtectProc=default)"
)
_ALLOWED_WITHIN = {
    "systemd": _UNIT,
    "docker": "start the container with --security-opt seccomp=FILE, a profile that allows unshare, mount, "
    "mount_setattr, pivot_root, setns, sethostname and clone with namespaces (and --security-opt apparmor=unconfined "
    "where AppArmor is on), or name a remote executor with code_executor",
    "podman": "start the container with --security-opt seccomp=FILE, a profile that allows unshare, mount, "
    "mount_setattr, pivot_root, setns, sethostname and clone with namespaces, or name a remote executor with "
    "code_executor",
    "kubernetes": "set securityContext.seccompProfile {type: Localhost, localhostProfile: FILE} to a profile that "
    "allows unshare, mount, mount_setattr, pivot_root, setns, sethostname and clone with namespaces, or set "
    "code_executor=kubernetes so that code runs in pods of its own",
}
_MASKED_PROC = {
    "systemd": _UNIT,
    "docker": "let the container see all of /proc: --security-opt systempaths=unconfined",
    "podman": "let the container see all of /proc: --security-opt unmask=ALL",
    "kubernetes": "let the pod see all of /proc: securityContext.procMount: Unmasked (with hostUsers: false), or set "
    "code_executor=kubernetes",
}
_APPARMOR = (
    "AppArmor keeps namespaces from ordinary programs (Ubuntu 23.10 and newer): write /etc/apparmor.d/openplaybook: "
    "`abi <abi/4.0>, include <tunables/global> profile openplaybook PATH flags=(unconfined) { userns, }`, where PATH "
    "is what `readlink -f` says of the server's Python, and run `apparmor_parser -r /etc/apparmor.d/openplaybook`; or, "
    "for all programs, `sysctl kernel.apparmor_restrict_unprivileged_userns=0`"
)
_NEITHER_NOR = "root without CAP_SYS_ADMIN may not mount: start the server as an ordinary user"
_MISSING = (errno.ENOSYS, errno.EINVAL, errno.ENODEV)


def remedy(layer: str, number: int, machine: HostMachine) -> str:
    """What to do about a layer that failed with this `errno` (0: none)."""
    if machine.as_root and number == errno.EPERM and layer in ("mounts", "proc"):
        return f"{_NEITHER_NOR}; {_ALLOWED_WITHIN[machine.within]}" if machine.within else _NEITHER_NOR
    if layer in ("user namespace", "user mapping"):
        return _user_namespace(number, machine)
    if layer == "proc":
        return _MASKED_PROC.get(machine.within, "let the server see all of /proc, with nothing mounted over it")
    if layer == "Landlock":
        return _landlock(machine)
    if layer in ("seccomp", "no new privileges"):
        return "use a kernel with CONFIG_SECCOMP_FILTER"
    if layer == "unprivileged user":
        return "start the server as an ordinary user, or let it keep CAP_SETUID and CAP_SETGID"
    return _namespace(layer, number, machine)


def _user_namespace(number: int, machine: HostMachine) -> str:
    if machine.settings.get("kernel/unprivileged_userns_clone") == "0":
        return "`sysctl kernel.unprivileged_userns_clone=1` (Debian, Arch: hardened kernels)"
    if machine.settings.get("user/max_user_namespaces") == "0":
        return "`sysctl user.max_user_namespaces=10000`"
    if number == errno.ENOSPC:
        return "raise `sysctl user.max_user_namespaces`, here or in the namespace around this one"
    if machine.settings.get("kernel/apparmor_restrict_unprivileged_userns") == "1":
        return _APPARMOR
    if machine.within:
        return _ALLOWED_WITHIN[machine.within]
    if number in _MISSING:
        return "use a kernel with CONFIG_USER_NS"
    return "allow user namespaces to the server's user: a seccomp filter, SELinux or AppArmor around it forbids them"


def _landlock(machine: HostMachine) -> str:
    kernel = (
        "use Linux 5.13 or newer with CONFIG_SECURITY_LANDLOCK, and `landlock` among the kernel's lsm= at boot "
        "(see /sys/kernel/security/lsm)"
    )
    return f"{kernel}; {_ALLOWED_WITHIN[machine.within]}" if machine.within else kernel


def _namespace(layer: str, number: int, machine: HostMachine) -> str:
    setting = f"user/max_{_SHORT[layer]}_namespaces" if layer in _SHORT else ""
    if setting and (machine.settings.get(setting) == "0" or number == errno.ENOSPC):
        return f"raise `sysctl {setting.replace('/', '.')}`"
    if machine.settings.get("kernel/apparmor_restrict_unprivileged_userns") == "1":
        return _APPARMOR
    if machine.within:
        return _ALLOWED_WITHIN[machine.within]
    if layer in ("mounts", "tmpfs"):
        return "use Linux 5.12 or newer, and do not start the server in a chroot or under a filter that forbids mounts"
    return "allow it: a seccomp filter, SELinux or AppArmor around the server forbids it, or the kernel has none"


_SHORT = {
    "mounts": "mnt",
    "pid namespace": "pid",
    "network namespace": "net",
    "ipc namespace": "ipc",
    "uts namespace": "uts",
    "cgroup namespace": "cgroup",
}
"""How the kernel's settings name the namespaces of layers (namespaces(7))."""
