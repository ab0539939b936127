"""The embedded engine keeps documents in the catalog, and finds them by indexes that it makes from it."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.retrieval.base import SearchRequest
from openplaybook.retrieval.embedded_engine import EmbeddedEngine
from openplaybook.retrieval.errors import EngineUnavailable
from openplaybook.retrieval.filters.syntax import AnyOf
from openplaybook.retrieval.index import store_follower
from openplaybook.retrieval.index.store_index import StoreIndex
from tests.kit.followed_store import STORE, all_found, document, found
from tests.kit.memory_catalog import MemoryCatalog

OTHER = STORE + "-other"


@pytest.fixture
def catalog() -> MemoryCatalog:
    return MemoryCatalog()


@pytest.fixture
async def engine(catalog: MemoryCatalog, tmp_path: Path) -> AsyncIterator[EmbeddedEngine]:
    # A machine that does much else at once is slow to write many indexes.
    engine = EmbeddedEngine(catalog, tmp_path, patience_s=60)
    yield engine
    await engine.close()


def folders(place: Path) -> list[Path]:
    """Of all indexes."""
    return [path for path in place.glob("process-*/*") if path.is_dir()]


async def test_what_was_put_is_found(engine: EmbeddedEngine) -> None:
    await engine.put(STORE, [document("a", "green apples"), document("b", "yellow pears")])
    results = await found(engine, SearchRequest("apple"), ["a"])
    assert (results.total, results.hits[0].text) == (1, "green apples")


async def test_what_was_replaced_or_deleted_is_found_no_more(engine: EmbeddedEngine) -> None:
    await engine.put(STORE, [document("a", "green apples"), document("b", "yellow apples")])
    await all_found(engine, 2)
    await engine.put(STORE, [document("a", "green pears")])
    assert await engine.delete(STORE, ["b", "none"]) == 1
    await found(engine, SearchRequest(""), ["a"])
    await found(engine, SearchRequest("apples"), [])
    await found(engine, SearchRequest("pears"), ["a"])


async def test_documents_are_handed_out_as_they_were_put(engine: EmbeddedEngine) -> None:
    put = [document("a", "x", data={"n": 1}), document("b", "y")]
    await engine.put(STORE, put)
    assert await engine.get(STORE, "a") == put[0]
    assert await engine.get(STORE, "c") is None
    assert (await engine.page(STORE, limit=1)).documents == (put[0],)
    assert await engine.digests(STORE, ["b", "c"]) == {"b": ""}
    assert (await engine.statistics(STORE)).documents == 2


async def test_a_store_that_holds_nothing_has_nothing_for_a_search(engine: EmbeddedEngine) -> None:
    await engine.put(STORE, [])
    assert await engine.search(STORE, SearchRequest("x")) == await engine.search(OTHER, SearchRequest(""))
    assert (await engine.search(STORE, SearchRequest("x"))).hits == ()


async def test_stores_do_not_see_each_other(engine: EmbeddedEngine) -> None:
    await engine.put(STORE, [document("a", "apple")])
    await engine.put(OTHER, [document("b", "apple")])
    await found(engine, SearchRequest("apple"), ["a"])
    await found(engine, SearchRequest("apple"), ["b"], OTHER)


async def test_a_dropped_store_gives_its_disk_back_and_may_begin_again(engine: EmbeddedEngine, tmp_path: Path) -> None:
    await engine.put(STORE, [document("a", "apple")])
    await all_found(engine, 1)
    await engine.drop(STORE)
    assert folders(tmp_path) == []
    assert (await engine.search(STORE, SearchRequest(""))).total == 0
    await engine.put(STORE, [document("b", "apple")])
    await found(engine, SearchRequest("apple"), ["b"])


async def test_another_engine_of_the_same_catalog_follows_what_this_one_does(
    engine: EmbeddedEngine, catalog: MemoryCatalog, tmp_path: Path
) -> None:
    replica = EmbeddedEngine(catalog, tmp_path)
    await engine.put(STORE, [document("a", "apple"), document("b", "pear")])
    await found(replica, SearchRequest("apple"), ["a"])
    await engine.put(STORE, [document("c", "apple")])
    await engine.delete(STORE, ["a"])
    await found(replica, SearchRequest("apple"), ["c"])
    assert len(folders(tmp_path)) == 2
    await engine.drop(STORE)
    await found(replica, SearchRequest(""), [])
    await replica.close()


async def test_an_engine_that_is_opened_again_goes_on_with_its_index(catalog: MemoryCatalog, tmp_path: Path) -> None:
    first = EmbeddedEngine(catalog, tmp_path)
    await first.put(STORE, [document("a", "apple")])
    await all_found(first, 1)
    await first.close()
    (folder,) = folders(tmp_path)
    made = (folder / "segments").stat().st_ino
    second = EmbeddedEngine(catalog, tmp_path)
    await second.put(STORE, [document("b", "apple")])
    await all_found(second, 2)
    assert (folder / "segments").stat().st_ino == made
    await second.close()


async def test_indexes_that_are_missing_are_made_anew(catalog: MemoryCatalog, tmp_path: Path) -> None:
    first = EmbeddedEngine(catalog, tmp_path)
    await first.put(STORE, [document(f"d{n}", "apple") for n in range(2500)])
    await all_found(first, 2500)
    await first.close()
    shutil.rmtree(tmp_path)
    second = EmbeddedEngine(catalog, tmp_path)
    assert (await second.search(STORE, SearchRequest("apple"))).total == 2500
    await second.close()


@pytest.mark.parametrize("part", ["meta.json", "*.store", "*.term", "*.idx", "*.fast", "*.fieldnorm"])
async def test_an_index_that_is_broken_is_made_anew(catalog: MemoryCatalog, tmp_path: Path, part: str) -> None:
    first = EmbeddedEngine(catalog, tmp_path)
    await first.put(STORE, [document(f"d{n}", f"apple {n}") for n in range(50)])
    await all_found(first, 50)
    await first.close()
    (folder,) = folders(tmp_path)
    for file in (folder / "segments").glob(part):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    second = EmbeddedEngine(catalog, tmp_path)
    await found(second, SearchRequest("apple 7", limit=1), ["d7"])
    await second.close()


async def test_an_index_of_a_catalog_that_was_restored_from_an_older_copy_is_made_anew(
    engine: EmbeddedEngine, catalog: MemoryCatalog
) -> None:
    await engine.put(STORE, [document("a", "apple")])
    await engine.put(STORE, [document("b", "apple")])
    await all_found(engine, 2)
    catalog.go_back(STORE, ["b"])
    await found(engine, SearchRequest("apple"), ["a"])


async def test_an_index_that_missed_deletions_which_nobody_knows_any_more_is_made_anew(
    catalog: MemoryCatalog, tmp_path: Path
) -> None:
    first = EmbeddedEngine(catalog, tmp_path)
    await first.put(STORE, [document("a", "apple"), document("b", "apple")])
    await all_found(first, 2)
    await first.close()
    await catalog.delete(STORE, ["a"])
    catalog.forget_deletions(STORE)
    second = EmbeddedEngine(catalog, tmp_path)
    await found(second, SearchRequest("apple"), ["b"])
    await second.close()


async def test_a_search_says_that_the_index_is_being_made(catalog: MemoryCatalog, tmp_path: Path) -> None:
    await catalog.put(STORE, [document("a", "apple")])
    catalog.hold()
    engine = EmbeddedEngine(catalog, tmp_path, patience_s=0.05)
    with pytest.raises(EngineUnavailable, match="is being made: it has followed 0 of 1 changes"):
        await engine.search(STORE, SearchRequest("apple"))
    catalog.release()
    await asyncio.wait_for(_until_available(engine), 30)
    await engine.close()


async def _until_available(engine: EmbeddedEngine) -> None:
    while True:
        try:
            assert (await engine.search(STORE, SearchRequest("apple"))).total == 1
        except EngineUnavailable:
            continue
        return


async def test_stores_that_were_dropped_meanwhile_leave_no_index(catalog: MemoryCatalog, tmp_path: Path) -> None:
    first = EmbeddedEngine(catalog, tmp_path)
    await first.put(STORE, [document("a", "apple")])
    await all_found(first, 1)
    await first.close()
    await catalog.drop(STORE)
    second = EmbeddedEngine(catalog, tmp_path)
    assert (await second.search(OTHER, SearchRequest(""))).total == 0
    assert folders(tmp_path) == []
    await second.close()


async def test_many_stores_are_searched_with_few_indexes_open(engine: EmbeddedEngine) -> None:
    stores = [f"{STORE}-{n}" for n in range(70)]
    for store in stores:
        await engine.put(store, [document("a", "apple")])
    for store in stores:
        await all_found(engine, 1, store)


async def test_searches_go_on_while_documents_are_put(engine: EmbeddedEngine) -> None:
    await engine.put(STORE, [document("first", "apple", data={"kind": "kept"})])
    await all_found(engine, 1)

    async def put() -> None:
        for batch in range(10):
            await engine.put(STORE, [document(f"d{batch}-{n}", "apple pie") for n in range(300)])

    putting = asyncio.create_task(put())
    kept = SearchRequest("apple", filter=AnyOf("kind", ("kept",)))
    while not putting.done():
        assert [hit.document for hit in (await engine.search(STORE, kept)).hits] == ["first"]
    await putting
    await all_found(engine, 3001)


async def test_what_is_put_while_nobody_searches_is_committed_together(
    engine: EmbeddedEngine, catalog: MemoryCatalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    commit = StoreIndex.commit

    def counted(index: StoreIndex, *, is_complete: bool) -> None:
        made.append(index.reached)
        commit(index, is_complete=is_complete)

    monkeypatch.setattr(store_follower, "_UNSEARCHED_S", 0.0)
    monkeypatch.setattr(store_follower, "_COMMIT_UNSEARCHED_S", 1000.0)
    await engine.put(STORE, [document("a", "apple")])
    await all_found(engine, 1)
    monkeypatch.setattr(StoreIndex, "commit", counted)
    await catalog.put(STORE, [document(str(number), "pear") for number in range(2_500)])
    await engine.settle(STORE)
    assert made == [2_501]
    assert (await engine.search(STORE, SearchRequest("pear", limit=1))).total == 2_500


async def test_a_search_that_waits_for_a_store_which_is_dropped_ends_at_once(
    engine: EmbeddedEngine, catalog: MemoryCatalog
) -> None:
    await catalog.put(STORE, [document("a", "apple")])
    catalog.hold()
    search = asyncio.create_task(engine.search(STORE, SearchRequest("apple")))
    await asyncio.sleep(0)
    await engine.drop(STORE)
    with pytest.raises(EngineUnavailable, match="closed or dropped meanwhile"):
        await asyncio.wait_for(search, 30)


async def test_a_closed_engine_says_so(catalog: MemoryCatalog, tmp_path: Path) -> None:
    engine = EmbeddedEngine(catalog, tmp_path)
    await engine.close()
    with pytest.raises(EngineUnavailable, match="is closed"):
        await engine.search(STORE, SearchRequest("x"))
