"""Files of a conversation, held in memory."""

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
