"""Files of an index on the disk: whether they are as the engine wrote them, and their end."""

import os
import shutil
import struct
import zlib
from pathlib import Path

from openplaybook.jsonvalues import as_list, as_object, loads

SEGMENTS = "segments"
"""Folder within that of an index, in which the engine keeps its files."""

_PARTS = ("store", "term", "idx", "fast", "fieldnorm")
"""Files that each segment has, and more of other names."""
_MAGIC = 1337
_END = struct.Struct("<II")
"""Length of the footer before it, and a fixed number; the footer is JSON with the CRC-32 of all before it."""
_PIECE = 1 << 20


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
