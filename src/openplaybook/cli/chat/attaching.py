"""Files that the user sends along."""

import base64
from dataclasses import dataclass, field
from pathlib import Path

from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject

MAX_FILE_BYTES = 16 * 1024 * 1024
"""As the server takes it; a larger file is not even read."""


@dataclass(frozen=True, slots=True)
class ChatAttachment:
    """A file on its way to the agent."""

    name: str
    data: bytes = field(repr=False)

    def to_json(self) -> JsonObject:
        """A member of `queryParams.payload.files`."""
        return {"name": self.name, "contents": base64.b64encode(self.data).decode("ascii")}


def read_attachment(path: Path) -> ChatAttachment:
    """The file at `path`. Raises `CommandError` where it cannot be read, or is too large to be sent."""
    try:
        if not path.expanduser().is_file():
            raise CommandError(f"{path} is not an existing file", exit_code=2)
        with path.expanduser().open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", exit_code=2) from error
    if len(data) > MAX_FILE_BYTES:
        raise CommandError(f"{path} is larger than {MAX_FILE_BYTES:,} bytes, the most for a file", exit_code=2)
    return ChatAttachment(path.name, data)
