"""Work on large messages beside the event loop; on small ones, which are almost all, it is done at once."""

from collections.abc import Callable
from typing import TypeVar

from openplaybook.services.errors import to_rpc_error
from openplaybook.wire.bytes_in_flight import SMALL
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import FILES

T = TypeVar("T")


async def done_aside(work: Callable[[], T], size: int) -> T:
    """What `work` on so many bytes gives, or raises.

    Raises `RpcError` besides: RESOURCE_EXHAUSTED or DEADLINE_EXCEEDED where too much such work waits.
    """
    if size <= SMALL:
        return work()
    try:
        return await FILES.run(work)
    except WorkError as error:
        raise to_rpc_error(error) from error
