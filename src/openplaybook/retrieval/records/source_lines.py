"""Lines of a file, one after the other: a line that is too long is refused, and never held whole."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

_MB: Final = 1_000_000
_PIECE: Final = 256 * 1024
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class RecordLimits:
    """What a record may be."""

    max_line: int = 5 * _MB
    """Bytes of one record; a file that a record contains may have 1 MB, in base64."""
    max_depth: int = 64
    """Objects and arrays within each other."""
    max_exact: int = 1_000
    """Numbers of a record that neither 64 bits nor a double hold."""
    max_path: int = 1_000
    """Characters of the name of a field, with those of the objects around it, and of a column of CSV."""
    max_names: int = 10_000_000
    """Characters of these names together, each counted for each value."""
    max_columns: int = 1_000
    """Of CSV."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line without its end."""

    number: int
    """From 1."""
    data: bytes


@dataclass(frozen=True, slots=True)
class RecordFault:
    """Why a line is not taken."""

    line: int
    """From 1."""
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


def source_lines(file: BinaryIO, limits: RecordLimits) -> Iterator[SourceLine | RecordFault]:
    """Lines of a file that is open for reading, a mark of UTF-8 left out, and a fault for each that is too long."""
    number = 0
    while data := file.readline(limits.max_line + 2):
        number += 1
        if len(data.rstrip(b"\r\n")) > limits.max_line:
            if not data.endswith(b"\n"):
                _skip_line(file)
            yield RecordFault(number, f"it has more than {limits.max_line / _MB:g} MB")
            continue
        if number == 1:
            data = data.removeprefix(_BOM)
        yield SourceLine(number, data.removesuffix(b"\n").removesuffix(b"\r"))


def _skip_line(file: BinaryIO) -> None:
    while (piece := file.readline(_PIECE)) and not piece.endswith(b"\n"):
        pass
