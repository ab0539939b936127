"""A connection that breaks at any point of an operation: nothing is lost and nothing is done twice."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

import pytest

from openplaybook.storage.base import (
    Answered,
    BeginTurn,
    Delete,
    Lease,
    Orphaned,
    Put,
    Recovered,
    Started,
    Store,
    TurnState,
)
from openplaybook.storage.postgres import PostgresStore
from openplaybook.storage.postgres.database_address import read_address
from tests.integration.storage.conftest import Clock
from tests.kit.cutting_proxy import CuttingProxy, What, cutting_proxy
from tests.kit.postgres import Cluster

LEASE_US = 10_000_000

Act = Callable[[], Awaitable[object]]
"""What is done through the connection that breaks; what comes of it, as it looks in any session."""


@pytest.fixture
async def plain(database: str, clock: Clock) -> AsyncIterator[Store]:
    """A store that nothing happens to."""
    store = PostgresStore(read_address(database), clock=clock)
    await store.open()
    yield store
    await store.close()


@pytest.fixture
async def proxy(cluster: Cluster) -> AsyncIterator[CuttingProxy]:
    async with cutting_proxy(cluster.port) as started:
        yield started


@pytest.fixture
async def fragile(plain: Store, proxy: CuttingProxy, cluster: Cluster, clock: Clock) -> AsyncIterator[Store]:
    """A store with one connection, which the proxy may cut."""
    url = replace(cluster, port=proxy.port).url()
    store = PostgresStore(read_address(url), connections=1, clock=clock)
    await store.open()
    yield store
    await store.close()


async def lease_of(store: Store, begin: BeginTurn) -> Lease:
    begun = await store.begin_turn(begin)
    assert isinstance(begun, Started)
    return begun.lease


async def seen(store: Store, session: str) -> list[tuple[int, str, list[str]]]:
    return [
        (turn.number, turn.state.value, [step.kind for step in turn.steps]) for turn in await store.kept_turns(session)
    ]


async def started(store: Store, begin: BeginTurn) -> Act:
    async def act() -> object:
        begun = await store.begin_turn(begin)
        assert isinstance(begun, Started)
        await store.finish_turn(begun.lease, state=TurnState.DONE, response=b"")
        return begun.lease.number, begun.lease.fence, await seen(store, begin.session)

    return act


async def continued(store: Store, begin: BeginTurn) -> Act:
    lease = await lease_of(store, begin)
    await store.finish_turn(lease, state=TurnState.DONE, response=b"", session_state=b"s")
    return await started(store, replace(begin, turn_id="turn-2", request_key="key-2"))


async def repeated(store: Store, begin: BeginTurn) -> Act:
    lease = await lease_of(store, begin)
    await store.finish_turn(lease, state=TurnState.DONE, response=b"answer", session_state=b"s")

    async def act() -> object:
        begun = await store.begin_turn(begin)
        assert isinstance(begun, Answered)
        return begun.response

    return act


async def taken_over(store: Store, begin: BeginTurn) -> Act:
    await lease_of(store, replace(begin, lease_us=-1))

    async def act() -> object:
        begun = await store.begin_turn(replace(begin, owner="server-2"))
        assert isinstance(begun, Recovered)
        await store.finish_turn(begun.lease, state=TurnState.DONE, response=b"", steps=[("end", b"")])
        return begun.lease.fence, [step.kind for step in begun.steps], await seen(store, begin.session)

    return act


async def adopted(store: Store, begin: BeginTurn) -> Act:
    await lease_of(store, replace(begin, lease_us=-1))

    async def act() -> object:
        begun = await store.begin_turn(replace(begin, request_key="key-2", owner="server-2"))
        assert isinstance(begun, Orphaned)
        await store.finish_turn(begun.lease, state=TurnState.STOPPED)
        return begun.lease.fence, [step.kind for step in begun.steps], await seen(store, begin.session)

    return act


async def appended(store: Store, begin: BeginTurn) -> Act:
    lease = await lease_of(store, begin)

    async def act() -> object:
        for number in range(3):
            await store.append(lease, [(f"a{number}", b""), (f"b{number}", b"")])
        await store.finish_turn(lease, state=TurnState.DONE, response=b"", session_state=b"s", steps=[("end", b"")])
        return await seen(store, begin.session), await store.answered(begin.session, begin.fingerprint)

    return act


async def renewed(store: Store, begin: BeginTurn) -> Act:
    lease = await lease_of(store, begin)

    async def act() -> object:
        await store.renew(lease, LEASE_US * 2)
        return await store.begin_turn(replace(begin, turn_id="turn-2"))

    return act


async def failed(store: Store, begin: BeginTurn) -> Act:
    lease = await lease_of(store, begin)

    async def act() -> object:
        await store.finish_turn(lease, state=TurnState.FAILED)
        return await seen(store, begin.session), (await lease_of(store, begin)).number

    return act


async def applied(store: Store, begin: BeginTurn) -> Act:
    root = begin.session.replace("agents/a/sessions", "agents")

    async def act() -> object:
        new = Put(root, "agent", "agents", root, b"1", unique_key=root, expect=0)
        tool = Put(f"{root}/tools/t", "tool", root, root, b"", expect=0)
        written = await store.apply([new, tool, replace(new, body=b"2", expect=1), Delete(tool.name)])
        return [record.version for record in written], await store.revision(root), await store.get(tool.name)

    return act


async def forgotten(store: Store, begin: BeginTurn) -> Act:
    lease = await lease_of(store, begin)
    await store.finish_turn(lease, state=TurnState.DONE, response=b"")
    await store.put_blob(f"{begin.session}/files/f", b"x")

    async def act() -> object:
        await store.delete_session(begin.session)
        return await seen(store, begin.session), await store.blobs(begin.session)

    return act


async def expired(store: Store, begin: BeginTurn) -> Act:
    lease = await lease_of(store, replace(begin, expires_us=begin.expires_us - 7_200_000_000))
    await store.finish_turn(lease, state=TurnState.DONE, response=b"")

    async def act() -> object:
        deleted = await store.delete_expired(kept_us=0, limit=10)
        return len(deleted), await seen(store, begin.session)

    return act


async def blobs(store: Store, begin: BeginTurn) -> Act:
    async def act() -> object:
        await store.put_blob(f"{begin.session}/1", b"1")
        await store.put_blob(f"{begin.session}/2", b"2")
        await store.delete_blobs(f"{begin.session}/1")
        return [blob.size for blob in await store.blobs(begin.session)], await store.get_blob(f"{begin.session}/2")

    return act


OPERATIONS = [
    started,
    continued,
    repeated,
    taken_over,
    adopted,
    appended,
    renewed,
    failed,
    applied,
    forgotten,
    expired,
    blobs,
]


@pytest.mark.parametrize("what", ["request", "answer"])
@pytest.mark.parametrize("prepare", OPERATIONS)
async def test_a_connection_may_break_anywhere(
    fragile: Store,
    proxy: CuttingProxy,
    first: BeginTurn,
    prepare: Callable[[Store, BeginTurn], Awaitable[Act]],
    what: What,
) -> None:
    """The connection is cut at the first request or answer, then anew at the second, until the work is through."""

    async def result(number: int, cut: int | None) -> object:
        begin = replace(first, session=f"agents/a/sessions/{number}", steps=[("input", b"")])
        act = await prepare(fragile, begin)
        if cut is not None:
            proxy.cut(what, cut)
        return await act()

    expected = await result(0, None)
    cuts = 0
    while cuts == 0 or proxy.has_cut:
        cuts += 1
        assert await result(cuts, cuts - 1) == expected
    assert cuts > 1


@pytest.mark.parametrize("what", ["request", "answer"])
async def test_a_write_whose_caller_gave_up_is_made_once_over_another_connection(
    fragile: Store, proxy: CuttingProxy, first: BeginTurn, what: What
) -> None:
    lease = await lease_of(fragile, first)
    proxy.cut(what, 0)
    given_up = asyncio.ensure_future(fragile.append(lease, [("row", b"")]))
    await asyncio.sleep(0)
    given_up.cancel()
    await fragile.finish_turn(lease, state=TurnState.DONE, response=b"", steps=[("end", b"")])
    assert given_up.cancelled()
    assert proxy.has_cut
    assert await seen(fragile, first.session) == [(1, "DONE", ["row", "end"])]
