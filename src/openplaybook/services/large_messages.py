"""Where large messages are read and written: in lanes of threads, the largest one at a time.

For a moment such a message takes some times its size: as text, as parsed values, as decoded files.
"""

from collections.abc import Callable
from typing import TypeVar

from openplaybook.services.errors import to_rpc_error
from openplaybook.wire.bytes_in_flight import MESSAGE_AT_ONCE, SMALL
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import FILES, Lane

T = TypeVar("T")

SHORT = Lane("messages", threads=2, waiting=1_000, seconds=30)
"""For requests that count as small: they have threads and places of their own, as they have room of their own."""

LARGEST = Lane("the largest messages", threads=1, waiting=16, seconds=30)

_VERY_LARGE = 8 * 1024 * 1024


async def done_aside(work: Callable[[], T], size: int) -> T:
    """What `work` on so many bytes gives, or raises; on small messages, which are almost all, it is done at once.

    Raises `RpcError` besides: RESOURCE_EXHAUSTED or DEADLINE_EXCEEDED where too much such work waits.
    """
    if size <= MESSAGE_AT_ONCE:
        return work()
    lane = SHORT if size <= SMALL else FILES if size <= _VERY_LARGE else LARGEST
    try:
        return await lane.run(work)
    except WorkError as error:
        raise to_rpc_error(error) from error
