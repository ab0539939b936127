"""Output of an execution, read from a pipe up to a limit."""

import os
from dataclasses import dataclass, field

_PIECE = 65_536
_MAX_DRAINED = 64 * 1024 * 1024


@dataclass(slots=True)
class Stream:
    """What fits is kept; the rest is read and counted, so that whoever writes never waits."""

    most: int
    kept: bytearray = field(default_factory=bytearray)
    dropped: int = 0

    def read(self, descriptor: int) -> int:
        """Read a piece; its size, 0 at the end. Raises `BlockingIOError` where there is none yet."""
        piece = os.read(descriptor, _PIECE)
        fits = piece[: self.most - len(self.kept)]
        self.kept += fits
        self.dropped += len(piece) - len(fits)
        return len(piece)

    def drain(self, descriptor: int) -> None:
        """Take what was written; processes in the background may hold the other end for ever."""
        os.set_blocking(descriptor, False)
        drained = 0
        while drained < _MAX_DRAINED:
            try:
                size = self.read(descriptor)
            except BlockingIOError:
                return
            if not size:
                return
            drained += size
