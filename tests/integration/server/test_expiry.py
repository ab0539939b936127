"""The job that forgets, on a real store."""

import asyncio
import logging
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from openplaybook.server.expiry import Expiry
from openplaybook.storage.base import BeginTurn, Started, TurnState
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.telemetry.metrics import Metrics
from openplaybook.turns.agent.snapshot_store import PREFIX

AGENT = "projects/p/locations/global/agents/a"
NOW = 1_700_000_000_000_000
WEEK = 7 * 24 * 3600


class Heard(logging.Handler):
    """What the job logs, as it comes."""

    def __init__(self) -> None:
        super().__init__()
        self._records: asyncio.Queue[logging.LogRecord] = asyncio.Queue()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        self._records.put_nowait(record)

    async def first(self) -> str:
        """The message of the first, which has to come."""
        async with asyncio.timeout(10):
            return (await self._records.get()).getMessage()


@contextmanager
def listening() -> Generator[Heard]:
    """Hears the job's log inside the block."""
    logger, heard = logging.getLogger("openplaybook.expiry"), Heard()
    level = logger.level
    logger.addHandler(heard)
    logger.setLevel(logging.INFO)
    yield heard
    logger.setLevel(level)
    logger.removeHandler(heard)


async def remember(store: SqliteStore, session: str) -> None:
    begun = await store.begin_turn(
        BeginTurn(
            session=session,
            root=AGENT,
            turn_id=session,
            request_key=None,
            fingerprint="f",
            owner="o",
            lease_us=1,
            expires_us=NOW + 1,
        )
    )
    assert isinstance(begun, Started)
    await store.finish_turn(begun.lease, state=TurnState.DONE, response=b"{}", session_state=b"{}")


async def test_a_round_forgets_counts_and_says_so_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    now = [NOW]
    store, metrics = SqliteStore(tmp_path / "store.db", clock=lambda: now[0]), Metrics()
    await store.open()
    for n in range(3):
        await remember(store, f"{AGENT}/sessions/{n}")
    await store.put_blob(f"{PREFIX}old", b"[]")
    expiry = Expiry(store, metrics, retention_s=WEEK, clock=lambda: now[0])
    with caplog.at_level(logging.INFO, "openplaybook.expiry"):
        await expiry.round()
        now[0] += (WEEK + 3 * 24 * 3600) * 1_000_000
        await expiry.round()
        await expiry.round()
    told = [
        (record.message, record.__dict__["conversations"], record.__dict__["snapshots"]) for record in caplog.records
    ]
    assert told == [("forgotten", 3, 1)]
    assert b"openplaybook_conversations_forgotten_total 3.0" in metrics.render()[0]
    assert await store.conversations(AGENT) == []
    await store.close()


async def test_it_begins_with_a_round_and_ends_at_once(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store.db", clock=lambda: NOW + 1)
    await store.open()
    await remember(store, f"{AGENT}/sessions/s")
    with listening() as heard:
        async with Expiry(store, Metrics(), retention_s=0, clock=lambda: NOW).running():
            assert await heard.first() == "forgotten"
    assert await store.conversations(AGENT) == []
    await store.close()


async def test_a_store_that_fails_is_said_and_asked_again(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store.db")
    expiry = Expiry(store, Metrics(), retention_s=0, clock=lambda: NOW)
    with pytest.raises(StoreUnusable):
        await expiry.round()
    with listening() as heard:
        async with expiry.running():
            assert await heard.first() == "nothing more was forgotten this time"
