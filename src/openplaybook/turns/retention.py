"""Forgetting: conversations whose time is over, and snapshots of agents that none of the others can need."""

from collections.abc import AsyncIterator

from openplaybook.storage.base import Store
from openplaybook.turns import snapshots
from openplaybook.turns.admission import MAX_TTL_S

BATCH = 20
"""Conversations forgotten in one transaction: turns that want to write meanwhile wait for it."""


async def forget_expired(store: Store, *, kept_us: int) -> AsyncIterator[int]:
    """Forget the conversations of sessions that expired at least `kept_us` ago; how many, batch by batch."""
    while gone := len(await store.delete_expired(kept_us=kept_us, limit=BATCH)):
        yield gone
        if gone < BATCH:
            return


async def forget_snapshots(store: Store, *, kept_us: int, now_us: int) -> int:
    """Forget the snapshots that no conversation needs which is kept for `kept_us` after its session; how many.

    A snapshot's blob was put at its last use, or `LAG_US` before that; the session of that use lived no longer than a
    session can.
    """
    before_us = now_us - kept_us - int(MAX_TTL_S * 1e6) - snapshots.LAG_US
    old = [blob.key for blob in await store.blobs(snapshots.PREFIX) if blob.put_us < before_us]
    for key in old:
        # Looked at again where it is deleted: another server may have put it anew.
        await store.delete_blobs(key, before_us=before_us)
    return len(old)
