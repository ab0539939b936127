"""Standard streams of code, over the file descriptors 0, 1 and 2."""

import contextlib
import io
import os
import sys
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_write = os.write
_BUFFER = 65536


class _Counted(io.FileIO):
    """Knows how much went through it."""

    count = 0

    # Whatever has a buffer, as `io.FileIO` takes it; there is no public name for that yet (`collections.abc.Buffer`).
    def write(self, data: "ReadableBuffer", /) -> int:
        written = super().write(data)
        self.count += written
        return written


class StandardStreams:
    """Makes new ones of each, whatever earlier code has left."""

    def __init__(self) -> None:
        self._raw = _Counted(1, "w", closefd=False)
        # Held apart from the text layer: code may detach it, and what it wrote must still go out.
        self._buffer: io.BufferedIOBase = io.BufferedWriter(self._raw, _BUFFER)
        self._out = _text(self._buffer)
        self._error = _text(io.BufferedWriter(io.FileIO(2, "w", closefd=False)), line_buffering=True)
        own = {"stdin": _reading(), "stdout": self._out, "stderr": self._error}
        sys.__dict__.update(own | {f"__{name}__": stream for name, stream in own.items()})

    def flush(self) -> None:
        """Send out what was written, to these and to what code has put in their places.

        Raises what code's own stream raises.
        """
        for ours in (self._out, self._buffer, self._error):
            try:
                ours.flush()
            except ValueError:
                # Closed or detached by code: what it held went out then.
                continue
        for stream in (sys.stdout, sys.stderr):
            if stream not in (None, self._out, self._error):
                stream.flush()

    @property
    def is_silent(self) -> bool:
        """Whether nothing was written to stdout, as far as was flushed."""
        return self._raw.count == 0


def tell(descriptor: int, text: str) -> None:
    """Write text past all streams: they may be closed, or broken."""
    data = text.encode("utf-8", "backslashreplace")
    # Code may have closed it: then nothing more can be told.
    with contextlib.suppress(OSError):
        while data:
            data = data[_write(descriptor, data) :]


def _reading() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), encoding="utf-8", errors="replace")


def _text(buffer: io.BufferedIOBase, *, line_buffering: bool = False) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        cast("BinaryIO", buffer), encoding="utf-8", errors="backslashreplace", line_buffering=line_buffering
    )
