"""What kind of machine this is, as far as a sandbox and its remedies depend on it."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

RUN_ON = ("x86_64",)
"""Machines whose table of system calls was run."""
WRITTEN_FOR = ("aarch64",)
"""Machines whose table was written from the kernel's sources and never run."""

_DOCKER, _PODMAN = Path("/.dockerenv"), Path("/run/.containerenv")


@dataclass(frozen=True, slots=True, kw_only=True)
class HostMachine:
    """A machine as an executor finds it."""

    system: str
    """`sys.platform`: linux, darwin, win32."""
    processor: str
    """`os.uname().machine`."""
    as_root: bool = False
    """Whether the server runs as root."""
    within: str = ""
    """What restricts the server: kubernetes, docker, podman, systemd; empty for nothing that we know."""
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    """Kernel settings beneath /proc/sys that could be read, such as `user/max_user_namespaces`."""


def this_machine(environment: Mapping[str, str]) -> HostMachine:
    """This one, without its kernel settings."""
    processor = os.uname().machine if hasattr(os, "uname") else "unknown"
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return HostMachine(system=sys.platform, processor=processor, as_root=as_root, within=_within(environment))


def _within(environment: Mapping[str, str]) -> str:
    if environment.get("KUBERNETES_SERVICE_HOST"):
        return "kubernetes"
    # Of the service itself only: terminals are children of services too (systemd.exec(5)).
    if environment.get("SYSTEMD_EXEC_PID") == str(os.getpid()):
        return "systemd"
    if _PODMAN.exists():
        return "podman"
    return "docker" if _DOCKER.exists() else ""
