"""`DocumentReader`: from documents as they came to documents as a store holds them.

Files are read in child processes; all else in the threads of one lane. What one document is refused for is told in its
place, and the others go on.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import Passage, StoreDocument, StoreType
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import ExtractedDocument, SourceFile
from openplaybook.retrieval.ingestion.base import Reading, SourceFault
from openplaybook.retrieval.ingestion.document_form import DocumentForm
from openplaybook.retrieval.ingestion.reading_options import StoreReading
from openplaybook.retrieval.passages.passage_cutter import FileDescription, document_of_file
from openplaybook.retrieval.records.document_ids import digest_of
from openplaybook.retrieval.records.faq_records import LONGEST_QUESTION, faq_document, is_faq_header
from openplaybook.retrieval.records.record_text import named_lines, title_of, uri_of
from openplaybook.workers.lanes import Lane

READING = Lane("documents of stores", threads=2, waiting=256, seconds=900)
"""Parsing records, and waiting for child processes that parse files."""

DigestedForm: TypeAlias = tuple[DocumentForm, str]
"""A document, with the digest that it will have."""


class DocumentReader:
    """Reads for one store at a time, for any number of stores at once."""

    async def read(self, forms: Sequence[DigestedForm], reading: StoreReading) -> Sequence[Reading]:
        """The documents, in the same order. Raises `WorkError` where too much waits to be read."""
        return await READING.run(lambda: read_forms(forms, reading))


def digested(form: DocumentForm, reading: StoreReading) -> DigestedForm:
    """The same with the digest that the document will have."""
    told = f"{form.media_type}\n{form.uri}\n".encode("utf-8", "surrogatepass")
    return form, digest_of(form.raw or b"", form.data, told + reading.digested)


def read_forms(forms: Sequence[DigestedForm], reading: StoreReading) -> list[Reading]:
    """The same. Blocks."""
    found: list[Reading | None] = [
        None if form.has_content else _of_data(form, digest, reading) for form, digest in forms
    ]
    files = [at for at, (form, _) in enumerate(forms) if form.has_content]
    for at, document in zip(files, _of_files([forms[at] for at in files], reading), strict=True):
        found[at] = document
    return [each for each in found if each is not None]


def with_language(document: StoreDocument, reading: StoreReading) -> StoreDocument:
    """The document, with the language that its store declares where it has none of its own."""
    return replace(document, language=reading.language) if reading.language and not document.language else document


def _of_data(form: DocumentForm, digest: str, reading: StoreReading) -> StoreDocument:
    entry = _faq_entry(form.data) if reading.facts.type is StoreType.STRUCTURED else None
    if entry is not None:
        return replace(faq_document(entry), id=form.id, digest=digest, source=form.kept, language=reading.language)
    text = named_lines(form.data)
    return StoreDocument(
        id=form.id,
        title=title_of(form.data),
        uri=uri_of(form.data),
        passages=(Passage(text),) if text else (),
        data=form.data,
        language=reading.language,
        media_type="application/json",
        digest=digest,
        source=form.kept,
    )


def _faq_entry(data: JsonObject) -> dict[str, str] | None:
    """The question with its answer that data are; None where they are something else."""
    if "question" not in data or not is_faq_header(tuple(data)):
        return None
    entry = {name: value for name, value in data.items() if isinstance(value, str)}
    if len(entry) < len(data) or len(entry["question"]) > LONGEST_QUESTION:
        return None
    return entry if entry["question"].strip() and entry["answer"].strip() else None


def _of_files(forms: Sequence[DigestedForm], reading: StoreReading) -> list[Reading]:
    if not forms:
        return []
    # It imports parsers of many formats: not before a file is to be read.
    from openplaybook.retrieval.extraction.extraction_process import extract_all

    files = [
        SourceFile(form.uri or _named(form), form.raw or b"", form.media_type, reading.options) for form, _ in forms
    ]
    return [
        SourceFault(form.id, str(found)) if isinstance(found, InvalidSource) else _of_file(form, digest, found, reading)
        for (form, digest), found in zip(forms, extract_all(files), strict=True)
    ]


def _of_file(form: DocumentForm, digest: str, extracted: ExtractedDocument, reading: StoreReading) -> StoreDocument:
    description = FileDescription(form.uri, digest, form.id, form.data, form.kept)
    made = document_of_file(extracted, description, reading.passages)
    return with_language(made, reading)


def _named(form: DocumentForm) -> str:
    """A name for contents that came without one: its ending may tell the format."""
    address = form.data.get("uri") or form.data.get("url")
    return address if isinstance(address, str) else form.id
