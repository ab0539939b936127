"""Sources of documents in Discovery Engine's form: inline, in lines of files, or each file one."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.ingestion.base import Reading, SourceBatch, SourceFault, SourceItem, SourcePlace
from openplaybook.retrieval.ingestion.document_form import DocumentForm, document_form
from openplaybook.retrieval.ingestion.document_reader import DigestedForm, DocumentReader, digested
from openplaybook.retrieval.ingestion.reading_options import StoreReading

ContentLoader: TypeAlias = Callable[[str], Awaitable[bytes]]
"""The bytes that a URI names. Raises `InvalidSource`."""

BATCH_DOCUMENTS = 500
BATCH_BYTES = 4 * 1024 * 1024
"""Of the documents of one batch, unless it has one only."""
_LONGEST_NAME = 200
"""Characters of what a document is called in a fault."""
_DATA_BYTES = 500
"""That a document without contents is taken to have, about."""


@dataclass(slots=True)
class FormBatch:
    """A batch of documents in Discovery Engine's form; implements `SourceBatch`."""

    reader: DocumentReader
    reading: StoreReading
    end: SourcePlace
    items: list[SourceItem] = field(default_factory=list[SourceItem])
    faults: list[SourceFault] = field(default_factory=list[SourceFault])
    forms: list[DigestedForm] = field(default_factory=list[DigestedForm])
    bytes: int = 0

    @property
    def is_full(self) -> bool:
        """Whether it is to be put before more is read."""
        return len(self.items) + len(self.faults) >= BATCH_DOCUMENTS or self.bytes >= BATCH_BYTES

    def add(self, form: DocumentForm, where: str) -> None:
        """Take one more."""
        self.forms.append(digested(form, self.reading))
        self.items.append(SourceItem(form.id, self.forms[-1][1], where))
        self.bytes += _DATA_BYTES + len(form.raw or b"")

    async def read(self, wanted: Sequence[int]) -> Sequence[Reading]:
        """As the port says."""
        readings = await self.reader.read([self.forms[at] for at in wanted], self.reading)
        return [
            replace(read, where=self.items[at].where) if isinstance(read, SourceFault) else read
            for at, read in zip(wanted, readings, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class FormSource:
    """Documents in Discovery Engine's form that are in memory; implements `DocumentSource`."""

    documents: Sequence[JsonObject]
    reader: DocumentReader
    reading: StoreReading
    load: ContentLoader
    where: str = "document"
    """What one is called in faults, its number behind it."""

    async def batches(self, begin: SourcePlace) -> AsyncIterator[SourceBatch]:
        """As the port says."""
        async for batch in form_batches(self._forms(begin.item), self.reader, self.reading, self.load, begin):
            yield batch

    def _forms(self, begin: int) -> Iterable[tuple[str, DocumentForm | InvalidSource]]:
        for number, document in zip(count(begin + 1), self.documents[begin:], strict=False):
            where = f"{self.where} {number}{_named(document)}"
            try:
                yield where, document_form(document)
            except InvalidSource as error:
                yield where, error


def _named(document: JsonObject) -> str:
    """How its maker knows it, for people: ` (manual/returns.md)`; empty where it says nothing."""
    data = as_object(document.get("structData"))
    given = data.get("uri") or data.get("url") or document.get("id") or ""
    return f" ({given[:_LONGEST_NAME]})" if isinstance(given, str) and given else ""


async def form_batches(
    forms: Iterable[tuple[str, DocumentForm | InvalidSource]],
    reader: DocumentReader,
    reading: StoreReading,
    load: ContentLoader,
    begin: SourcePlace,
) -> AsyncIterator[FormBatch]:
    """Documents, each with what it is called in faults, in batches; contents that lie elsewhere are loaded."""
    place = begin
    batch = FormBatch(reader, reading, place)
    for where, form in forms:
        place = replace(place, item=place.item + 1)
        try:
            if isinstance(form, InvalidSource):
                raise form
            loaded = replace(form, raw=await load(form.uri)) if form.uri and form.raw is None else form
        except InvalidSource as error:
            batch.faults.append(SourceFault(where, str(error), error.code))
        else:
            batch.add(loaded, where)
        batch.end = place
        if batch.is_full:
            yield batch
            batch = FormBatch(reader, reading, place)
    if batch.items or batch.faults:
        yield batch
