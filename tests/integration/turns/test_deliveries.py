"""Marks of delivered answers: later, together, and never lost while the process lives."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from openplaybook.storage.base import Store
from openplaybook.storage.delivery_log import DeliveryLog
from openplaybook.storage.errors import StoreUnusable
from openplaybook.turns.session.repeats import AT_ONCE_S, Deliveries


@pytest.fixture
def marked(store: Store) -> "Marked":
    return Marked(store)


class Marked:
    """Watches what a store is told of deliveries; may refuse."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.told: list[Sequence[tuple[str, int]]] = []
        self.refuses = False
        self.came = asyncio.Event()
        setattr(store, "mark_delivered", self._mark)  # noqa: B010 - a method cannot be assigned to otherwise

    async def _mark(self, turns: Sequence[tuple[str, int]]) -> None:
        self.came.set()
        if self.refuses:
            raise StoreUnusable("the disk is full")
        self.told.append(turns)


async def test_deliveries_are_marked_together_and_by_themselves(marked: Marked) -> None:
    deliveries = Deliveries(marked.store)
    for session, turn in (("a", 1), ("b", 7), ("a", 2)):
        deliveries.delivered(session, turn)
    assert (deliveries.latest("a"), deliveries.latest("b"), deliveries.latest("c")) == (2, 7, 0)
    await marked.came.wait()
    await deliveries.close()
    assert [sorted(turns) for turns in marked.told] == [[("a", 2), ("b", 7)]]
    assert deliveries.latest("a") == 0


async def test_an_older_turn_that_is_delivered_again_takes_nothing_back(marked: Marked) -> None:
    deliveries = Deliveries(marked.store)
    deliveries.delivered("a", 5)
    deliveries.delivered("a", 2)
    assert deliveries.latest("a") == 5


async def test_what_cannot_be_marked_is_still_known_and_marked_later(
    marked: Marked, caplog: pytest.LogCaptureFixture
) -> None:
    deliveries = Deliveries(marked.store)
    marked.refuses = True
    deliveries.delivered("a", 1)
    await marked.came.wait()
    assert deliveries.latest("a") == 1
    assert "cannot mark answers as delivered: the disk is full" in caplog.text
    marked.refuses = False
    deliveries.delivered("b", 1)
    await deliveries.close()
    assert [sorted(turns) for turns in marked.told] == [[("a", 1), ("b", 1)]]


async def test_nothing_is_written_when_nothing_was_delivered(marked: Marked) -> None:
    await Deliveries(marked.store).close()
    assert marked.told == []


async def test_only_answers_of_this_process_are_its_own(marked: Marked) -> None:
    deliveries = Deliveries(marked.store)
    deliveries.answered("a", 3)
    assert [deliveries.is_ours("a", turn) for turn in (2, 3)] == [False, True]
    assert not deliveries.is_ours("b", 3)


async def test_what_is_remembered_has_a_bound(marked: Marked) -> None:
    deliveries = Deliveries(marked.store)
    for number in range(10_001):
        deliveries.delivered(str(number), 1)
    assert (deliveries.latest("0"), deliveries.latest("1")) == (0, 1)


async def test_what_a_process_noted_before_it_died_is_marked_by_the_next(marked: Marked, tmp_path: Path) -> None:
    died = Deliveries(marked.store, DeliveryLog(tmp_path / "log"))
    died.delivered("a", 2)
    died.delivered("b", 1)
    lives = Deliveries(marked.store, DeliveryLog(tmp_path / "log"))
    await lives.recover()
    assert marked.told == [[("a", 2), ("b", 1)]]
    assert DeliveryLog(tmp_path / "log").left() == []
    await lives.close()
    await died.close()


async def test_what_the_store_knows_is_not_noted_any_more(marked: Marked, tmp_path: Path) -> None:
    deliveries = Deliveries(marked.store, DeliveryLog(tmp_path / "log"))
    deliveries.delivered("a", 2)
    assert DeliveryLog(tmp_path / "log").left() == [("a", 2)]
    await deliveries.close()
    assert DeliveryLog(tmp_path / "log").left() == []


async def test_notes_that_the_store_refuses_at_the_start_are_kept(marked: Marked, tmp_path: Path) -> None:
    DeliveryLog(tmp_path / "log").note("a", 2)
    deliveries = Deliveries(marked.store, DeliveryLog(tmp_path / "log"))
    marked.refuses = True
    await deliveries.recover()
    assert (deliveries.latest("a"), DeliveryLog(tmp_path / "log").left()) == (2, [("a", 2)])
    marked.refuses = False
    await deliveries.close()
    assert marked.told == [[("a", 2)]]


async def test_a_shared_store_is_told_at_once_after_a_rest(marked: Marked) -> None:
    deliveries = Deliveries(marked.store, is_shared=True)
    begun = asyncio.get_running_loop().time()
    deliveries.delivered("a", 1)
    await marked.came.wait()
    deliveries.delivered("a", 2)
    marked.came.clear()
    await marked.came.wait()
    assert asyncio.get_running_loop().time() - begun >= AT_ONCE_S
    await deliveries.close()
    assert marked.told == [[("a", 1)], [("a", 2)]]


async def test_an_engine_that_nobody_closes_in_time_begins_nothing_by_itself(marked: Marked) -> None:
    quiet, usual = Deliveries(marked.store, flush_s=None), Deliveries(marked.store)
    quiet.delivered("a", 1)
    usual.delivered("b", 1)
    await marked.came.wait()
    await usual.close()
    assert (marked.told, quiet.latest("a")) == ([[("b", 1)]], 1)
    await quiet.close()
    assert marked.told == [[("b", 1)], [("a", 1)]]
