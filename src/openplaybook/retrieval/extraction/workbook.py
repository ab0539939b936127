"""XLSX: each sheet as a heading and a table, of which the first row that has text says what the columns are."""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import Final, Protocol, TypeAlias, cast

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException

from openplaybook.jsonvalues import number_text
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import ExtractionLimits
from openplaybook.retrieval.extraction.block_collector import BlockCollector, clean_text
from openplaybook.retrieval.extraction.office_archive import BROKEN

_CellValue: TypeAlias = str | float | int | bool | date | datetime | time | timedelta | None
_MIDNIGHT: Final = time()


class _Sheet(Protocol):
    title: str

    def reset_dimensions(self) -> None: ...
    def iter_rows(self, *, values_only: bool) -> Iterable[Sequence[_CellValue]]: ...


class _Properties(Protocol):
    title: str | None


class _Workbook(Protocol):
    worksheets: Sequence[_Sheet]
    properties: _Properties

    def close(self) -> None: ...


def read_workbook(data: bytes, limits: ExtractionLimits, into: BlockCollector) -> str:
    """Take the tables of an XLSX file, values in place of formulas; gives the title that it states.

    Raises `InvalidSource`.
    """
    try:
        with warnings.catch_warnings():
            # It warns of parts that it does not read, such as drawings.
            warnings.simplefilter("ignore")
            book = cast(
                _Workbook, openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False)
            )
            _read_sheets(book, limits, into)
            return clean_text(book.properties.title or "")
    except (InvalidFileException, *BROKEN) as error:
        raise InvalidSource("it is a broken XLSX file") from error


def _read_sheets(book: _Workbook, limits: ExtractionLimits, into: BlockCollector) -> None:
    sheets = book.worksheets
    if len(sheets) > limits.max_pages:
        raise InvalidSource(f"it has more than {limits.max_pages:,} sheets")
    rows_left = limits.max_rows
    for number, sheet in enumerate(sheets, 1):
        into.heading(sheet.title, 1, number)
        # What a sheet states about its size need not be true, and would be filled up with empty cells.
        sheet.reset_dimensions()
        rows = _bounded(sheet.iter_rows(values_only=True), rows_left, limits)
        counted = _Counted(rows)
        into.table(counted, number, header_rows=1)
        rows_left -= counted.taken


class _Counted:
    """Rows as texts, those that are empty left out, and how many rows there were."""

    def __init__(self, rows: Iterable[Sequence[_CellValue]]) -> None:
        self._rows = rows
        self.taken = 0

    def __iter__(self) -> Iterator[list[str]]:
        for row in self._rows:
            self.taken += 1
            cells = [_text(cell) for cell in row]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                yield cells


def _bounded(
    rows: Iterable[Sequence[_CellValue]], left: int, limits: ExtractionLimits
) -> Iterator[Sequence[_CellValue]]:
    for number, row in enumerate(rows):
        if number >= left:
            raise InvalidSource(f"its sheets have more than {limits.max_rows:,} rows")
        yield row


def _text(cell: _CellValue) -> str:
    """A cell as people read it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else number_text(cell)
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == _MIDNIGHT else cell.isoformat(sep=" ", timespec="minutes")
    return str(cell)
