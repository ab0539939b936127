import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.passages.passage_cutter import PassageOptions
from openplaybook.services.discoveryengine.store_readings import reading_of

NAME = "projects/p/locations/global/collections/c/dataStores/d"


@pytest.mark.parametrize(
    ("chunking", "options"),
    [
        ({}, PassageOptions(500, include_headings=True)),
        ({"chunkSize": 200}, PassageOptions(200, include_headings=False)),
        ({"chunkSize": 100, "includeAncestorHeadings": True}, PassageOptions(100, include_headings=True)),
    ],
)
def test_files_are_cut_as_the_chunking_of_their_store_says(chunking: JsonObject, options: PassageOptions) -> None:
    config: JsonObject = {"chunkingConfig": {"layoutBasedChunkingConfig": chunking}}
    assert reading_of({"name": NAME, "documentProcessingConfig": config}).passages == options


def test_files_of_a_store_that_asks_for_no_chunks_are_not_cut() -> None:
    assert [reading_of({"name": NAME, **each}).is_whole for each in ({}, {"documentProcessingConfig": {}})] == [
        False,
        True,
    ]


def test_how_files_are_cut_is_part_of_the_digests_of_documents() -> None:
    readings = [
        reading_of({"name": NAME, "documentProcessingConfig": {"chunkingConfig": {"layoutBasedChunkingConfig": each}}})
        for each in ({"chunkSize": 200}, {"chunkSize": 200, "includeAncestorHeadings": True})
    ]
    assert readings[0].digested != readings[1].digested
