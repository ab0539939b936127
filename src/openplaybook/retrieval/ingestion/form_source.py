"""Sources of documents in Discovery Engine's form: inline, in lines of files, or each file one."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import NamedTuple, TypeAlias

from openplaybook.jsonvalues import JsonObject, as_object, rough_size
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.ingestion.base import Reading, SourceBatch, SourceFault, SourceItem, SourcePlace
from openplaybook.retrieval.ingestion.document_form import DocumentForm, document_form
from openplaybook.retrieval.ingestion.document_reader import READING, DigestedForm, DocumentReader, digested
from openplaybook.retrieval.ingestion.partial_forms import FormMerge
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


class NamedForm(NamedTuple):
    """A document, or why there is none."""

    where: str
    """What it is called in faults."""
    form: DocumentForm | InvalidSource
    size: int
    """Bytes that it takes in memory, about, without contents that are still to be loaded."""


@dataclass(slots=True)
class FormBatch:
    """A batch of documents in Discovery Engine's form; implements `SourceBatch`."""

    reader: DocumentReader
    reading: StoreReading
    end: SourcePlace
    items: list[SourceItem] = field(default_factory=list[SourceItem])
    """Once the batch is `closed`."""
    faults: list[SourceFault] = field(default_factory=list[SourceFault])
    bytes: int = 0
    _forms: list[DigestedForm] = field(default_factory=list[DigestedForm])
    _taken: list[tuple[str, DocumentForm]] = field(default_factory=list[tuple[str, DocumentForm]])

    def __len__(self) -> int:
        """Documents and faults."""
        return len(self._taken) + len(self.faults)

    @property
    def is_full(self) -> bool:
        """Whether it is to be put before more is read."""
        return len(self) >= BATCH_DOCUMENTS or self.bytes >= BATCH_BYTES

    def add(self, form: DocumentForm, where: str, size: int) -> None:
        """Take one more."""
        self._taken.append((where, form))
        self.bytes += size

    def refuse(self, where: str, error: InvalidSource) -> None:
        """Take one that is no document."""
        self.faults.append(SourceFault(where, str(error), error.code))

    def closed(self) -> "FormBatch":
        """The batch itself, once it knows the digests of its documents: they may be many bytes. Blocks."""
        self._forms = [digested(form, self.reading) for _, form in self._taken]
        pairs = zip(self._taken, self._forms, strict=True)
        self.items = [SourceItem(form.id, digest, where) for (where, form), (_, digest) in pairs]
        return self

    async def read(self, wanted: Sequence[int]) -> Sequence[Reading]:
        """As the port says."""
        readings = await self.reader.read([self._forms[at] for at in wanted], self.reading)
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
    merge: FormMerge | None = None
    """Completes documents of which some members are given; None: they are whole."""

    async def batches(self, begin: SourcePlace) -> AsyncIterator[SourceBatch]:
        """As the port says."""
        forms = self._forms(begin.item)
        async for batch in form_batches(forms, self.reader, self.reading, self.load, begin, self.merge):
            yield batch

    def _forms(self, begin: int) -> Iterator[NamedForm]:
        for number, document in zip(count(begin + 1), self.documents[begin:], strict=False):
            where = f"{self.where} {number}{_named(document)}"
            try:
                form = document_form(document)
            except InvalidSource as error:
                yield NamedForm(where, error, _DATA_BYTES)
            else:
                yield NamedForm(where, form, _DATA_BYTES + len(form.raw or b""))


def _named(document: JsonObject) -> str:
    """How its maker knows it, for people: ` (manual/returns.md)`; empty where it says nothing."""
    data = as_object(document.get("structData"))
    given = data.get("uri") or data.get("url") or document.get("id") or ""
    return f" ({given[:_LONGEST_NAME]})" if isinstance(given, str) and given else ""


async def form_batches(
    forms: Iterator[NamedForm],
    reader: DocumentReader,
    reading: StoreReading,
    load: ContentLoader,
    begin: SourcePlace,
    merge: FormMerge | None = None,
) -> AsyncIterator[FormBatch]:
    """Documents in batches, completed by `merge`; contents that lie elsewhere are loaded. What `forms` takes is done in
    the lane, for one batch while the one before it is put."""

    def begun(end: SourcePlace) -> "asyncio.Task[_Next]":
        batch = FormBatch(reader, reading, end)
        return asyncio.create_task(READING.run(partial(_next, forms, batch, is_whole=merge is None)))

    ahead = begun(begin)
    try:
        while (found := await ahead).some:
            if found.batch is not None:
                ahead = begun(found.batch.end)
                yield found.batch
                continue
            end = found.end
            async for batch in _loaded_batches(found.some, FormBatch(reader, reading, end), load, merge):
                end = batch.end
                yield batch
            ahead = begun(end)
    finally:
        ahead.cancel()
        await asyncio.wait((ahead,))
        if not ahead.cancelled():
            # Looked at: of what nobody takes any more, nobody is told.
            ahead.exception()


class _Next(NamedTuple):
    """What a source has next."""

    some: Sequence[NamedForm]
    """Nothing at its end."""
    batch: FormBatch | None
    """The batch of them, where all are here as a whole."""
    end: SourcePlace
    """Where they begin, as long as they are in no batch."""


def _next(forms: Iterator[NamedForm], batch: FormBatch, *, is_whole: bool) -> _Next:
    """The next ones, and the batch of them where all are here as a whole. Blocks."""
    some, begin = _some(forms), batch.end
    if not is_whole or any(_is_elsewhere(each.form) for each in some):
        return _Next(some, None, begin)
    for each in some:
        if isinstance(each.form, InvalidSource):
            batch.refuse(each.where, each.form)
        else:
            batch.add(each.form, each.where, each.size)
    batch.end = replace(begin, item=begin.item + len(some))
    return _Next(some, batch.closed(), begin)


def _is_elsewhere(form: DocumentForm | InvalidSource) -> bool:
    """Whether contents are still to be loaded."""
    return not isinstance(form, InvalidSource) and bool(form.uri) and form.raw is None


async def _loaded_batches(
    some: Sequence[NamedForm], batch: FormBatch, load: ContentLoader, merge: FormMerge | None
) -> AsyncIterator[FormBatch]:
    """Batches of these documents, with what is elsewhere; the first one is given."""
    place = batch.end
    for each in some:
        place = replace(place, item=place.item + 1)
        try:
            form, size = await _loaded(each, load, merge)
        except InvalidSource as error:
            batch.refuse(each.where, error)
        else:
            batch.add(form, each.where, size)
        batch.end = place
        if batch.is_full:
            yield await READING.run(batch.closed)
            batch = FormBatch(batch.reader, batch.reading, place)
    if len(batch):
        yield await READING.run(batch.closed)


def _some(forms: Iterator[NamedForm]) -> list[NamedForm]:
    """The next ones, as many as a batch may have."""
    taken: list[NamedForm] = []
    size = 0
    for each in forms:
        taken.append(each)
        size += each.size
        if len(taken) >= BATCH_DOCUMENTS or size >= BATCH_BYTES:
            break
    return taken


async def _loaded(named: NamedForm, load: ContentLoader, merge: FormMerge | None) -> tuple[DocumentForm, int]:
    """A document with its contents, and its bytes. Raises `InvalidSource`."""
    form = named.form
    if isinstance(form, InvalidSource):
        raise form
    if merge is not None:
        form = await merge(form)
        stored = rough_size(form.data, BATCH_BYTES) + len(form.raw or b"")
        named = named._replace(size=named.size + stored)
    if not _is_elsewhere(form):
        return form, named.size
    raw = await load(form.uri)
    return replace(form, raw=raw), named.size + len(raw)
