"""What a file holds, a few documents at a time."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import dumps, loads
from openplaybook.retrieval.base import StoreDocument, StoreFacts, StoreType
from openplaybook.retrieval.ingestion.base import SourceBatch, SourceFault, SourcePlace
from openplaybook.retrieval.ingestion.document_reader import DocumentReader
from openplaybook.retrieval.ingestion.file_source import FileForm, FileSource, NamedFile
from openplaybook.retrieval.ingestion.form_source import BATCH_BYTES
from openplaybook.retrieval.ingestion.import_progress import MOST_FAULTS, ImportProgress
from openplaybook.retrieval.ingestion.reading_options import StoreReading

URI = "gs://bucket/file"
START = SourcePlace()
READING = StoreReading(StoreFacts("projects/p/locations/l/collections/c/dataStores/d", "D", StoreType.STRUCTURED))


def source(content: bytes, form: FileForm) -> FileSource:
    @asynccontextmanager
    async def opened() -> AsyncGenerator[bytes]:
        yield content

    async def load(uri: str) -> bytes:
        raise AssertionError(uri)

    return FileSource([NamedFile(URI, opened)], form, DocumentReader(), READING, load)


async def batches(content: bytes, form: FileForm, begin: SourcePlace = START) -> Sequence[SourceBatch]:
    return [batch async for batch in source(content, form).batches(begin)]


async def test_a_batch_holds_as_many_lines_as_are_in_memory_together() -> None:
    line = dumps({"structData": {"text": "x" * 500_000}, "id": "a"})
    counts = [len(batch.items) for batch in await batches(b"\n".join([line] * 20), FileForm.DOCUMENT)]
    assert sum(counts) == 20
    assert max(counts) <= BATCH_BYTES // 500_000 + 1


async def test_a_batch_ends_where_the_next_one_begins() -> None:
    lines = [dumps({"structData": {"number": number}, "id": f"d{number}"}) for number in range(700)]
    content = b"\n\n".join([*lines, b"{", b'{"colour": 1}'])
    first, second, _ = await batches(content, FileForm.DOCUMENT)
    assert (len(first.items), len(second.items), len(second.faults)) == (500, 200, 2)
    assert (first.end, second.end) == (SourcePlace(0, 500), SourcePlace(0, 702))
    again = (await batches(content, FileForm.DOCUMENT, first.end))[0]
    assert ([each.id for each in again.items], again.faults) == ([each.id for each in second.items], second.faults)


async def test_faults_of_any_length_are_told_in_short() -> None:
    line = dumps({"x" * 1_000_000: 1})
    [batch, _] = await batches(line, FileForm.DOCUMENT)
    assert [len(fault.message) < 300 for fault in batch.faults] == [True]
    progress = ImportProgress().with_faults(*[SourceFault("w" * 100_000, "m" * 100_000)] * 3)
    told = progress.with_faults(*[SourceFault("where", "message")] * MOST_FAULTS)
    assert (told.failed, len(told.faults)) == (MOST_FAULTS + 3, MOST_FAULTS)
    assert max(len(each.where) + len(each.message) for each in told.faults) < 4_000
    assert told.faults[-1] == SourceFault("where", "message")


@pytest.mark.parametrize("form", [FileForm.DOCUMENT, FileForm.CUSTOM, FileForm.CSV])
@settings(deadline=None)
@given(
    lines=st.lists(
        st.binary(max_size=20)
        | st.sampled_from([b'{"id":"a","jsonData":"{}"}', b"question,answer", b'"', b"a,b", b"[[[["])
        | st.recursive(st.none() | st.floats() | st.text(max_size=4), lambda inner: st.dictionaries(st.text(), inner))
        .map(lambda value: {"structData": value, "id": "x"})
        .filter(lambda value: _is_json(value))
        .map(dumps),
        max_size=6,
    )
)
async def test_any_lines_are_documents_or_faults(form: FileForm, lines: list[bytes]) -> None:
    for batch in await batches(b"\n".join(lines), form):
        read = await batch.read(range(len(batch.items)))
        assert all(isinstance(each, StoreDocument | SourceFault) for each in read)


def _is_json(value: object) -> bool:
    try:
        return bool(loads(dumps(value)))
    except (TypeError, ValueError):
        return False
