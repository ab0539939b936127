"""Whether a server can do its work."""

import asyncio
import logging

import pytest

from openplaybook.server import readiness as module
from openplaybook.server.readiness import Readiness
from openplaybook.storage.errors import StoreFault
from tests.kit.looked_at_store import LookedAtStore


class Clock:
    """Seconds, moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Looked:
    """A readiness, its store and its clock."""

    def __init__(self) -> None:
        self.store, self.clock, self.draining = LookedAtStore(), Clock(), False
        self.readiness = Readiness(self.store, lambda: self.draining, self.clock)

    async def after(self, seconds: float) -> tuple[bool, object]:
        """Whether it is ready then, and which fault it tells of."""
        self.clock.now += seconds
        return await self.readiness.look(), self.readiness.answer()[1].get("database")


@pytest.fixture
def looked() -> Looked:
    return Looked()


async def test_a_fault_is_told_and_its_end_too(looked: Looked, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "openplaybook.server")
    looked.store.fault = StoreFault.FULL
    assert await looked.after(1) == (False, "full")
    looked.store.fault = None
    assert await looked.after(1) == (True, None)
    assert [record.message for record in caplog.records] == [
        "not ready: the database is full",
        "the database can be used again",
    ]
    assert vars(caplog.records[0])["reason"] == "/data/openplaybook.db: it hurts", "the log may name the file"


async def test_it_is_looked_at_once_a_second_and_written_to_every_five(looked: Looked) -> None:
    for _ in range(26):
        assert await looked.after(0.5) == (True, None)
    assert looked.store.looks == [
        False,
        False,
        False,
        False,
        True,
        False,
        False,
        False,
        False,
        True,
        False,
        False,
        False,
    ]


async def test_what_cannot_be_written_is_tried_again_at_each_look(looked: Looked) -> None:
    looked.store.fault = StoreFault.READ_ONLY
    assert [await looked.after(1) for _ in range(3)] == [(False, "read-only")] * 3
    assert looked.store.looks == [False, True, True]


async def test_all_who_ask_at_once_share_one_look(looked: Looked) -> None:
    looked.clock.now += 1
    assert await asyncio.gather(*(looked.readiness.look() for _ in range(10))) == [True] * 10
    assert len(looked.store.looks) == 1


async def test_a_database_that_hangs_is_slow_and_asked_once(looked: Looked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE_S", 0.01)
    looked.store.answers.clear()
    assert [await looked.after(1) for _ in range(3)] == [(False, "slow")] * 3
    assert len(looked.store.looks) == 1
    await looked.readiness.close()


async def test_a_server_that_drains_is_not_ready_whatever_its_database(looked: Looked) -> None:
    looked.draining = True
    assert await looked.after(1) == (False, None)
    assert looked.readiness.answer() == (503, {"status": "draining"})


async def test_a_fault_of_ours_is_logged_and_the_server_not_ready(
    looked: Looked, caplog: pytest.LogCaptureFixture
) -> None:
    looked.store.breaks = ZeroDivisionError("ours")
    assert await looked.after(1) == (False, "unusable")
    assert "the database cannot be checked" in caplog.text
