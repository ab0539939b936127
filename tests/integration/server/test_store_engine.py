import asyncio
from pathlib import Path

import pytest

from openplaybook.egress.address_policy import AddressPolicy
from openplaybook.encoders.errors import EncoderUnusable
from openplaybook.retrieval.base import Passage, SearchRequest, StoreDocument
from openplaybook.retrieval.errors import QuotaExceeded
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.server.store_engine import LateEngine, embedded_engine, engine_of
from openplaybook.server.transports import LateTransport
from openplaybook.storage.data_directory import DataDirectory
from tests.kit.memory_engine import MemoryEngine

STORE = "projects/p/locations/global/collections/c/dataStores/d"
DOCUMENT = StoreDocument("a", "A", "", (Passage("a heron stands"),))


async def test_an_engine_is_opened_with_its_first_call_and_once() -> None:
    opened: list[MemoryEngine] = []

    async def open_() -> MemoryEngine:
        opened.append(MemoryEngine())
        return opened[-1]

    engine = LateEngine(open_)
    await engine.close()
    assert opened == []
    await engine.put(STORE, [DOCUMENT])
    assert await engine.get(STORE, "a") == DOCUMENT
    assert await engine.digests(STORE, ["a"]) == {"a": ""}
    assert (await engine.page(STORE)).documents == (DOCUMENT,)
    assert (await engine.search(STORE, SearchRequest("heron"))).total == 1
    assert (await engine.statistics(STORE)).documents == 1
    assert await engine.delete(STORE, ["a"]) == 1
    await engine.drop(STORE)
    assert len(opened) == 1


async def test_the_servers_own_engine_keeps_its_data_in_the_data_directory(tmp_path: Path) -> None:
    directory = DataDirectory(tmp_path)
    engine = embedded_engine(Settings(data_dir=tmp_path), directory)
    assert not directory.documents.exists()
    await engine.put(STORE, [DOCUMENT])
    await engine.close()
    assert directory.documents.exists()
    assert (tmp_path / "indexes").is_dir()
    again = embedded_engine(Settings(data_dir=tmp_path, store_indexes=tmp_path / "elsewhere"), directory)
    assert await again.get(STORE, "a") == DOCUMENT
    assert (await again.search(STORE, SearchRequest("heron"))).hits[0].document == "a"
    await again.close()
    assert (tmp_path / "elsewhere").is_dir()


async def test_without_the_embedder_that_is_asked_for_nothing_is_left_open(tmp_path: Path) -> None:
    def missing() -> None:
        raise EncoderUnusable("the model is away")

    directory = DataDirectory(tmp_path)
    engine = embedded_engine(Settings(data_dir=tmp_path), directory, missing)
    with pytest.raises(EncoderUnusable):
        await engine.put(STORE, [DOCUMENT])
    assert not directory.documents.exists()


@pytest.mark.parametrize("engine", ["nothing", "opensearch:", "opensearch:no url"])
def test_an_engine_that_there_is_not_is_refused_at_the_start(tmp_path: Path, engine: str) -> None:
    settings, way_out = Settings(data_dir=tmp_path, search_engine=engine), LateTransport(AddressPolicy(()))
    with pytest.raises(SettingsError, match="search_engine: "):
        engine_of(settings, DataDirectory(tmp_path), way_out)


@pytest.mark.parametrize("embeddings", ["everything", "onnx:/nowhere"])
def test_embeddings_that_cannot_be_had_are_refused_at_the_start(tmp_path: Path, embeddings: str) -> None:
    settings, way_out = Settings(data_dir=tmp_path, embeddings=embeddings), LateTransport(AddressPolicy(()))
    with pytest.raises(SettingsError, match="embeddings: "):
        engine_of(settings, DataDirectory(tmp_path), way_out)


@pytest.mark.parametrize(("embeddings", "first"), [("auto", "refund"), ("none", "clock")])
async def test_the_small_encoder_is_used_where_it_is_installed(tmp_path: Path, embeddings: str, first: str) -> None:
    settings, way_out = Settings(data_dir=tmp_path, embeddings=embeddings), LateTransport(AddressPolicy(()))
    engine = engine_of(settings, DataDirectory(tmp_path), way_out)
    texts = {
        "refund": "We refund what you paid: your money comes back within days.",
        "clock": "Back and back again goes the pendulum of the clock.",
        "hours": "The shop is open from nine to five.",
        "notes": "Notes and coins are taken at the desk; your wallet is safe with us.",
    }
    documents = [StoreDocument(id, "", "", (Passage(text),), language="en") for id, text in texts.items()]
    await engine.put(STORE, documents)

    async with asyncio.timeout(60):
        while True:
            found = await engine.search(STORE, SearchRequest("Can I get my cash back?", language="en"))
            if found.hits and not found.notes:
                break
            await asyncio.sleep(0.05)

    await engine.close()
    assert found.hits[0].document == first


def test_stores_may_be_in_a_cluster(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, search_engine="opensearch:http://127.0.0.1:9200")
    found = engine_of(settings, DataDirectory(tmp_path), LateTransport(AddressPolicy(())))
    assert type(found).__name__ == "OpenSearchEngine"


async def test_what_the_stores_of_a_project_hold_is_bounded(tmp_path: Path) -> None:
    engine = embedded_engine(Settings(data_dir=tmp_path, store_documents=1), DataDirectory(tmp_path))
    await engine.put(STORE, [DOCUMENT])
    with pytest.raises(QuotaExceeded):
        await engine.put(f"{STORE}2", [DOCUMENT])
    await engine.close()
