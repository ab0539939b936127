"""The `Bucket` port: whole objects, read and written by name."""

from collections.abc import Sequence
from typing import Protocol

MOST_BYTES = 96 * 1024 * 1024
"""Of an object that is read: as much as the largest request brings."""
MOST_NAMES = 100_000
"""Of objects that are listed at once."""
MOST_NAME_BYTES = 1024
"""Of an object's name (https://cloud.google.com/storage/docs/objects#naming)."""


class Bucket(Protocol):
    """One bucket. An object is in memory as a whole, once."""

    about: str
    """Where its objects are, for the operator."""

    def fault(self, name: str) -> str:
        """Why no object here can have this name; empty where one can."""
        ...

    async def read(self, name: str) -> bytes:
        """The bytes of an object, at most `MOST_BYTES`. Raises `BucketError`."""
        ...

    async def write(self, name: str, content: bytes) -> None:
        """Store an object, in the place of one that has this name: all of it or nothing. Raises `BucketError`."""
        ...

    async def names(self, prefix: str) -> Sequence[str]:
        """Names of the objects that begin so, in order. Raises `BucketError`, also where there are more than
        `MOST_NAMES`."""
        ...

    async def check(self) -> None:
        """Objects can be read and written here; none is. Raises `BucketError`."""
        ...
