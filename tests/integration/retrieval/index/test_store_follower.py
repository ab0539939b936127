"""Searches of a store into which much is put."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from openplaybook.retrieval.base import SearchRequest
from openplaybook.retrieval.catalog.base import ChangeMark, DocumentChange
from openplaybook.retrieval.index import store_follower
from openplaybook.retrieval.index.store_follower import StoreFollower
from openplaybook.retrieval.index.store_index import StoreIndex
from tests.kit.followed_store import STORE, document
from tests.kit.memory_catalog import MemoryCatalog


class EndlessCatalog(MemoryCatalog):
    """Once it `flows`, there is always one more document than was read."""

    def __init__(self) -> None:
        super().__init__()
        self.flows = False
        self._told = 0

    async def mark(self, store: str) -> ChangeMark | None:
        mark = await super().mark(store)
        return mark if mark is None or not self.flows else ChangeMark(mark.incarnation, 1 << 40)

    async def changes(self, store: str, after: int, *, limit: int = 1000) -> Sequence[DocumentChange]:
        if not self.flows:
            return await super().changes(store, after, limit=limit)
        await asyncio.sleep(0)
        return [DocumentChange(after + 1, f"n{after}", document(f"n{after}", "pear"))]


async def test_the_first_search_after_a_while_finds_what_was_taken_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = 0.0
    monkeypatch.setattr(store_follower, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + ahead))
    # While nobody searches, nothing is committed as long as more comes.
    monkeypatch.setattr(store_follower, "_COMMIT_UNSEARCHED_S", float("inf"))
    monkeypatch.setattr(store_follower, "_LAG_S", 30.0)
    taken = asyncio.Condition()
    apply = StoreIndex.apply
    loop, count = asyncio.get_running_loop(), 0

    def counted(index: StoreIndex, changes: Sequence[DocumentChange]) -> int:
        nonlocal count
        written = apply(index, changes)
        count += written
        loop.call_soon_threadsafe(lambda: asyncio.ensure_future(_notify(taken)))
        return written

    catalog = EndlessCatalog()
    follower = StoreFollower(STORE, tmp_path / "one", catalog, poll_s=0.01)
    await catalog.put(STORE, [document("a", "apple")])
    assert await follower.index(patience_s=30) is not None
    monkeypatch.setattr(StoreIndex, "apply", counted)
    ahead = 100.0
    catalog.flows = True
    await follower.catch_up(0, patience_s=0)
    async with asyncio.timeout(30), taken:
        await taken.wait_for(lambda: count >= 5)
    expected = count
    index = await follower.index(patience_s=30)
    assert index is not None
    assert index.search(SearchRequest("pear", limit=1)).total >= expected
    await follower.stop()


async def _notify(condition: asyncio.Condition) -> None:
    async with condition:
        condition.notify_all()
