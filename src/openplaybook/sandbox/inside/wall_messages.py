"""What crosses the wall as JSON: what a fork server is told when it starts, and what its clients ask for.

A fork server reads two messages from its control socket. A request comes in two parts; the monitor reads the first.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from .execution_limits import ExecutionLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """What the launcher is told, in the first message."""

    python: str
    """Path of the interpreter, as the sandbox shows it."""
    paths: list[list[str]] = field(default_factory=list[list[str]])
    """Sources on the machine and targets in the sandbox."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorRequest:
    """A request, for the monitor. As blobs, the files and the program follow."""

    limits: ExecutionLimits
    files: Sequence[tuple[str, int]]
    """Names and sizes in bytes."""
    program: int
    """Bytes."""
    tools: bool
    """The code may call tools."""
    kept: bool
    """The guest is to live on."""

    def written(self) -> bytes:
        """As JSON."""
        return json.dumps(asdict(self)).encode()

    @staticmethod
    def read(text: bytes) -> "MonitorRequest":
        """From JSON."""
        document = json.loads(text)
        limits = ExecutionLimits(**document.pop("limits"))
        return MonitorRequest(limits=limits, **document)


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestProgram:
    """The program of a request, for the guest, unseen by others."""

    code: str
    tools: Sequence[str]
    """Names of those that it may call."""
    context: Mapping[str, object]
    limits: ExecutionLimits
    kept: bool

    def written(self) -> bytes:
        """As JSON."""
        return json.dumps(asdict(self)).encode()

    @staticmethod
    def read(text: bytes) -> "GuestProgram":
        """From JSON."""
        document = json.loads(text)
        limits = ExecutionLimits(**document.pop("limits"))
        return GuestProgram(limits=limits, **document)
