"""Fork servers as tests watch them."""

from openplaybook.sandbox.base import Request
from openplaybook.sandbox.local.fork_server import ForkServer
from tests.kit.processes import descendants, wait_until


async def without_guests(server: ForkServer) -> set[int]:
    """The processes of one that keeps no guests ready, once the guest it was tried with is gone."""
    with_the_first = descendants()
    await server.execute(Request(code=""))
    await wait_until(lambda: len(descendants()) == len(with_the_first) - 2)
    return descendants()
