"""Files of one execution of a tool."""

from collections.abc import Sequence

from openplaybook.tools.base import StoredFile
from openplaybook.tools.session_files import SessionFiles
from openplaybook.turns.base import GivenFile


class ExecutionFiles:
    """Keeps what an execution gives among the files of all executions, so that it can be handed on by its handle. What
    it finds there without a handle is only what its own request brought: no other execution's files."""

    def __init__(self, kept: SessionFiles, brought: Sequence[StoredFile]) -> None:
        self._kept = kept
        self._brought = brought

    @classmethod
    async def bringing(cls, kept: SessionFiles, given: Sequence[GivenFile]) -> "ExecutionFiles":
        """The files of an execution whose request brings some."""
        return cls(kept, [await kept.put(file.name, file.media_type, file.data) for file in given])

    async def put(self, name: str, media_type: str, data: bytes) -> StoredFile:
        """Keep a file; equal bytes under an equal name are kept once. Raises `ValueError` for one that is too large."""
        return await self._kept.put(name, media_type, data)

    async def get(self, handle: str) -> StoredFile | None:
        """The file of a handle that any execution gave; None when there is none."""
        return await self._kept.get(handle)

    async def newest(self, most_bytes: int) -> Sequence[StoredFile]:
        """What the request brought, the last first, as many as have no more than so many bytes together."""
        found: list[StoredFile] = []
        for file in reversed(self._brought):
            if len(file.data) <= most_bytes:
                most_bytes -= len(file.data)
                found.append(file)
        return found
