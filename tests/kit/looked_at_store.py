"""A store of which only the soundness is asked."""

import asyncio

from openplaybook.storage.errors import StoreFault, StoreUnusable


class LookedAtStore:
    """Has the fault that it is told to have."""

    def __init__(self, fault: StoreFault | None = None) -> None:
        self.fault = fault
        self.looks: list[bool] = []
        """Each look, and whether it was to write."""
        self.breaks: Exception | None = None
        """A fault of our own."""
        self.answers = asyncio.Event()
        """Cleared for one that hangs."""
        self.answers.set()

    async def check(self, *, write: bool) -> None:
        self.looks.append(write)
        await self.answers.wait()
        if self.breaks is not None:
            raise self.breaks
        if self.fault is not None:
            raise StoreUnusable("/data/openplaybook.db: it hurts", self.fault)
