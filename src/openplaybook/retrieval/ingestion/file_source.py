"""Sources that are files: lines of documents, records in JSON or CSV, questions with answers, or each file a document.

A file is in memory as a whole while it is read, one at a time; what it holds is made documents a few at a time.
"""

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from io import BytesIO
from itertools import islice
from typing import BinaryIO, TypeAlias

from openplaybook.jsonvalues import as_object, is_deep, loads
from openplaybook.retrieval.base import StoreDocument, StoreType
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.ingestion.base import Reading, SourceBatch, SourceFault, SourceItem, SourcePlace
from openplaybook.retrieval.ingestion.document_form import DocumentForm, document_form
from openplaybook.retrieval.ingestion.document_reader import READING, DocumentReader, with_language
from openplaybook.retrieval.ingestion.form_source import (
    BATCH_BYTES,
    BATCH_DOCUMENTS,
    ContentLoader,
    NamedForm,
    form_batches,
)
from openplaybook.retrieval.ingestion.partial_forms import FormMerge
from openplaybook.retrieval.ingestion.reading_options import StoreReading
from openplaybook.retrieval.records.csv_records import read_csv_records
from openplaybook.retrieval.records.csv_rows import CsvRows
from openplaybook.retrieval.records.document_ids import digest_of, id_of_uri
from openplaybook.retrieval.records.faq_records import is_faq_header, read_faq
from openplaybook.retrieval.records.json_records import read_records
from openplaybook.retrieval.records.source_lines import RecordFault, RecordLimits, source_lines

FileContent: TypeAlias = Callable[[], AbstractAsyncContextManager[bytes]]
"""The bytes of a file, in memory while the block lasts. Raises `InvalidSource`."""

_Records: TypeAlias = Iterator[StoreDocument | RecordFault]


class FileForm(Enum):
    """What the files of an import hold (`GcsSource.data_schema`)."""

    DOCUMENT = "document"
    """A document in each line."""
    CONTENT = "content"
    """Each file is one."""
    CUSTOM = "custom"
    """A JSON object of any shape in each line."""
    CSV = "csv"
    """A header, and a record in each row; of questions with answers where the columns are theirs."""


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file to import."""

    uri: str
    content: FileContent


@dataclass(slots=True)
class RecordBatch:
    """Records that are documents already; implements `SourceBatch`."""

    end: SourcePlace
    items: list[SourceItem] = field(default_factory=list[SourceItem])
    faults: list[SourceFault] = field(default_factory=list[SourceFault])
    documents: list[StoreDocument] = field(default_factory=list[StoreDocument])

    async def read(self, wanted: Sequence[int]) -> Sequence[Reading]:
        """As the port says."""
        return [self.documents[at] for at in wanted]


@dataclass(frozen=True, slots=True)
class FileSource:
    """Files, one after the other; implements `DocumentSource`."""

    files: Sequence[NamedFile]
    form: FileForm
    reader: DocumentReader
    reading: StoreReading
    load: ContentLoader
    id_field: str = ""
    """Member or column that holds the ids of records; empty: `id`, or else the record's digest."""
    limits: RecordLimits = field(default_factory=RecordLimits)
    merge: FormMerge | None = None
    """Completes documents in lines of which some members are given; None: they are whole."""

    async def batches(self, begin: SourcePlace) -> AsyncIterator[SourceBatch]:
        """As the port says. A file that cannot be read is one fault."""
        for part in range(begin.part, len(self.files)):
            place = begin if part == begin.part else SourcePlace(part)
            file = self.files[part]
            try:
                async with file.content() as content:
                    async for batch in self._of(file.uri, content, place):
                        yield batch
            except InvalidSource as error:
                faults = [SourceFault(file.uri, str(error), error.code)]
                yield RecordBatch(SourcePlace(part), faults=faults)
            yield RecordBatch(SourcePlace(part + 1))

    def _of(self, uri: str, content: bytes, place: SourcePlace) -> "AsyncIterator[SourceBatch]":
        if self.form is FileForm.CONTENT:
            form = DocumentForm(id_of_uri(uri), {}, raw=content, uri=uri, kept={"content": {"uri": uri}})
            forms = islice([NamedForm(uri, form, len(content))], place.item, None)
            return form_batches(forms, self.reader, self.reading, self.load, place)
        if self.form is FileForm.DOCUMENT:
            forms = islice(_forms(uri, BytesIO(content), self.limits), place.item, None)
            return form_batches(forms, self.reader, self.reading, self.load, place, self.merge)
        return self._records(uri, content, place)

    async def _records(self, uri: str, content: bytes, place: SourcePlace) -> AsyncIterator[SourceBatch]:
        found = await READING.run(partial(self._opened, content))
        async for chunk in _chunks(found, place.item):
            place = replace(place, item=place.item + len(chunk))
            batch = RecordBatch(place)
            for each in chunk:
                if isinstance(each, RecordFault):
                    batch.faults.append(SourceFault(f"{uri}, line {each.line}", each.reason))
                else:
                    document = self._read_here(each)
                    batch.items.append(SourceItem(document.id, document.digest, uri))
                    batch.documents.append(document)
            yield batch

    def _opened(self, content: bytes) -> _Records:
        file, id_field = BytesIO(content), self.id_field or None
        if self.form is FileForm.CUSTOM:
            return read_records(file, id_field=id_field, limits=self.limits)
        is_faq = self.reading.facts.type is StoreType.STRUCTURED and is_faq_header(
            CsvRows(BytesIO(content), self.limits).header
        )
        if is_faq and id_field is None:
            return read_faq(file, self.limits)
        return read_csv_records(file, id_field=id_field, limits=self.limits)

    def _read_here(self, document: StoreDocument) -> StoreDocument:
        digest = digest_of(document.digest.encode(), self.reading.digested)
        return with_language(replace(document, digest=digest), self.reading)


def _forms(uri: str, file: BinaryIO, limits: RecordLimits) -> Iterator[NamedForm]:
    """The documents in the lines of a file, each with its place; empty lines are passed over."""
    for line in source_lines(file, limits):
        if isinstance(line, RecordFault):
            yield NamedForm(f"{uri}, line {line.line}", InvalidSource(line.reason), len(line.reason))
        elif line.data and not line.data.isspace():
            where = f"{uri}, line {line.number}"
            try:
                yield NamedForm(where, _form(line.data, limits), len(line.data))
            except InvalidSource as error:
                yield NamedForm(where, error, len(line.data))


def _form(line: bytes, limits: RecordLimits) -> DocumentForm:
    try:
        value = loads(line, most_exact=limits.max_exact)
    except ValueError as error:
        raise InvalidSource(f"it is malformed JSON: {error}") from error
    if not isinstance(value, dict):
        raise InvalidSource("it is no JSON object")
    if is_deep(value, limits.max_depth):
        raise InvalidSource(f"its objects and arrays lie in each other more than {limits.max_depth} levels deep")
    return document_form(as_object(value))


async def _chunks(found: _Records, skipped: int) -> AsyncIterator[Sequence[StoreDocument | RecordFault]]:
    """What is found behind so many, some at a time, taken in the lane."""
    await READING.run(lambda: deque(islice(found, skipped), maxlen=0))
    while chunk := await READING.run(partial(_some, found)):
        yield chunk


def _some(found: _Records) -> list[StoreDocument | RecordFault]:
    chunk: list[StoreDocument | RecordFault] = []
    held = 0
    for each in found:
        chunk.append(each)
        held += sum(len(passage.text) for passage in each.passages) if isinstance(each, StoreDocument) else 0
        if len(chunk) >= BATCH_DOCUMENTS or held >= BATCH_BYTES:
            break
    return chunk
