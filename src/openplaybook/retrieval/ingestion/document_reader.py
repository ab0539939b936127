"""`DocumentReader`: from documents as they came to documents as a store holds them.

Files are read in child processes; all else in the threads of one lane. What one document is refused for is told in its
place, and the others go on.
"""

from collections.abc import Sequence
from dataclasses import replace

from openplaybook.retrieval.base import StoreDocument, StoreType
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import ExtractedDocument, SourceFile
from openplaybook.retrieval.ingestion.base import Reading, SourceFault
from openplaybook.retrieval.ingestion.document_form import DocumentForm
from openplaybook.retrieval.ingestion.reading_options import StoreReading
from openplaybook.retrieval.language.detection import primary_subtag
from openplaybook.retrieval.passages.passage_cutter import FileDescription, PassageOptions, document_of_file
from openplaybook.retrieval.records.document_ids import digest_of
from openplaybook.retrieval.records.faq_records import faq_document, is_faq_header
from openplaybook.retrieval.records.json_records import structured_document
from openplaybook.workers.lanes import Lane

READING = Lane("documents of stores", threads=1, waiting=256, seconds=900)
"""Parsing records, and waiting for child processes that parse files. One thread: turns go before imports."""


class DocumentReader:
    """Reads for one store at a time, for any number of stores at once."""

    async def read(self, forms: Sequence[DocumentForm], reading: StoreReading) -> Sequence[Reading]:
        """The documents, in the same order. Raises `WorkError` where too much waits to be read."""
        return await READING.run(lambda: read_forms(forms, reading))


def digest_of_form(form: DocumentForm, reading: StoreReading) -> str:
    """What the digest of the document will be."""
    return digest_of(form.raw or b"", form.data, {"mediaType": form.media_type, "uri": form.uri, "read": reading.form})


def read_forms(forms: Sequence[DocumentForm], reading: StoreReading) -> list[Reading]:
    """The same. Blocks."""
    found: list[Reading | None] = [None if form.has_content else _of_data(form, reading) for form in forms]
    files = [at for at, form in enumerate(forms) if form.has_content]
    for at, document in zip(files, _of_files([forms[at] for at in files], reading), strict=True):
        found[at] = document
    return [each for each in found if each is not None]


def with_language(document: StoreDocument, reading: StoreReading) -> StoreDocument:
    """The document, with the language that its store declares where it has none of its own."""
    declared = primary_subtag(reading.facts.language)
    return replace(document, language=declared) if declared and not document.language else document


def _of_data(form: DocumentForm, reading: StoreReading) -> StoreDocument:
    entry = {name: value for name, value in form.data.items() if isinstance(value, str)}
    is_entry = len(entry) == len(form.data) and is_faq_header(tuple(entry)) and bool(entry["question"].strip())
    if is_entry and reading.facts.type is StoreType.STRUCTURED:
        made = faq_document(entry)
    else:
        made = structured_document(form.id, form.data)
    return with_language(replace(made, id=form.id, digest=digest_of_form(form, reading), source=form.kept), reading)


def _of_files(forms: Sequence[DocumentForm], reading: StoreReading) -> list[Reading]:
    if not forms:
        return []
    # It imports parsers of many formats: not before a file is to be read.
    from openplaybook.retrieval.extraction.extraction_process import extract_all

    files = [SourceFile(form.uri or _named(form), form.raw or b"", form.media_type, reading.options) for form in forms]
    return [
        SourceFault(form.id, str(found)) if isinstance(found, InvalidSource) else _of_file(form, found, reading)
        for form, found in zip(forms, extract_all(files), strict=True)
    ]


def _of_file(form: DocumentForm, extracted: ExtractedDocument, reading: StoreReading) -> StoreDocument:
    description = FileDescription(form.uri, digest_of_form(form, reading), form.id, form.data, form.kept)
    made = document_of_file(extracted, description, PassageOptions(chunk_size=reading.most_tokens))
    return with_language(made, reading)


def _named(form: DocumentForm) -> str:
    """A name for contents that came without one: its ending may tell the format."""
    address = form.data.get("uri") or form.data.get("url")
    return address if isinstance(address, str) else form.id
