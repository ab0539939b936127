"""Folders of indexes on the disk: whose they are, whether the files are as the engine wrote them, and their end."""

import fcntl
import os
import shutil
import struct
import zlib
from collections.abc import Collection
from hashlib import sha256
from pathlib import Path

from openplaybook.jsonvalues import as_list, as_object, loads
from openplaybook.retrieval.errors import EngineUnavailable

SEGMENTS = "segments"
"""Folder within that of an index, in which the engine keeps its files."""

_MOST_PROCESSES = 64

_PARTS = ("store", "term", "idx", "fast", "fieldnorm")
"""Files that each segment has, and more of other names."""
_MAGIC = 1337
_END = struct.Struct("<II")
"""Length of the footer before it, and a fixed number; the footer is JSON with the CRC-32 of all before it."""
_PIECE = 1 << 20


class ClaimedFolder:
    """Part of a place on the disk, held until it is let go of or the process ends, however it ends.

    An index has one writer. As indexes are derived, each process has its own; the next that comes finds the indexes of
    one that has ended, and goes on with them.
    """

    def __init__(self, place: Path) -> None:
        """Raises `EngineUnavailable` where 64 processes use the place already."""
        for number in range(_MOST_PROCESSES):
            path = place / f"process-{number}"
            path.mkdir(parents=True, exist_ok=True)
            lock = os.open(path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            self.path = path
            self._lock = lock
            return
        raise EngineUnavailable(f"{_MOST_PROCESSES} processes keep their indexes in {place}, which is as many as may")

    def of_store(self, store: str) -> Path:
        """Where the index of a store is, or will be."""
        return self.path / sha256(store.encode()).hexdigest()[:32]

    def vectors_of(self, store: str) -> Path:
        """Where its vectors are, or will be: they cost more than an index, and stay where that is made anew."""
        return self.of_store(store).with_suffix(".vectors")

    def sweep(self, stores: Collection[str]) -> None:
        """Delete the indexes and vectors of stores that are none of these, and what is half deleted."""
        kept = {place(store) for store in stores for place in (self.of_store, self.vectors_of)}
        for path in self.path.iterdir():
            if path.is_dir() and path not in kept:
                remove_index(path)

    def let_go(self) -> None:
        """Leave it to others."""
        os.close(self._lock)


def is_sound(folder: Path) -> bool:
    """Whether all that was committed to an index is there, and is what was written. Reads all of it."""
    segments = folder / SEGMENTS
    try:
        committed = as_list(as_object(loads((segments / "meta.json").read_bytes())).get("segments"))
        names = [str(as_object(each)["segment_id"]).replace("-", "") for each in committed]
        return all(_is_whole(segments / f"{name}.{part}") for name in names for part in _PARTS)
    except (OSError, ValueError, KeyError, struct.error):
        return False


def _is_whole(path: Path) -> bool:
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - _END.size, 0))
        length, magic = _END.unpack(file.read(_END.size))
        left = size - _END.size - length
        if magic != _MAGIC or left < 0:
            return False
        file.seek(left)
        expected = as_object(loads(file.read(length))).get("crc")
        file.seek(0)
        found = 0
        while left:
            piece = file.read(min(_PIECE, left))
            found = zlib.crc32(piece, found)
            left -= len(piece)
    return found == expected


def remove_index(folder: Path) -> None:
    """Delete the folder of an index, where there is one; what is half deleted is never taken for an index."""
    if not folder.exists():
        return
    gone = folder.with_name(f"{folder.name}.gone")
    shutil.rmtree(gone, ignore_errors=True)
    os.replace(folder, gone)
    shutil.rmtree(gone, ignore_errors=True)
