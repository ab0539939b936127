"""Rows of a CSV file, one after the other, within bounds. A row may go over several lines, between quotes."""

import csv
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedReader, RawIOBase
from typing import BinaryIO, Final, Protocol, cast

from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.records.source_lines import RecordFault, RecordLimits, SourceLine, source_lines

_MB: Final = 1_000_000
_SAMPLE: Final = 64 * 1024
_DELIMITERS: Final = ",;\t|"
_QUOTED: Final = re.compile(r'"(?:[^"]|"")*"?')
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff")
_OLD_CHARSET: Final = "windows-1252"
"""Of files from spreadsheets that are not UTF-8."""


@dataclass(frozen=True, slots=True)
class CsvRow:
    """A row that has as many cells as the header."""

    line: int
    """On which it begins, from 1."""
    cells: tuple[str, ...]


class CsvRows:
    """The header of a CSV file, and its rows. The delimiter is that of the header: `,`, `;`, a tab or `|`."""

    def __init__(self, file: BinaryIO, limits: RecordLimits) -> None:
        """Read the header. Raises `InvalidSource` where there is none, or it names a column twice."""
        self._limits = limits
        # Fields are bounded by the row that they are part of; the module's own bound is far below.
        csv.field_size_limit(max(csv.field_size_limit(), limits.max_line))
        buffered = _peekable(file)
        sample = buffered.peek(_SAMPLE)[:_SAMPLE]
        if sample.startswith(_WIDE):
            raise InvalidSource("the CSV is UTF-16; UTF-8 is read here")
        self._charset = "utf-8" if _is_utf8(sample) else _OLD_CHARSET
        self._lines = _TextLines(source_lines(cast(BinaryIO, buffered), limits), self._charset, limits)
        self._reader = self._new_reader(_delimiter(sample.decode(self._charset, "replace")))
        self.header = self._read_header()

    def _new_reader(self, delimiter: str) -> Iterator[list[str]]:
        self._delimiter = delimiter
        return csv.reader(self._lines, delimiter=delimiter)

    def _read_header(self) -> tuple[str, ...]:
        first = self._next()
        if isinstance(first, RecordFault):
            raise InvalidSource(f"the header cannot be read: {first.reason}")
        if first is None or not any(cell.strip() for cell in first.cells):
            raise InvalidSource("the CSV has no header: its first line names the columns")
        header = first.cells
        if len(header) > self._limits.max_columns:
            raise InvalidSource(f"the CSV has more than {self._limits.max_columns:,} columns")
        if "" in header:
            raise InvalidSource(f"column {header.index('') + 1} of the CSV has no name")
        if long := next((name for name in header if len(name) > self._limits.max_path), ""):
            raise InvalidSource(
                f'the column "{long[:80]}…" has a name of more than {self._limits.max_path:,} characters; is the first '
                "line the header?"
            )
        if double := next((name for name in header if header.count(name) > 1), ""):
            raise InvalidSource(f'the header names the column "{double[:80]}" twice')
        return header

    def __iter__(self) -> Iterator[CsvRow | RecordFault]:
        """The rows behind the header; an empty line is a row without cells."""
        while (row := self._next()) is not None:
            if isinstance(row, CsvRow) and row.cells and len(row.cells) != len(self.header):
                yield RecordFault(row.line, f"it has {len(row.cells)} columns, and the header {len(self.header)}")
            else:
                yield row

    def _next(self) -> CsvRow | RecordFault | None:
        """The next row, and None behind the last one."""
        begin = self._lines.begin_row()
        try:
            return CsvRow(begin(), tuple(next(self._reader)))
        except StopIteration:
            return None
        except _Unreadable as error:
            fault = error.fault
        except csv.Error as error:
            fault = RecordFault(begin(), f"it is malformed CSV: {error}")
        # A reader that was interrupted goes on within the row.
        self._reader = self._new_reader(self._delimiter)
        return fault


class _Peekable(Protocol):
    def peek(self, size: int, /) -> bytes: ...


class _Unreadable(Exception):
    """A line of the row cannot be read."""

    def __init__(self, fault: RecordFault) -> None:
        super().__init__(fault.reason)
        self.fault = fault


class _TextLines:
    """Lines as texts, of one row no more than may be."""

    def __init__(self, lines: Iterator[SourceLine | RecordFault], charset: str, limits: RecordLimits) -> None:
        self._lines = lines
        self._charset = charset
        self._limits = limits
        self._size = 0
        self._number = 0
        self._first = 0

    def begin_row(self) -> Callable[[], int]:
        """Count anew; what is given back says on which line the row began, once it has been read."""
        self._size = 0
        self._first = 0
        return lambda: self._first or self._number + 1

    def __iter__(self) -> "_TextLines":
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        if isinstance(line, RecordFault):
            self._number = line.line
            raise _Unreadable(line)
        self._number = line.number
        self._first = self._first or line.number
        self._size += len(line.data) + 1
        if self._size > self._limits.max_line:
            reason = (
                f"the row that begins here has more than {self._limits.max_line / _MB:g} MB; is a quote not closed?"
            )
            raise _Unreadable(RecordFault(self._first, reason))
        try:
            return line.data.decode(self._charset) + "\n"
        except UnicodeDecodeError as error:
            raise _Unreadable(RecordFault(line.number, f"it is no {self._charset.upper()}: {error.reason}")) from error


def _peekable(file: BinaryIO) -> _Peekable:
    """The file, with a look at its beginning that takes nothing away from it."""
    return cast(_Peekable, file if hasattr(file, "peek") else BufferedReader(_Raw(file), _SAMPLE))


class _Raw(RawIOBase):
    """A file of which no more is known than `read`."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _is_utf8(sample: bytes) -> bool:
    try:
        sample.decode("utf-8")
    except UnicodeDecodeError as error:
        # The last character may be cut.
        return error.start >= len(sample) - 3 and len(sample) >= 1024
    return True


def _delimiter(sample: str) -> str:
    header = _QUOTED.sub("", sample.removeprefix("\ufeff").partition("\n")[0])
    return max(_DELIMITERS, key=header.count)
