"""CSV with a header: each row a structured record, its values of the types that the columns turn out to have."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import BinaryIO, Final

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.retrieval.base import StoreDocument
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.records.csv_rows import CsvRow, CsvRows
from openplaybook.retrieval.records.json_records import document_of_record
from openplaybook.retrieval.records.schema import FieldType, common_type, text_type
from openplaybook.retrieval.records.source_lines import RecordFault, RecordLimits

_LIMITS: Final = RecordLimits()
_SAMPLE: Final = 1_000
"""Rows from which types are found out."""
_SAMPLE_CHARACTERS: Final = 8_000_000
_INTEGER: Final = re.compile(r"-?(?:0|[1-9]\d{0,17})")
"""A number with a leading zero is none: postcodes and telephone numbers have them."""
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d{0,17})(?:[.]\d{1,17})?(?:[eE][+-]?\d{1,2})?")
_BOOLEANS: Final = {"true": True, "false": False}


def read_csv_records(
    file: BinaryIO, *, id_field: str | None = None, limits: RecordLimits = _LIMITS
) -> Iterator[StoreDocument | RecordFault]:
    """A document for each row of a file that is open for reading, and a fault for each that cannot be one.

    A cell that has not the type of its column stays a text; an empty one is left out. Empty lines are passed over.
    Ids are as in `read_records`. Raises `InvalidSource` where the header cannot be read.
    """
    rows = CsvRows(file, limits)
    found = iter(rows)
    sample = list(_sample(found))
    kinds = _column_types(rows.header, [row for row in sample if isinstance(row, CsvRow)])
    for row in chain(sample, found):
        if isinstance(row, RecordFault):
            yield row
        elif row.cells:
            try:
                yield document_of_record(_record(rows.header, row, kinds), id_field)
            except InvalidSource as error:
                yield RecordFault(row.line, str(error))


def _sample(rows: Iterator[CsvRow | RecordFault]) -> Iterator[CsvRow | RecordFault]:
    characters = 0
    for row in islice(rows, _SAMPLE):
        yield row
        characters += sum(map(len, row.cells)) if isinstance(row, CsvRow) else 0
        if characters > _SAMPLE_CHARACTERS:
            return


def _column_types(header: Sequence[str], rows: Sequence[CsvRow]) -> dict[str, FieldType]:
    kinds: dict[str, FieldType] = {}
    for row in rows:
        for name, cell in zip(header, row.cells, strict=False):
            if cell := cell.strip():
                found = _cell_type(cell)
                kinds[name] = common_type(kinds.get(name, found), found)
    return kinds


def _cell_type(cell: str) -> FieldType:
    if _INTEGER.fullmatch(cell):
        return FieldType.INTEGER
    if _NUMBER.fullmatch(cell):
        return FieldType.NUMBER
    return FieldType.BOOLEAN if cell.lower() in _BOOLEANS else text_type(cell)


def _record(header: Sequence[str], row: CsvRow, kinds: Mapping[str, FieldType]) -> JsonObject:
    return {
        name: _value(cell.strip(), kinds.get(name, FieldType.STRING))
        for name, cell in zip(header, row.cells, strict=True)
        if cell.strip()
    }


def _value(cell: str, kind: FieldType) -> JsonValue:
    """The value of a cell; its text where it is not of the type."""
    pattern, read = _READERS.get(kind, (None, str))
    return read(cell) if pattern and pattern.fullmatch(cell) else cell


_READERS: Final[Mapping[FieldType, tuple[re.Pattern[str], Callable[[str], JsonValue]]]] = {
    FieldType.INTEGER: (_INTEGER, int),
    FieldType.NUMBER: (_NUMBER, float),
    FieldType.BOOLEAN: (re.compile("true|false", re.I), lambda cell: _BOOLEANS[cell.lower()]),
}
