"""Takes up what a server left unfinished: imports, crawls and deletions of stores."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from openplaybook.retrieval.errors import InvalidSource
from openplaybook.services.operations import FinishedWork, OperationRunner, UnfinishedWork, Work
from openplaybook.wire.errors import Code, RpcError

_LOG = logging.getLogger("openplaybook.operations")

Resumption: TypeAlias = Callable[[UnfinishedWork], Awaitable[bool]]
"""Goes on with work; False where another server does. Raises `InvalidSource` where it cannot be gone on with."""


class UnfinishedOperations:
    """Knows who goes on with what."""

    def __init__(self, operations: OperationRunner, resumptions: Mapping[str, Resumption]) -> None:
        """`resumptions` by the kind that notes have."""
        self._operations = operations
        self._resumptions = resumptions

    async def resume(self) -> None:
        """Take up all work that no server does. Raises `StoreError`."""
        for unfinished in await self._operations.unfinished():
            resumption = self._resumptions.get(str(unfinished.note.get("kind")))
            try:
                if resumption is None:
                    raise InvalidSource(f"nobody goes on with work of the kind {unfinished.note.get('kind')!r}")
                is_taken = await resumption(unfinished)
            except (InvalidSource, KeyError, ValueError, TypeError) as error:
                is_taken = await self._operations.resume(unfinished.operation, _given_up(error), "v1")
            if is_taken:
                _LOG.info("goes on", extra={"operation": unfinished.operation})


def _given_up(error: Exception) -> Work:
    async def work() -> FinishedWork:
        raise RpcError(Code.ABORTED, f"The server stopped during this operation and cannot go on with it: {error}")

    return work
