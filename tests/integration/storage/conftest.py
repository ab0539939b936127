"""Every implementation of the `Store` port, for the conformance tests; another one joins by a line in `STORES`."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from openplaybook.storage.base import BeginTurn, Store
from openplaybook.storage.sqlite import SqliteStore

START_US = 1_700_000_000_000_000


class Clock:
    """Microseconds since the epoch, moved by hand."""

    def __init__(self) -> None:
        self.now_us = START_US

    def __call__(self) -> int:
        return self.now_us

    def advance(self, by_us: int) -> None:
        self.now_us += by_us


STORES: dict[str, Callable[[Path, Clock], Store]] = {
    "sqlite": lambda folder, clock: SqliteStore(folder / "store.db", clock=clock),
}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def now_us(clock: Clock) -> Callable[[], int]:
    """The store's time."""
    return clock


@pytest.fixture
def advance(clock: Clock) -> Callable[[int], None]:
    """Move the store's time forward by microseconds."""
    return clock.advance


@pytest.fixture(params=sorted(STORES))
async def open_store(
    request: pytest.FixtureRequest, tmp_path: Path, clock: Clock
) -> AsyncIterator[Callable[[], Awaitable[Store]]]:
    """Opens one more store on the same data; the test's end closes it."""
    opened: list[Store] = []

    async def open_one() -> Store:
        store = STORES[request.param](tmp_path, clock)
        await store.open()
        opened.append(store)
        return store

    yield open_one
    for store in opened:
        await store.close()


@pytest.fixture
async def store(open_store: Callable[[], Awaitable[Store]]) -> Store:
    return await open_store()


@pytest.fixture
def first() -> BeginTurn:
    """The first turn of a session, leased for ten seconds; the session lasts an hour."""
    return BeginTurn(
        session="agents/a/sessions/s",
        root="agents/a",
        turn_id="turn-1",
        request_key="key-1",
        owner="server-1",
        lease_us=10_000_000,
        expires_us=START_US + 3_600_000_000,
    )
