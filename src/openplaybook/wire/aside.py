"""Where work on large messages is done, so that others have their turn meanwhile: the server says where."""

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")

MESSAGE_AT_ONCE = 32 * 1024
"""Bytes of a message on which work is done where it arrives: some milliseconds, where all of it are short values."""


class Aside(Protocol):
    """Does work elsewhere than in the event loop."""

    async def __call__(self, work: Callable[[], T], size: int) -> T:
        """What `work` on so many bytes gives, or raises; RESOURCE_EXHAUSTED or DEADLINE_EXCEEDED where there is too
        much of it."""
        ...


async def at_once(work: Callable[[], T], size: int) -> T:
    """Work that is done where it is asked for."""
    return work()
