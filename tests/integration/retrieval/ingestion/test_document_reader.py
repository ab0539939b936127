"""Documents in Discovery Engine's form, with contents that child processes read."""

import zipfile
from base64 import b64encode
from io import BytesIO
from random import Random

import pytest
from docx import Document

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import Passage, StoreDocument, StoreFacts, StoreType
from openplaybook.retrieval.ingestion.document_import import DocumentImport
from openplaybook.retrieval.ingestion.document_reader import DocumentReader
from openplaybook.retrieval.ingestion.form_source import FormSource
from openplaybook.retrieval.ingestion.import_progress import ImportProgress
from openplaybook.retrieval.ingestion.reading_options import StoreReading
from openplaybook.retrieval.records.source_lines import RecordLimits
from tests.kit.memory_engine import MemoryEngine

STORE = "projects/p/locations/global/collections/c/dataStores/d"
FACTS = StoreFacts(STORE, "D", StoreType.UNSTRUCTURED)
MANUAL = (
    "# Lamp\n\nThe lamp stands on the table.\n\n## Switch\n\nThe red lever switches it on.\n\n## Bulb\n\nIt is a LED."
)


async def _imported(content: bytes, media_type: str, reading: StoreReading) -> tuple[ImportProgress, MemoryEngine]:
    given: JsonObject = {"id": "a", "content": {"mimeType": media_type, "rawBytes": b64encode(content).decode()}}
    engine = MemoryEngine()

    async def load(uri: str) -> bytes:
        raise AssertionError(uri)

    async def report(progress: ImportProgress) -> None: ...

    source = FormSource([given], DocumentReader(), reading, load)
    return await DocumentImport(engine, STORE).run(source, ImportProgress(), report), engine


@pytest.mark.parametrize(
    ("reading", "passages"),
    [
        (
            StoreReading(FACTS),
            (
                Passage("The lamp stands on the table.", ("Lamp",)),
                Passage("The red lever switches it on.", ("Lamp", "Switch")),
                Passage("It is a LED.", ("Lamp", "Bulb")),
            ),
        ),
        (
            StoreReading(FACTS, include_headings=False),
            (
                Passage("Lamp\n\nThe lamp stands on the table."),
                Passage("Switch\n\nThe red lever switches it on."),
                Passage("Bulb\n\nIt is a LED."),
            ),
        ),
        (
            StoreReading(FACTS, is_whole=True),
            (
                Passage(
                    "Lamp\n\nThe lamp stands on the table.\n\nSwitch\n\nThe red lever switches it on."
                    "\n\nBulb\n\nIt is a LED."
                ),
            ),
        ),
    ],
    ids=["with headings", "without headings", "whole"],
)
async def test_files_are_cut_as_their_store_wants(reading: StoreReading, passages: tuple[Passage, ...]) -> None:
    _, engine = await _imported(MANUAL.encode(), "text/markdown", reading)
    document = engine.stores[STORE]["a"]
    assert isinstance(document, StoreDocument)
    assert document.passages == passages


async def test_contents_in_a_message_may_be_longer_than_a_line_of_a_file() -> None:
    file, picture = BytesIO(), Random(1).randbytes(RecordLimits().max_line + 1)
    letter = Document()
    letter.add_paragraph("Dear customer, the lamp is on its way.")
    letter.save(file)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_STORED) as archive:
        archive.writestr("word/media/picture.png", picture)
    media_type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    progress, engine = await _imported(file.getvalue(), media_type, StoreReading(FACTS))
    assert progress.faults == ()
    assert [passage.text for passage in engine.stores[STORE]["a"].passages] == [
        "Dear customer, the lamp is on its way."
    ]


async def test_the_limit_of_a_text_is_told_that_is_too_long() -> None:
    progress, _ = await _imported(b"word " * 600_000, "text/plain", StoreReading(FACTS))
    [fault] = progress.faults
    assert fault.message == "it has more than 2.5 MB, the most for a text"
