"""With an embedder, stores in its languages are searched by meaning besides words, once all passages have vectors."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.encoders.base import Purpose
from openplaybook.retrieval.base import Boost, Passage, SearchRequest, SearchResults, StoreDocument
from openplaybook.retrieval.embedded_engine import EmbeddedEngine
from openplaybook.retrieval.errors import EngineUnavailable
from openplaybook.retrieval.filters.syntax import AnyOf
from tests.kit.concept_embedder import ConceptEmbedder
from tests.kit.followed_store import STORE, all_found, document, found
from tests.kit.memory_catalog import MemoryCatalog

DOCUMENTS = [
    document("list", "The repair of a clock, and the repair of a watch"),
    document("garage", "Where an automobile has its repair done by people who know how", data={"kind": "old"}),
    document("other", "The museum of a vehicle by the sea"),
]
ASKED = SearchRequest("car repair", language="en")


@pytest.fixture
def catalog() -> MemoryCatalog:
    return MemoryCatalog()


@pytest.fixture
def embedder() -> ConceptEmbedder:
    return ConceptEmbedder()


@pytest.fixture
async def engine(catalog: MemoryCatalog, embedder: ConceptEmbedder, tmp_path: Path) -> AsyncIterator[EmbeddedEngine]:
    engine = EmbeddedEngine(catalog, tmp_path, embedder=embedder)
    yield engine
    await engine.close()


async def until(engine: EmbeddedEngine, is_met: Callable[[SearchResults], bool]) -> SearchResults:
    """What is found once it is so."""
    async with asyncio.timeout(20):
        while not is_met(results := await engine.search(STORE, ASKED)):  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0.01)
    return results


def folders(place: Path) -> list[Path]:
    """Of indexes and vectors."""
    return [path for path in place.glob("process-*/*") if path.is_dir()]


def ids(results: SearchResults) -> list[str]:
    return [hit.document for hit in results.hits]


async def test_what_means_the_same_comes_before_what_has_the_word(engine: EmbeddedEngine) -> None:
    await engine.put(STORE, DOCUMENTS)

    results = await found(engine, ASKED, ["garage", "list", "other"])

    assert results.notes == ()
    assert [hit.score for hit in results.hits] == sorted((hit.score for hit in results.hits), reverse=True)


async def test_words_alone_are_searched_until_each_passage_has_a_vector(
    engine: EmbeddedEngine, embedder: ConceptEmbedder
) -> None:
    embedder.hold()
    await engine.put(STORE, DOCUMENTS)
    await all_found(engine, 3)

    before = await engine.search(STORE, ASKED)
    embedder.release()
    await found(engine, ASKED, ["garage", "list", "other"])

    assert ids(before) == ["list", "garage"]
    assert before.notes == ("searched by words alone: 0 of 3 passages have vectors so far",)


class AwayAtFirst(MemoryCatalog):
    """Does not say at first which stores there are, as a database that is away for a moment."""

    is_away = True

    async def stores(self) -> Sequence[str]:
        if self.is_away:
            self.is_away = False
            raise EngineUnavailable("the database is away")
        return await super().stores()


async def test_a_catalog_that_is_away_at_first_costs_no_vectors_and_no_folder(
    embedder: ConceptEmbedder, tmp_path: Path
) -> None:
    engine = EmbeddedEngine(AwayAtFirst(), tmp_path, embedder=embedder)
    with pytest.raises(EngineUnavailable):
        await engine.put(STORE, DOCUMENTS)
    await engine.put(STORE, DOCUMENTS)
    await found(engine, ASKED, ["garage", "list", "other"])
    await engine.close()
    assert {path.parent.name for path in folders(tmp_path)} == {"process-0"}


async def test_only_what_changed_is_embedded_again(engine: EmbeddedEngine, embedder: ConceptEmbedder) -> None:
    await engine.put(STORE, DOCUMENTS)
    await found(engine, ASKED, ["garage", "list", "other"])
    embedder.passages.clear()

    await engine.put(STORE, [replace(DOCUMENTS[1], data={"kind": "new"}), document("other", "A car repair song")])
    await engine.delete(STORE, ["list"])
    await found(engine, ASKED, ["other", "garage"])

    assert embedder.passages == ["A car repair song"]


async def test_vectors_outlive_the_process_and_the_index(
    catalog: MemoryCatalog, engine: EmbeddedEngine, tmp_path: Path
) -> None:
    await engine.put(STORE, DOCUMENTS)
    await found(engine, ASKED, ["garage", "list", "other"])
    await engine.close()
    for folder in folders(tmp_path):
        if folder.suffix != ".vectors":
            shutil.rmtree(folder)

    again = ConceptEmbedder()
    second = EmbeddedEngine(catalog, tmp_path, embedder=again)
    results = await second.search(STORE, ASKED)
    await second.close()

    assert ids(results) == ["garage", "list", "other"]
    assert again.passages == []
    assert again.is_closed


async def test_what_was_made_before_an_end_is_not_made_again(
    catalog: MemoryCatalog, engine: EmbeddedEngine, embedder: ConceptEmbedder, tmp_path: Path
) -> None:
    many = [document(f"{number:02}", f"The repair of number {number}") for number in range(50)]
    embedder.most_passages = 40
    await engine.put(STORE, many)
    await until(engine, lambda results: "40 of 50" in "".join(results.notes))
    await engine.close()

    again = ConceptEmbedder()
    second = EmbeddedEngine(catalog, tmp_path, embedder=again)
    await until(second, lambda results: not results.notes)
    await second.close()

    assert again.passages == [each.passages[0].text for each in many[40:]]


async def test_another_model_makes_its_own_vectors(
    catalog: MemoryCatalog, engine: EmbeddedEngine, tmp_path: Path
) -> None:
    await engine.put(STORE, DOCUMENTS)
    await found(engine, ASKED, ["garage", "list", "other"])
    await engine.close()

    other = ConceptEmbedder("other concepts")
    second = EmbeddedEngine(catalog, tmp_path, embedder=other)
    await found(second, ASKED, ["garage", "list", "other"])
    await second.close()

    assert len(other.passages) == 3


async def test_a_store_that_is_filled_again_begins_anew(engine: EmbeddedEngine, tmp_path: Path) -> None:
    await engine.put(STORE, DOCUMENTS)
    await found(engine, ASKED, ["garage", "list", "other"])

    await engine.drop(STORE)
    left = folders(tmp_path)
    await engine.put(STORE, DOCUMENTS)

    assert left == []
    await found(engine, ASKED, ["garage", "list", "other"])


async def test_stores_in_other_languages_are_left_alone(engine: EmbeddedEngine, embedder: ConceptEmbedder) -> None:
    await engine.put(STORE, [replace(each, language="de") for each in DOCUMENTS])
    await all_found(engine, 3)

    results = await engine.search(STORE, SearchRequest("car repair"))

    assert sorted(ids(results)) == ["garage", "list"]
    assert (results.notes, embedder.passages, embedder.questions) == ((), [], [])


async def test_questions_in_other_languages_are_searched_by_their_words(
    engine: EmbeddedEngine, embedder: ConceptEmbedder
) -> None:
    await engine.put(STORE, DOCUMENTS)
    await found(engine, ASKED, ["garage", "list", "other"])
    embedder.questions.clear()

    declared = await engine.search(STORE, replace(ASKED, language="de"))
    seen = await engine.search(STORE, SearchRequest("Wo ist die repair von einem car"))

    assert (ids(declared), ids(seen)) == (["list", "garage"], ["list", "garage"])
    assert embedder.questions == []


async def test_filters_and_boosts_hold_for_what_is_near(engine: EmbeddedEngine) -> None:
    await engine.put(STORE, DOCUMENTS)
    await found(engine, ASKED, ["garage", "list", "other"])
    is_old = AnyOf("kind", ("old",))

    filtered = await engine.search(STORE, replace(ASKED, filter=is_old))
    lowered = await engine.search(STORE, replace(ASKED, boosts=[Boost(is_old, -1.0)]))

    assert ids(filtered) == ["garage"]
    assert ids(lowered) == ["list", "garage", "other"]


async def test_passages_of_one_document_are_limited_and_pages_follow_each_other(engine: EmbeddedEngine) -> None:
    texts = ("A car repair", "An automobile repair", "The repair of the sea")
    books = [StoreDocument(f"book{n}", "", "", tuple(map(Passage, texts)), language="en") for n in range(5)]
    await engine.put(STORE, books)
    await until(engine, lambda results: len(results.hits) == 5 and not results.notes)

    one = await engine.search(STORE, ASKED)
    two = await engine.search(STORE, replace(ASKED, most_per_document=2, limit=100))
    pages = [
        await engine.search(STORE, replace(ASKED, most_per_document=0, limit=4, offset=at)) for at in (0, 4, 8, 12)
    ]

    assert len(set(ids(one))) == len(one.hits) == 5
    assert sorted(ids(two)) == sorted(2 * ids(one))
    places = [(hit.document, hit.passage) for page in pages for hit in page.hits]
    assert len(places) == len(set(places)) == 15


async def test_a_model_that_fails_is_a_note(engine: EmbeddedEngine, embedder: ConceptEmbedder) -> None:
    await engine.put(STORE, DOCUMENTS)
    await found(engine, ASKED, ["garage", "list", "other"])

    embedder.failing = Purpose.QUESTION
    results = await engine.search(STORE, ASKED)

    assert ids(results) == ["list", "garage"]
    assert results.notes == ("searched by words alone: the model is out",)


async def test_a_model_that_makes_no_vectors_is_a_note(engine: EmbeddedEngine, embedder: ConceptEmbedder) -> None:
    embedder.failing = Purpose.PASSAGE
    await engine.put(STORE, DOCUMENTS)

    results = await until(engine, lambda results: "out" in "".join(results.notes) and len(results.hits) == 2)

    assert results.notes == ("searched by words alone: 0 of 3 passages have vectors so far: the model is out",)


async def test_a_question_with_no_word_of_the_store_finds_what_is_near(engine: EmbeddedEngine) -> None:
    await engine.put(STORE, DOCUMENTS)
    await found(engine, ASKED, ["garage", "list", "other"])
    car = SearchRequest("car", language="en", explain=True)

    near = await engine.search(STORE, car)
    second = await engine.search(STORE, replace(car, limit=1, offset=1))
    filtered = await engine.search(STORE, replace(car, filter=AnyOf("kind", ("old",))))

    assert ids(near) == ["garage", "other", "list"]
    assert (near.total, [hit.matched for hit in near.hits]) == (3, [(), (), ()])
    assert ids(second) == ["other"]
    assert ids(filtered) == ["garage"]


async def test_what_is_near_is_found_where_a_filter_leaves_nothing_with_the_words(engine: EmbeddedEngine) -> None:
    await engine.put(STORE, DOCUMENTS)
    await found(engine, ASKED, ["garage", "list", "other"])

    results = await engine.search(STORE, SearchRequest("car museum", language="en", filter=AnyOf("kind", ("old",))))

    assert ids(results) == ["garage"]


async def test_the_folder_is_free_though_the_embedder_fails_to_close(
    catalog: MemoryCatalog, embedder: ConceptEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing() -> None:
        raise RuntimeError("cannot close")

    monkeypatch.setattr(embedder, "aclose", failing)
    engine = EmbeddedEngine(catalog, tmp_path, embedder=embedder)
    await engine.put(STORE, DOCUMENTS)
    await engine.search(STORE, ASKED)
    with pytest.raises(RuntimeError, match="cannot close"):
        await engine.close()
    again = EmbeddedEngine(catalog, tmp_path)
    await again.search(STORE, ASKED)
    assert len(os.listdir(tmp_path)) == 1
    await again.close()
