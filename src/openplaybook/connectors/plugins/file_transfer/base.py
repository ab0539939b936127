"""What is asked of a server of files, and which paths may be asked for."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from openplaybook.connectors.errors import ConnectorError, InvalidValue
from openplaybook.connectors.plugins.exchange import Asked

MOST_ENTRIES = 10_000
"""Of one folder."""
MOST_LISTING_BYTES = 4_000_000
_MOST_PATH = 1_000
"""Characters."""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file or a folder, as the server lists it."""

    name: str
    is_folder: bool
    size: int | None = None
    """Bytes; None where the server does not say it."""
    modified_at: str = ""
    """ISO 8601 in UTC; empty where the server does not say it."""


class FileSession(Protocol):
    """Somebody logged in. Paths are those of `ServerPaths`. Methods raise what the driver raises, and
    `EntityNotFound`."""

    async def welcome(self) -> None:
        """Look at the root folder."""
        ...

    async def listed(self, folder: str) -> Sequence[FileEntry]:
        """What is in a folder, without links to itself and its parent."""
        ...

    async def entry(self, path: str) -> FileEntry | None:
        """One file or folder; None where there is none."""
        ...

    async def read(self, path: str, most: int) -> bytes:
        """The bytes of a file. Raises `InvalidValue` for more."""
        ...

    async def write(self, path: str, data: bytes) -> None:
        """Put a file there, in place of another."""
        ...

    async def move(self, path: str, target: str) -> None:
        """Rename."""
        ...

    async def remove(self, path: str, *, is_folder: bool) -> None:
        """Take a file or an empty folder away."""
        ...

    async def make_folder(self, path: str) -> None:
        """A new, empty one."""
        ...


class FileServer(Protocol):
    """Who can be logged in to."""

    def session(self, timeout_s: float) -> AbstractAsyncContextManager[FileSession]:
        """A session that is over with its block."""
        ...

    def failure(self, error: Exception, said: str, asked: Asked) -> ConnectorError | None:
        """The error for what the driver raised, `said` being its words without secrets."""
        ...


@dataclass(frozen=True, slots=True)
class ServerPaths:
    """Paths of the server for paths below the connection's root folder."""

    root: str
    """As the server knows it; empty for the folder that a login begins in."""

    def of(self, path: str) -> str:
        """For a checked path; empty for the root itself."""
        # A path never begins with a hyphen, which some servers read as an option of their `ls`.
        root = self.root.rstrip("/") if self.root else "."
        return f"{root}/{path}" if path else root or "/"


def checked_path(text: str, name: str = "path") -> str:
    """A path below the root folder, without slashes at its ends; empty for the root. Raises `InvalidValue`."""
    path = text.strip("/")
    if len(path) > _MOST_PATH:
        raise InvalidValue(name, f"has at most {_MOST_PATH} characters")
    for part in path.split("/") if path else ():
        if not is_plain_name(part):
            raise InvalidValue(name, f"{part[:40]!r} is no name of a file or folder below the connection's root folder")
    return path


def is_plain_name(name: str) -> bool:
    """Whether a name leads into a folder and not out of it, on any kind of server, and holds nothing that would end a
    command."""
    return name not in ("", ".", "..") and not any(char in "/\\" or ord(char) < 0x20 or char == "\x7f" for char in name)
