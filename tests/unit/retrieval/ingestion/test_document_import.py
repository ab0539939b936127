from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import pytest

from openplaybook.retrieval.base import StoreDocument
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.ingestion.base import Reading, SourceBatch, SourceFault, SourceItem, SourcePlace
from openplaybook.retrieval.ingestion.document_import import DocumentImport, SeenIds
from openplaybook.retrieval.ingestion.import_progress import (
    MOST_FAULTS,
    ImportProgress,
    progress_from_json,
    progress_to_json,
)
from tests.kit.memory_engine import MemoryEngine

STORE = "projects/p/locations/global/collections/c/dataStores/d"


@dataclass
class Batch:
    end: SourcePlace
    items: list[SourceItem]
    faults: list[SourceFault] = field(default_factory=list[SourceFault])
    read_ids: list[str] = field(default_factory=list[str])

    async def read(self, wanted: Sequence[int]) -> Sequence[Reading]:
        self.read_ids = [self.items[at].id for at in wanted]
        return [
            SourceFault(item.where, "it is unreadable")
            if item.id.startswith("bad")
            else StoreDocument(item.id, "", "", (), digest=item.digest)
            for item in (self.items[at] for at in wanted)
        ]


@dataclass
class Source:
    """Batches of ids; the digest of a document is that of its source's edition."""

    ids: Sequence[Sequence[str]]
    edition: str = "1"
    begins: list[SourcePlace] = field(default_factory=list[SourcePlace])
    batches_: list[Batch] = field(default_factory=list[Batch])

    async def batches(self, begin: SourcePlace) -> AsyncIterator[SourceBatch]:
        self.begins.append(begin)
        for number, ids in enumerate(self.ids):
            if number >= begin.part:
                batch = Batch(SourcePlace(number + 1), [SourceItem(id, self.edition, f"item {id}") for id in ids])
                self.batches_.append(batch)
                yield batch


@dataclass
class Reports:
    """What was reported; one of them may be the last that the process lives to see."""

    told: list[ImportProgress] = field(default_factory=list[ImportProgress])
    dies_at: int = 0

    async def __call__(self, progress: ImportProgress) -> None:
        self.told.append(progress)
        if len(self.told) == self.dies_at:
            raise KeyboardInterrupt


@pytest.fixture
def engine() -> MemoryEngine:
    return MemoryEngine()


async def test_documents_are_put_batch_by_batch_and_reported(engine: MemoryEngine) -> None:
    reports = Reports()
    done = await DocumentImport(engine, STORE).run(Source([["a", "b"], ["c"]]), ImportProgress(total=3), reports)
    assert engine.puts == [["a", "b"], ["c"]]
    assert [progress.put for progress in reports.told] == [2, 3]
    assert done == reports.told[-1]
    assert (done.place, done.total) == (SourcePlace(2), 3)


async def test_what_is_up_to_date_is_not_read_again(engine: MemoryEngine) -> None:
    await DocumentImport(engine, STORE).run(Source([["a", "b"]]), ImportProgress(), Reports())
    again = Source([["a", "b", "c"]])
    done = await DocumentImport(engine, STORE).run(again, ImportProgress(), Reports())
    assert again.batches_[0].read_ids == ["c"]
    assert (done.put, done.unchanged, done.succeeded) == (1, 2, 3)


async def test_what_is_up_to_date_is_read_again_where_that_is_asked_for(engine: MemoryEngine) -> None:
    await DocumentImport(engine, STORE).run(Source([["a"]]), ImportProgress(), Reports())
    again = Source([["a"]])
    await DocumentImport(engine, STORE, is_forced=True).run(again, ImportProgress(), Reports())
    assert again.batches_[0].read_ids == ["a"]


async def test_faults_are_counted_and_the_first_of_them_told(engine: MemoryEngine) -> None:
    ids = [f"bad{number}" for number in range(MOST_FAULTS + 5)]
    done = await DocumentImport(engine, STORE).run(Source([[*ids, "good"]]), ImportProgress(), Reports())
    assert (done.failed, len(done.faults), done.put) == (MOST_FAULTS + 5, MOST_FAULTS, 1)
    assert done.faults[0] == SourceFault("item bad0", "it is unreadable")


async def test_of_two_documents_with_one_id_the_last_counts(engine: MemoryEngine) -> None:
    await DocumentImport(engine, STORE).run(Source([["a", "b", "a"]]), ImportProgress(), Reports())
    assert engine.puts == [["a", "b"]]


async def test_an_interrupted_import_goes_on_behind_the_last_report(engine: MemoryEngine) -> None:
    reports = Reports(dies_at=1)
    with pytest.raises(KeyboardInterrupt):
        await DocumentImport(engine, STORE).run(Source([["a"], ["b"]]), ImportProgress(), reports)
    kept = progress_from_json(progress_to_json(reports.told[-1]))
    rest = Source([["a"], ["b"]])
    done = await DocumentImport(engine, STORE).run(rest, kept, Reports())
    assert rest.begins == [SourcePlace(1)]
    assert (done.put, sorted(engine.stores[STORE])) == (2, ["a", "b"])


async def test_a_full_import_deletes_what_the_source_no_longer_has(engine: MemoryEngine) -> None:
    await DocumentImport(engine, STORE).run(
        Source([[f"old{number:03}" for number in range(450)]]), ImportProgress(), Reports()
    )
    source = Source([["old007"], ["new"]])
    done = await DocumentImport(engine, STORE, is_full=True).run(source, ImportProgress(), Reports())
    assert (done.deleted, done.unchanged, done.put) == (449, 1, 1)
    assert sorted(engine.stores[STORE]) == ["new", "old007"]


async def test_a_full_import_begins_anew_after_an_interruption(engine: MemoryEngine) -> None:
    interrupted = ImportProgress(place=SourcePlace(1), put=1, total=2)
    source = Source([["a"], ["b"]])
    done = await DocumentImport(engine, STORE, is_full=True).run(source, interrupted, Reports())
    assert source.begins == [SourcePlace(0)]
    assert (done.put, done.total, sorted(engine.stores[STORE])) == (2, 2, ["a", "b"])


def test_progress_comes_back_as_it_was_stored() -> None:
    progress = ImportProgress(SourcePlace(2, 7), 1, 2, 3, 4, 5, 6, (SourceFault("w", "m", "NOT_FOUND"),))
    assert progress_from_json(progress_to_json(progress)) == progress


def test_progress_of_a_newer_form_is_refused() -> None:
    with pytest.raises(InvalidSource, match="form 2"):
        progress_from_json({**progress_to_json(ImportProgress()), "form": 2})


def test_ids_that_were_seen_are_known_also_between_additions() -> None:
    seen = SeenIds()
    seen.add(["a", "b"])
    assert "a" in seen
    assert "c" not in seen
    seen.add(["c"])
    assert "c" in seen
    assert "d" not in seen
