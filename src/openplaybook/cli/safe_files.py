"""Files from elsewhere, shown and kept under names that can do no harm."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from openplaybook.cli.errors import CommandError

_LONGEST = 100
"""Characters of a name; file systems take 255 bytes, and a character may have four of them and more."""
_ELSEWHERE = re.compile(r'[\\/:*?"<>|]+')
"""What leads out of a folder, or means something on one system or another."""
_STEERING = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Categories of Unicode that are no part of a name: controls, marks that turn the writing, what is no character."""
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_UNITS = ("bytes", "KB", "MB", "GB")


def shown_name(name: str) -> str:
    """A name as it can be shown: what steers a terminal or turns the writing is escaped."""
    return "".join(_escaped(each) if unicodedata.category(each) in _STEERING else each for each in name)


def shown_size(size: int) -> str:
    """`1 byte`, `23 KB`, `1.4 MB`: a number of bytes as people read it."""
    if size == 1:
        return "1 byte"
    amount, unit = float(size), 0
    while round(amount) >= 1000 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{amount:.1f} {_UNITS[unit]}" if unit > 1 and amount < 10 else f"{amount:.0f} {_UNITS[unit]}"


def safe_name(name: str) -> str:
    """A name for a file in whatever folder: of one part, not hidden, legal everywhere."""
    plain = "".join(" " if unicodedata.category(each) in _STEERING else each for each in name)
    plain = " ".join(_ELSEWHERE.sub("_", plain).split()).strip(". _") or "file"
    if _DEVICES.fullmatch(plain):
        plain = f"_{plain}"
    if len(plain) <= _LONGEST:
        return plain
    ending = Path(plain).suffix
    return plain[:_LONGEST] if len(ending) > 10 else plain[: _LONGEST - len(ending)] + ending


def save_file(folder: Path, name: str, data: bytes) -> Path:
    """Where a file from elsewhere was written: in the folder, under a name that nothing had before.

    Raises `CommandError` where it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in _paths(folder, safe_name(name)):
            try:
                # `x` neither replaces a file nor follows a link that lies in its place.
                with path.open("xb") as file:
                    file.write(data)
            except FileExistsError:
                continue
            return path
    except OSError as error:
        raise CommandError(f"{error.filename or folder}: {error.strerror}") from error
    raise AssertionError("there is always another number")


def _paths(folder: Path, name: str) -> Iterator[Path]:
    yield folder / name
    path = folder / name
    for number in count(2):
        yield path.with_stem(f"{path.stem}-{number}")


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
