"""The memory of a server's process: when Python looks for garbage, and when what was freed goes back to the system.

Most of what a server drops is freed at once; only cycles are left to the collector. It looks at the youngest objects
often, and at all of them now and then, which stops every thread: 0.2 s with a few large agents in memory. By Python's
own measure a single large document sets off several of these.

By its own measure glibc gives most threads a heap of their own, in which blocks of up to 32 MiB come to lie; a small
one behind them keeps all of it. A server that reads large documents and bodies would hold hundreds of megabytes that
nobody uses. Other C libraries are left as they are.
"""

import asyncio
import contextlib
import ctypes
import gc
from collections.abc import AsyncGenerator, Callable

_M_ARENA_MAX = -8
"""Of mallopt(3)."""
_HEAPS = 2
_M_MMAP_THRESHOLD = -3
_OWN_PAGES = 1024 * 1024
"""Bytes from which on a block has pages of its own: it goes back when it is freed, and moves without being copied when
it grows. glibc would raise that to 32 MiB by itself."""
_TRIMMED_S = 2.0
_MUCH = 32 * 1024 * 1024
"""Free bytes within the heaps from which on they are looked through."""

_YOUNG, _MIDDLE, _ALL = 5_000, 20, 50
"""Objects more than before, young rounds, and middle rounds after which the next larger round is due: all objects are
looked at after five million new ones, some 300 MB."""

_COLLECTED_S = 60.0
"""Besides, all are looked at that often, where there was a middle round since."""

_COUNTS = ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")


class _Counts(ctypes.Structure):
    """What mallinfo2(3) gives; `fordblks` is what is free."""

    _fields_ = [(name, ctypes.c_size_t) for name in _COUNTS]


def share_heaps() -> None:
    """Let all threads that are started from now on share two heaps, and large blocks lie outside them."""
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
        mallopt(_M_ARENA_MAX, _HEAPS)
        mallopt(_M_MMAP_THRESHOLD, _OWN_PAGES)


@contextlib.asynccontextmanager
async def trimmed_memory() -> AsyncGenerator[None]:
    """Give back what is free within the heaps, now and then."""
    libc = ctypes.CDLL(None)
    if not (hasattr(libc, "mallinfo2") and hasattr(libc, "malloc_trim")):
        yield
        return
    libc.mallinfo2.restype = _Counts
    trimming = asyncio.create_task(_trim(lambda: libc.mallinfo2().fordblks, libc.malloc_trim))
    try:
        yield
    finally:
        trimming.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await trimming


async def _trim(free: Callable[[], int], trim: Callable[[int], int]) -> None:
    while True:
        await asyncio.sleep(_TRIMMED_S)
        if free() > _MUCH:
            # Beside the event loop, and without Python's lock: some milliseconds where there is much to give back.
            await asyncio.to_thread(trim, 0)


@contextlib.asynccontextmanager
async def spared_collection() -> AsyncGenerator[None]:
    """All that is there by now stays and is not looked at again; the rest, seldom."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _ALL)
    collecting = asyncio.create_task(_collect())
    try:
        yield
    finally:
        collecting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await collecting
        gc.set_threshold(*before)


async def _collect() -> None:
    while True:
        await asyncio.sleep(_COLLECTED_S)
        if gc.get_count()[2]:
            gc.collect()
