"""Which program runs: its version, and whether its files are those of another process or those it began with."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import openplaybook


@dataclass(frozen=True, slots=True)
class ServerProgram:
    """The package `openplaybook` as it is on the disk now."""

    version: str
    folder: Path
    digest: str
    """SHA-256 of all its files, hexadecimal: equal where the code is equal, whatever the folder."""
    changed: float
    """When one of its files was changed last: seconds since the epoch."""


def program_of(folder: Path | None = None) -> ServerProgram:
    """The program in `folder`; by default the one that this process was started from. Reads all of its files."""
    folder = folder or Path(openplaybook.__file__).parent
    digest, changed = hashlib.sha256(), 0.0
    for file in _files(folder):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
        changed = max(changed, file.stat().st_mtime)
    return ServerProgram(openplaybook.__version__, folder, digest.hexdigest(), changed)


def _files(folder: Path) -> Iterator[Path]:
    """Those that belong to the program; what Python compiles beside them does not."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path
