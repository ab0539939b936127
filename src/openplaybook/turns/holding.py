"""A lease while its turn runs, and how long it surely stands."""

import time
from dataclasses import dataclass

from openplaybook.storage.base import Lease, Store

LEASE_US = 10_000_000


@dataclass(slots=True)
class Held:
    """A lease that this process was granted.

    Timers renew it. A process that is frozen, or whose loop is blocked, may wake up after its end, when the turn is
    somebody else's: what the store is asked for is refused then, but the outside would not know.
    """

    store: Store
    lease: Lease
    asked: float
    """When it was asked for last, on the clock of `time.monotonic`; it was granted later, so it stands a term from
    here at least."""

    async def renew(self) -> None:
        """Hold it for another term. Raises `LeaseLost`, `StoreUnusable`."""
        asked = time.monotonic()
        await self.store.renew(self.lease, LEASE_US)
        self.asked = asked

    async def confirm(self) -> None:
        """Return when the turn is ours; the store is asked only where a term may have passed. Raises as `renew`."""
        if time.monotonic() - self.asked >= LEASE_US / 1e6:
            await self.renew()
