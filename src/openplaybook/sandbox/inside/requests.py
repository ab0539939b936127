"""What a client asks for, as it crosses the wall: JSON in two parts, of which the monitor reads the first."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from .limits import Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """For the monitor. As blobs, the files and the program follow."""

    limits: Limits
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
    def read(text: bytes) -> "Ask":
        """From JSON."""
        told = json.loads(text)
        limits = Limits(**told.pop("limits"))
        return Ask(limits=limits, **told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """For the guest, unseen by others."""

    code: str
    tools: Sequence[str]
    """Names of those that it may call."""
    context: Mapping[str, object]
    limits: Limits
    kept: bool

    def written(self) -> bytes:
        """As JSON."""
        return json.dumps(asdict(self)).encode()

    @staticmethod
    def read(text: bytes) -> "Program":
        """From JSON."""
        told = json.loads(text)
        limits = Limits(**told.pop("limits"))
        return Program(limits=limits, **told)
