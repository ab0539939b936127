"""Questions with their answers, from CSV as Dialogflow documents it for FAQ data stores.

A header is required, with the columns `question`, `answer`, and if wanted `title` and `url`, in any order. A blank
behind a comma and an empty line, also the last one, are errors.
"""

from collections.abc import Iterator, Mapping
from typing import BinaryIO, Final

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.records.csv_rows import CsvRow, CsvRows
from openplaybook.retrieval.records.document_ids import digest_of, id_of_record
from openplaybook.retrieval.records.record_text import title_of, uri_of
from openplaybook.retrieval.records.source_lines import RecordFault, RecordLimits

_LIMITS: Final = RecordLimits()
_QUESTION, _ANSWER, _TITLE, _URL = "question", "answer", "title", "url"
_REQUIRED: Final = (_QUESTION, _ANSWER)
_COLUMNS: Final = (*_REQUIRED, _TITLE, _URL)
LONGEST_QUESTION: Final = 2_000
"""Characters: what is asked is compared with the whole of it."""
_ALLOWED: Final = "the columns are question,answer and, if wanted, title and url"


def read_faq(file: BinaryIO, limits: RecordLimits = _LIMITS) -> Iterator[StoreDocument | RecordFault]:
    """A document for each question of a file that is open for reading, and a fault for each row that is none.

    Raises `InvalidSource` where the header is not as it has to be.
    """
    rows = CsvRows(file, limits)
    _check_header(rows.header)
    for row in rows:
        if isinstance(row, RecordFault):
            yield row
            continue
        cells = dict(zip(rows.header, row.cells, strict=False))
        fault = _fault(row, cells)
        yield RecordFault(row.line, fault) if fault else faq_document(cells)


def is_faq_header(header: tuple[str, ...]) -> bool:
    """Whether the columns of a CSV file are those of questions with answers."""
    return set(_REQUIRED) <= set(header) <= set(_COLUMNS)


def faq_document(entry: Mapping[str, str]) -> StoreDocument:
    """The document of a question with its answer, which is kept as it is. `title` and `url` may be missing."""
    data: JsonObject = {name: entry[name] for name in _COLUMNS if entry.get(name)}
    return StoreDocument(
        id=id_of_record(data),
        title=title_of(data),
        uri=uri_of(data),
        passages=(Passage(entry[_ANSWER]),),
        data=data,
        question=entry[_QUESTION],
        media_type="text/csv",
        digest=digest_of(data),
    )


def _check_header(header: tuple[str, ...]) -> None:
    for name in header:
        if name.strip() != name:
            raise InvalidSource(f'the header has a blank around "{name.strip()[:80]}"; no blank may follow a comma')
    if missing := [name for name in _REQUIRED if name not in header]:
        raise InvalidSource(f"the header has no column {missing[0]}; {_ALLOWED}")
    if strange := [name for name in header if name not in _COLUMNS]:
        raise InvalidSource(f'the header has the column "{strange[0][:80]}"; {_ALLOWED}')


def _fault(row: CsvRow, cells: Mapping[str, str]) -> str:
    """What is wrong with a row; empty where it is well."""
    if not row.cells:
        return "the line is empty"
    for name, cell in cells.items():
        if cell.startswith(" "):
            return f"a blank stands before the {name}; no blank may follow a comma"
    empty = next((name for name in _REQUIRED if not cells[name].strip()), "")
    if not empty and len(cells[_QUESTION]) > LONGEST_QUESTION:
        return f"the question has more than {LONGEST_QUESTION:,} characters"
    return f"the {empty} is empty" if empty else ""
