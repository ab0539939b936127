"""The ports to a service that lends machines, such as a cluster."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from openplaybook.sandbox.base import Layer

FOLDER = ".openplaybook"
"""Where on a machine archives and results lie; the workspace is beside it."""
START_S = 20.0
"""What starting an archive may take beyond the time that its code has."""


@dataclass(frozen=True, slots=True)
class ArchiveExit:
    """How an archive ended on a machine."""

    exit_code: int
    stderr: str
    """What it wrote there itself; the code's output is in the result."""


class MachineLost(Exception):
    """A machine does not answer, or not as its protocol says; nothing is known of what ran on it."""


class RemoteMachine(Protocol):
    """A machine that was lent. Calls raise `MachineLost`."""

    @property
    def name(self) -> str:
        """As the service calls it, for logs."""
        ...

    async def put(self, name: str, data: bytes) -> None:
        """Write a file into `FOLDER`."""
        ...

    async def run(self, archive: str, seconds: float) -> ArchiveExit:
        """Run an archive of `FOLDER`, for so long at most. Never sent twice by us."""
        ...

    async def get(self, name: str, most: int) -> bytes:
        """Read a file of `FOLDER`; one that is longer than `most` bytes is not what its protocol says."""
        ...

    async def keep(self, seconds: float) -> None:
        """Have the machine for so long from now; the service takes it away afterwards."""
        ...

    async def release(self) -> None:
        """Give it back. Never raises: what cannot be given back now is taken away when its time is over."""
        ...


class RemoteMachines(Protocol):
    """A service that lends machines."""

    name: str
    """`kubernetes` or `e2b`."""

    async def acquire(self, seconds: float) -> RemoteMachine:
        """A machine that nobody has used, for so long at most. When the task is cancelled nothing stays lent.

        Raises `SandboxUnavailable`.
        """
        ...

    async def layers(self) -> Sequence[Layer]:
        """What the service is found to be."""
        ...

    async def aclose(self) -> None:
        """Finish what is being given back."""
        ...
