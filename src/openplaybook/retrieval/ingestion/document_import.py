"""`DocumentImport`: fills a store from a source, batch by batch, and can be taken up where it was interrupted.

A document that has the digest of its source already is not read again. What cannot be read is counted and told, and the
rest goes on. A batch is in the store, and in the reported progress, before the next one is read.
"""

from array import array
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TypeAlias

from openplaybook.retrieval.base import SearchEngine, StoreDocument, document_pages
from openplaybook.retrieval.ingestion.base import DocumentSource, SourceBatch, SourceFault, SourcePlace
from openplaybook.retrieval.ingestion.import_progress import ImportProgress
from openplaybook.retrieval.ingestion.loop_courtesy import LoopCourtesy

ProgressReport: TypeAlias = Callable[[ImportProgress], Awaitable[None]]
"""Told after each batch; what it was told of is in the store."""

FaultReport: TypeAlias = Callable[[SourcePlace, Sequence[SourceFault]], Awaitable[None]]
"""Told what went wrong in a batch, and where the batch ends, before its progress is; after an interruption perhaps once
more."""

_ID_BYTES = 8


class SeenIds:
    """A set of ids, eight bytes each: millions of them fit in memory.

    With a million of them, one id in 10¹³ or so passes for seen that was not.
    """

    def __init__(self) -> None:
        self._digests = array("Q")
        self._is_sorted = True

    def add(self, ids: Iterable[str]) -> None:
        """Add ids; those already there may be among them."""
        self._digests.extend(map(_short_digest, ids))
        self._is_sorted = False

    def __contains__(self, id: str) -> bool:
        if not self._is_sorted:
            self._digests = array("Q", sorted(self._digests))
            self._is_sorted = True
        digest = _short_digest(id)
        place = bisect_left(self._digests, digest)
        return place < len(self._digests) and self._digests[place] == digest

    def __len__(self) -> int:
        """Ids that were added, those that came twice counted twice."""
        return len(self._digests)


def _short_digest(id: str) -> int:
    return int.from_bytes(blake2b(id.encode(), digest_size=_ID_BYTES).digest(), "big")


@dataclass(frozen=True, slots=True)
class DocumentImport:
    """One import into one store."""

    engine: SearchEngine
    store: str
    is_full: bool = False
    """Whether documents that the source does not have are deleted at the end. Such an import begins anew after an
    interruption."""
    is_forced: bool = False
    """Whether documents are read although they are up to date."""
    tell: FaultReport | None = None

    async def run(self, source: DocumentSource, begun: ImportProgress, report: ProgressReport) -> ImportProgress:
        """Put all of the source, which is found soon after; how it ended.

        Raises `InvalidSource`, `QuotaExceeded`, `EngineUnavailable`.
        """
        progress = ImportProgress(total=begun.total) if self.is_full else begun
        seen = SeenIds() if self.is_full else None
        courtesy = LoopCourtesy()
        async for batch in source.batches(progress.place):
            if seen is not None:
                seen.add(item.id for item in batch.items)
            progress = await self._put(batch, progress)
            await report(progress)
            if batch.items:
                await courtesy.rest()
        if seen is not None:
            progress = replace(progress, deleted=await self._delete_unseen(seen))
            await report(progress)
        return progress

    async def _put(self, batch: SourceBatch, progress: ImportProgress) -> ImportProgress:
        wanted = await self._changed(batch)
        readings = await batch.read(wanted) if wanted else ()
        documents = [reading for reading in readings if isinstance(reading, StoreDocument)]
        faults = [reading for reading in readings if isinstance(reading, SourceFault)]
        if documents:
            await self.engine.put(self.store, _last_of_each(documents))
        if self.tell is not None and (batch.faults or faults):
            await self.tell(batch.end, [*batch.faults, *faults])
        return replace(
            progress.with_faults(*batch.faults, *faults),
            place=batch.end,
            put=progress.put + len(documents),
            questions=progress.questions + sum(bool(document.question) for document in documents),
            unchanged=progress.unchanged + len(batch.items) - len(wanted),
        )

    async def _changed(self, batch: SourceBatch) -> list[int]:
        """Positions of the items that the store does not have as they are."""
        if self.is_forced:
            return [*range(len(batch.items))]
        known = await self.engine.digests(self.store, [item.id for item in batch.items])
        return [at for at, item in enumerate(batch.items) if not item.digest or known.get(item.id) != item.digest]

    async def _delete_unseen(self, seen: SeenIds) -> int:
        """Delete what the source does not have; how many there were."""
        deleted = 0
        async for documents in document_pages(self.engine, self.store):
            gone = [document.id for document in documents if document.id not in seen]
            if gone:
                deleted += await self.engine.delete(self.store, gone)
        return deleted


def _last_of_each(documents: Sequence[StoreDocument]) -> list[StoreDocument]:
    """Without those whose id comes again further on."""
    return [*{document.id: document for document in documents}.values()]
