"""What a fork server is told when it starts, in two messages over its control socket."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """What the launcher is told, in the first message."""

    python: str
    """Path of the interpreter, as the sandbox shows it."""
    shown: list[list[str]] = field(default_factory=list[list[str]])
    """Sources and targets."""
    uid: int
    gid: int
    """Taken when started as root."""
    cgroup: str = ""
    """A folder of cgroup v2 to run in; empty: that of the server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Warmth:
    """What the zygote is told, in the second message."""

    preload: list[str]
    ready: int
    """Monitors with a guest that are kept waiting."""
    readable: list[str]
    """Paths a guest may read."""
