"""An agent, or an app, out of a package on disk, for the time of one conversation."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.chat.chat_session import Reloaded
from openplaybook.cli.errors import ApiError, CommandError
from openplaybook.cli.package_transfer import (
    Imported,
    import_package,
    package_files,
    read_package_file,
    replace_package,
)
from openplaybook.cli.resource_lookup import SCRATCH, is_app, path_of
from openplaybook.jsonvalues import JsonObject

FileStamps: TypeAlias = Mapping[str, tuple[int, int]]
"""Time of the last change (ns) and size of each file, by its path."""


@dataclass(slots=True)
class FolderAgent:
    """The agent on the server, and the files that it was made of."""

    api: ApiClient
    path: Path
    imported: Imported
    stamps: FileStamps

    @property
    def resource(self) -> JsonObject:
        """The agent as the API has it."""
        return self.imported.resource

    def refresh(self) -> Reloaded | None:
        """Bring it up to its files; None where none has changed. Where they cannot be used it stays as it was."""
        stamps = _stamps(self.path)
        changed = tuple(sorted(name for name in {*stamps, *self.stamps} if stamps.get(name) != self.stamps.get(name)))
        if not changed:
            return None
        self.stamps = stamps
        try:
            self.imported = replace_package(self.api, read_package_file(self.path), self.imported.name)
        except CommandError as error:
            # The server's own words begin with the file; a code before it says nothing here.
            return Reloaded(changed, error.message if isinstance(error, ApiError) else str(error))
        return Reloaded(changed)


@contextmanager
def folder_agent(api: ApiClient, path: Path) -> Generator[FolderAgent]:
    """Make the agent on the server; it is deleted with its conversation after the block. Raises `CommandError`."""
    # Looked at before they are read: what changes meanwhile is seen by the next turn.
    stamps = _stamps(path)
    imported = import_package(api, read_package_file(path), SCRATCH, called=path.resolve().stem)
    try:
        yield FolderAgent(api, path, imported, stamps)
    finally:
        operation = api.delete(path_of(imported.name))
        if is_app(imported.name):
            api.finished(operation)


def _stamps(path: Path) -> FileStamps:
    files = package_files(path) if path.is_dir() else {path.name: path}
    stamps: dict[str, tuple[int, int]] = {}
    for name, file in files.items():
        try:
            status = file.stat()
        except FileNotFoundError:
            # Editors replace files by others; whoever reads the package sees what is there then.
            continue
        stamps[name] = (status.st_mtime_ns, status.st_size)
    return stamps
