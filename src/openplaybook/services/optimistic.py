"""Read, decide, write; and once more when another one wrote in between."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from openplaybook.storage.errors import VersionMismatch

_ATTEMPTS = 10

Result = TypeVar("Result")


async def retried(attempt: Callable[[], Awaitable[Result]]) -> Result:
    """The result of `attempt`, made anew when it meets a `VersionMismatch`, ten times at most."""
    for _ in range(_ATTEMPTS - 1):
        try:
            return await attempt()
        except VersionMismatch:
            continue
    return await attempt()
