"""When Python looks for garbage in a server.

Most of what a server drops is freed at once; only cycles are left to the collector. It looks at the youngest objects
often, and at all of them now and then, which stops every thread: 0.2 s with a few large agents in memory. By Python's
own measure a single large document sets off several of these.
"""

import asyncio
import contextlib
import gc
from collections.abc import AsyncGenerator

_YOUNG, _MIDDLE, _ALL = 5_000, 20, 50
"""Objects more than before, young rounds, and middle rounds after which the next larger round is due: all objects are
looked at after five million new ones, some 300 MB."""

_EVERY_S = 60.0
"""Besides, all are looked at that often, where there was a middle round since."""


@contextlib.asynccontextmanager
async def spared_collection() -> AsyncGenerator[None]:
    """All that is there by now stays and is not looked at again; the rest, seldom."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _ALL)
    looking = asyncio.create_task(_look())
    try:
        yield
    finally:
        looking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await looking
        gc.set_threshold(*before)


async def _look() -> None:
    while True:
        await asyncio.sleep(_EVERY_S)
        if gc.get_count()[2]:
            gc.collect()
