"""A small file beside the store: answers that reached their clients and that the store does not know of yet.

A note costs one write into the kernel's memory and no wait for the disk. That memory outlives the process, however it
is killed; a power cut may take what is there. Whoever starts next on the same data directory reads the notes, tells
the store, and clears the file.

The file holds lines of session and turn up to the first zero byte; what follows that byte is left from before.
"""

import contextlib
import errno
import logging
import os
import re
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from openplaybook.storage.errors import StoreUnusable

FILE_NAME = "deliveries.log"
"""In the data directory."""

_MOST_BYTES = 1 << 20
"""Some 8,000 notes; what comes when it is full is noted in the store alone."""

_END = b"\0"
_TURN = re.compile("[0-9]{1,18}")
_LOG = logging.getLogger("openplaybook.storage")


class DeliveryLog:
    """The file of one data directory, for the one server that has it."""

    def __init__(self, path: Path) -> None:
        """Open the file, and make it (mode 0600) where there is none. A link is not followed: what it leads to is not
        ours to write over. Raises `StoreUnusable`."""
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreUnusable(f"{path}: cannot be opened for writing: {error.strerror}") from error
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            self.close()
            raise StoreUnusable(f"{path}: is not a regular file")
        self._size = 0
        self._is_refused = False

    def left(self) -> Sequence[tuple[str, int]]:
        """Sessions and turns that were noted before this process began; to be read before anything is noted."""
        text, _, _ = os.pread(self._file, _MOST_BYTES, 0).partition(_END)
        # What no line end follows was cut short, and may say a smaller turn: it is no note.
        lines = text.decode("utf-8", "replace").split("\n")[:-1]
        notes = [(session, number) for session, _, number in (line.rpartition("\t") for line in lines) if session]
        return [(session, int(number)) for session, number in notes if _TURN.fullmatch(number)]

    def note(self, session: str, turn: int) -> None:
        """Note that the answer of a turn was delivered. A disk that refuses costs the note, and is logged once."""
        self._write(_line(session, turn), self._size)

    def replace(self, turns: Iterable[tuple[str, int]]) -> None:
        """From here on these are the only notes."""
        self._size = 0
        self._write(b"".join(_line(session, turn) for session, turn in turns), 0)

    def close(self) -> None:
        """Let go of the file; closing twice is no fault."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _write(self, lines: bytes, place: int) -> None:
        if place + len(lines) >= _MOST_BYTES:
            return
        try:
            if os.pwrite(self._file, lines + _END, place) <= len(lines):
                # A disk that fills takes a part. The next note goes over it.
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            if not self._is_refused:
                _LOG.warning("deliveries cannot be noted next to the store: %s", error.strerror)
            self._is_refused = True
            return
        self._is_refused = False
        self._size = place + len(lines)


def forget_deliveries(folder: Path) -> None:
    """Remove the notes of a data directory whose database is replaced: they are about the old one."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(folder / FILE_NAME)


def _line(session: str, turn: int) -> bytes:
    return f"{session}\t{turn}\n".encode()
