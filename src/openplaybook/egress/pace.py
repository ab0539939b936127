"""How fast large answers are read: many at once, as fast as the network is, would keep the event loop from all else."""

import asyncio

_LARGE = 2**20
"""Bytes of an answer that are read as they come."""


class Pace:
    """Lets one piece of a large answer pass in each round of the event loop, whichever it belongs to.

    What is not read meanwhile waits in the network: a connection stops receiving when its buffer is full.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def keep(self, size: int) -> None:
        """Return when the next piece of an answer of which `size` bytes are read may be taken."""
        if size > _LARGE:
            async with self._turn:
                await asyncio.sleep(0)
