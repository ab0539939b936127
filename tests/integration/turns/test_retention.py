"""What is forgotten, and what has to stay because somebody may still need it."""

from pathlib import Path

from openplaybook.storage.base import BeginTurn, Started, Store, TurnState
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.turns.agent.snapshot_store import LAG_US, PREFIX, Snapshots
from openplaybook.turns.session import stored_sessions as retention
from openplaybook.turns.session.stored_sessions import forget_expired, forget_snapshots
from tests.kit.agents import AGENT, AgentDraft
from tests.kit.made_tables import with_tables

HOUR = 3600 * 1_000_000
DAY = 24 * HOUR
NOW = 1_700_000_000_000_000


class Clock:
    """Moves when told; microseconds."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        return self.now


async def opened(tmp_path: Path, clock: Clock) -> SqliteStore:
    store = SqliteStore(with_tables(tmp_path / "store.db"), clock=clock)
    await store.open()
    return store


async def begin(store: Store, session: str, *, expires_us: int) -> Started:
    begun = await store.begin_turn(
        BeginTurn(
            session=session,
            root=AGENT,
            turn_id=f"turn of {session}",
            request_key=None,
            fingerprint="f",
            owner="o",
            lease_us=HOUR,
            expires_us=expires_us,
            steps=[("begin", b"{}")],
        )
    )
    assert isinstance(begun, Started)
    return begun


async def end(store: Store, begun: Started) -> None:
    await store.finish_turn(begun.lease, state=TurnState.DONE, response=b"{}", session_state=b"{}")


async def forgotten(store: Store, kept_us: int) -> list[int]:
    return [gone async for gone in forget_expired(store, kept_us=kept_us)]


async def kept(store: Store) -> list[str]:
    return [one.name for one in await store.conversations(AGENT)]


async def test_conversations_go_when_their_retention_is_over_in_small_batches(tmp_path: Path) -> None:
    clock = Clock()
    store = await opened(tmp_path, clock)
    for n in range(retention.BATCH + 1):
        await end(store, await begin(store, f"old-{n}", expires_us=NOW + HOUR))
    await end(store, await begin(store, "young", expires_us=NOW + 3 * HOUR))
    await store.put_blob("old-0/files/f", b"a file")
    clock.now = NOW + DAY + HOUR - 1
    assert await forgotten(store, DAY) == []
    clock.now += 1
    assert await forgotten(store, DAY) == [retention.BATCH, 1]
    assert await kept(store) == ["young"]
    assert await store.get_blob("old-0/files/f") is None
    await store.close()


async def test_without_retention_a_conversation_ends_with_its_session_but_never_under_a_turn(tmp_path: Path) -> None:
    clock = Clock()
    store = await opened(tmp_path, clock)
    await end(store, await begin(store, "resting", expires_us=NOW + 1))
    running = await begin(store, "running", expires_us=NOW + 1)
    clock.now = NOW + 1
    assert await forgotten(store, 0) == [1]
    await end(store, running)
    assert await kept(store) == ["running"]
    assert await forgotten(store, 0) == [1]
    await store.close()


async def test_a_snapshot_in_use_is_stored_anew_each_day(tmp_path: Path) -> None:
    clock = Clock()
    store = await opened(tmp_path, clock)
    draft = AgentDraft()
    draft.playbook("Start", start=True)
    await draft.put(store)
    snapshots = Snapshots(store, draft.shelf, clock=clock)
    first = await snapshots.current(AGENT)
    clock.now += LAG_US - 1
    assert await snapshots.current(AGENT) is first
    assert await snapshots.by_digest(AGENT, first.digest) is first
    assert [blob.put_us for blob in await store.blobs(PREFIX)] == [NOW]
    clock.now += 1
    assert await snapshots.current(AGENT) is first
    assert [blob.put_us for blob in await store.blobs(PREFIX)] == [NOW + LAG_US]
    clock.now += LAG_US
    assert await snapshots.by_digest(AGENT, first.digest) is first
    assert [blob.put_us for blob in await store.blobs(PREFIX)] == [NOW + 2 * LAG_US]
    another = Snapshots(store, draft.shelf, clock=clock)
    assert (await another.by_digest(AGENT, first.digest)).digest == first.digest
    assert [blob.put_us for blob in await store.blobs(PREFIX)] == [NOW + 2 * LAG_US]
    await store.close()


async def test_a_snapshot_goes_once_no_kept_conversation_can_need_it(tmp_path: Path) -> None:
    clock = Clock()
    store = await opened(tmp_path, clock)
    await store.put_blob(f"{PREFIX}old", b"[]")
    await store.put_blob("elsewhere", b"[]")
    # A day at most from its storing to its last use, a day at most that the session lived, then the retention.
    last = NOW + LAG_US + DAY + 30 * DAY
    assert await forget_snapshots(store, kept_us=30 * DAY, now_us=last) == 0
    clock.now = last
    await store.put_blob(f"{PREFIX}new", b"[]")
    assert await forget_snapshots(store, kept_us=30 * DAY, now_us=last + 1) == 1
    assert [blob.key for blob in await store.blobs("")] == ["elsewhere", f"{PREFIX}new"]
    await store.close()


async def test_a_snapshot_that_was_forgotten_is_stored_again_when_its_agent_talks(tmp_path: Path) -> None:
    clock = Clock()
    store = await opened(tmp_path, clock)
    draft = AgentDraft()
    draft.playbook("Start", start=True)
    await draft.put(store)
    snapshots = Snapshots(store, draft.shelf, clock=clock)
    await snapshots.current(AGENT)
    clock.now += 40 * DAY
    assert await forget_snapshots(store, kept_us=30 * DAY, now_us=clock.now) == 1
    digest = (await snapshots.current(AGENT)).digest
    assert [blob.key for blob in await store.blobs(PREFIX)] == [f"{PREFIX}{digest}"]
    await store.close()
