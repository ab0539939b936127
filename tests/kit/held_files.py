"""Files of a conversation, held in memory."""

from collections.abc import Sequence

from openplaybook.tools.base import StoredFile


class HeldFiles:
    """`Files` that holds what it is made with."""

    def __init__(self, *files: StoredFile) -> None:
        self._files = {file.handle: file for file in files}

    async def put(self, name: str, media_type: str, data: bytes) -> StoredFile:
        """Keep a file."""
        file = StoredFile(
            f"projects/p/locations/l/agents/a/sessions/s/files/{len(self._files)}", name, media_type, data
        )
        self._files[file.handle] = file
        return file

    async def get(self, handle: str) -> StoredFile | None:
        """The file of a handle."""
        return self._files.get(handle)

    async def newest(self, most_bytes: int) -> Sequence[StoredFile]:
        """The files, the last one first, as many as have no more than so many bytes together."""
        found: list[StoredFile] = []
        for file in reversed(self._files.values()):
            if sum(len(each.data) for each in (*found, file)) <= most_bytes:
                found.append(file)
        return found
