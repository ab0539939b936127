"""Whether an answer reached a connection that still stood, and who is told of it.

ASGI does not say: servers take what is sent to a connection that is gone and drop it. Ours says it by an extension of
the scope; of another server's applications every answer counts as delivered.
"""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from starlette.types import Scope

from openplaybook.wire.context import RpcContext

EXTENSION = "openplaybook.delivery"
IS_DELIVERED = "is_delivered"
"""Key of the `Delivery` in the extension."""

Delivery: TypeAlias = Callable[[], Awaitable[bool]]
"""To be asked when the whole answer was sent: whether it left for a connection that still stood."""


async def tell_delivered(scope: Scope, context: RpcContext) -> None:
    """Tell those who asked, if the answer that was sent has left."""
    if not context.on_delivered:
        return
    is_delivered: Delivery | None = scope.get("extensions", {}).get(EXTENSION, {}).get(IS_DELIVERED)
    if is_delivered is None or await is_delivered():
        told(context)


def told(context: RpcContext) -> None:
    """Tell those who asked."""
    for tell in context.on_delivered:
        tell()
