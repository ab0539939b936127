"""Documents in Discovery Engine's form, a batch ahead of whoever takes them."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from openplaybook.retrieval.base import StoreFacts, StoreType
from openplaybook.retrieval.ingestion.base import SourcePlace
from openplaybook.retrieval.ingestion.document_form import document_form
from openplaybook.retrieval.ingestion.document_reader import DocumentReader
from openplaybook.retrieval.ingestion.form_source import BATCH_DOCUMENTS, NamedForm, form_batches
from openplaybook.retrieval.ingestion.reading_options import StoreReading

READING = StoreReading(StoreFacts("projects/p/locations/l/collections/c/dataStores/d", "D", StoreType.STRUCTURED))


def named(number: int) -> NamedForm:
    form = document_form({"id": f"d{number}", "structData": {"number": number}})
    return NamedForm(f"document {number}", form, 500)


async def no_content(uri: str) -> bytes:
    raise AssertionError(uri)


async def test_a_batch_is_read_while_the_one_before_it_is_put() -> None:
    is_ahead = threading.Event()

    def forms() -> Iterator[NamedForm]:
        for number in range(3 * BATCH_DOCUMENTS):
            if number == BATCH_DOCUMENTS:
                is_ahead.set()
            yield named(number)

    ends: list[SourcePlace] = []
    async for batch in form_batches(forms(), DocumentReader(), READING, no_content, SourcePlace()):
        assert await asyncio.to_thread(is_ahead.wait, 30)
        ends.append(batch.end)
    assert [each.item for each in ends] == [BATCH_DOCUMENTS, 2 * BATCH_DOCUMENTS, 3 * BATCH_DOCUMENTS]


async def test_what_fails_ahead_is_raised_behind_the_batches_before_it() -> None:
    def forms() -> Iterator[NamedForm]:
        yield from map(named, range(BATCH_DOCUMENTS))
        raise OSError("the disk is gone")

    batches = aiter(form_batches(forms(), DocumentReader(), READING, no_content, SourcePlace()))
    assert len(await anext(batches)) == BATCH_DOCUMENTS
    with pytest.raises(OSError, match="the disk is gone"):
        await anext(batches)
