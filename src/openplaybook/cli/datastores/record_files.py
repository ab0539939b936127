"""Records in files, a line each, as documents of the Discovery Engine API: JSON lines, CSV, questions with answers.

A line that cannot be a document is told, and the rest is taken.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TypeAlias

from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject, as_object, loads
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.records.csv_records import read_csv_records
from openplaybook.retrieval.records.csv_rows import CsvRows
from openplaybook.retrieval.records.document_ids import id_of_record, is_document_id
from openplaybook.retrieval.records.faq_records import is_faq_header, read_faq
from openplaybook.retrieval.records.source_lines import RecordFault, RecordLimits, SourceLine, source_lines

LINES = (".jsonl", ".ndjson")
TABLES = (".csv",)

_LIMITS = RecordLimits(max_line=10 * 1024 * 1024)

ReadLine: TypeAlias = tuple[JsonObject, int] | str
"""A document and its bytes, about; or why there is none."""


def is_record_file(path: Path) -> bool:
    """Whether each line of a file is a document."""
    return path.suffix.lower() in (*LINES, *TABLES)


def read_record_file(path: Path) -> Iterator[ReadLine]:
    """What is in the lines of a file. Raises `CommandError` where it cannot be read as a whole."""
    read = _rows if path.suffix.lower() in TABLES else _lines
    try:
        with path.open("rb") as file:
            yield from read(file, path)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from error
    except InvalidSource as error:
        raise CommandError(f"{path}: {error}") from error


def _lines(file: BinaryIO, path: Path) -> Iterator[ReadLine]:
    for line in source_lines(file, _LIMITS):
        if isinstance(line, RecordFault):
            yield f"{path}, {line}"
        elif line.data.strip():
            yield _document(line, path)


def _document(line: SourceLine, path: Path) -> ReadLine:
    try:
        value = loads(line.data)
    except ValueError as error:
        return f"{path}, line {line.number}: not JSON ({error})"
    if not isinstance(value, dict):
        return f"{path}, line {line.number}: must be an object"
    return _record(as_object(value)), len(line.data)


def _rows(file: BinaryIO, path: Path) -> Iterator[ReadLine]:
    """Rows with values of the types that their columns have, or questions with answers as they are written."""
    header = CsvRows(file, _LIMITS).header
    file.seek(0)
    # A blank behind a comma makes no other table of one with questions: it is refused.
    is_faq = is_faq_header(tuple(name.strip() for name in header))
    for row in read_faq(file, _LIMITS) if is_faq else read_csv_records(file, limits=_LIMITS):
        if isinstance(row, RecordFault):
            yield f"{path}, {row}"
        else:
            yield _record(row.data), sum(len(str(value)) + 1 for value in row.data.values())


def _record(value: JsonObject) -> JsonObject:
    """A line as a document: one of Discovery Engine as it is, any other object as its data."""
    if "structData" in value or "jsonData" in value or "content" in value:
        return value
    given = value.get("id", value.get("_id"))
    own = str(given) if isinstance(given, str | int) else ""
    return {"id": own if is_document_id(own) else id_of_record(value), "structData": value}
