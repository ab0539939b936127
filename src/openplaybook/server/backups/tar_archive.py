"""The archive of a backup: a compressed tar file that any tar can list."""

import hashlib
import os
import shutil
import tarfile
import zlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import IO, Self

from openplaybook.server.backups.manifest import (
    DATABASE,
    DOCUMENTS,
    MASTER_KEY,
    NAME,
    ArchiveMember,
    Manifest,
    read_manifest,
    write_manifest,
)
from openplaybook.server.errors import BackupUnusable

_PIECE = 1 << 20
_LARGEST_MANIFEST = 100_000
_LEVEL = 6
_KNOWN = {DATABASE, DOCUMENTS, MASTER_KEY}


class _File(tarfile.TarInfo):
    """The header of a plain file, as `write_archive` makes them. The content of other kinds, such as long names and
    the headers of pax, is read into memory before anybody is asked, however long it is."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Raises `BackupUnusable` for what is no plain file."""
        entry = super().frombuf(buf, encoding, errors)
        if entry.type not in (tarfile.REGTYPE, tarfile.AREGTYPE):
            raise BackupUnusable(_unnamed(entry))
        return entry


def member_of(path: Path) -> ArchiveMember:
    """A file's size and digest."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return ArchiveMember(file.tell(), digest)


def write_archive(path: Path, manifest: Manifest, files: Mapping[str, Path], time_s: int) -> None:
    """Write a new archive (mode 0600) and wait until it is on the disk."""
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "wb") as raw:
        # Of GNU's format, whose headers of plain files are one block, of large ones as well.
        with tarfile.open(fileobj=raw, mode="w:gz", compresslevel=_LEVEL, format=tarfile.GNU_FORMAT) as tar:
            text = write_manifest(manifest)
            tar.addfile(_entry(NAME, len(text), time_s), BytesIO(text))
            for name, source in files.items():
                with source.open("rb") as content:
                    tar.addfile(_entry(name, manifest.files[name].bytes, time_s), content)
        raw.flush()
        os.fsync(raw.fileno())


def extract(path: Path, folder: Path) -> Manifest:
    """Write the files of an archive into an empty folder (mode 0600), and check that they are what the manifest says.

    Raises `BackupUnusable`.
    """
    try:
        with tarfile.open(path, "r|gz", tarinfo=_File) as tar:
            manifest = _first(tar)
            _check(manifest, folder)
            written: set[str] = set()
            while (entry := tar.next()) is not None:
                if entry.name in written or entry.name not in manifest.files:
                    raise BackupUnusable(_unnamed(entry))
                _write(tar, entry, manifest.files[entry.name], folder / entry.name)
                written.add(entry.name)
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise BackupUnusable(f"it is not a backup, or it is damaged: {error}") from error
    except OSError as error:
        # `gzip.BadGzipFile` is one too; it has no number.
        reason = error.strerror or "it is not a backup, or it is damaged"
        raise BackupUnusable(reason) from error
    missing = sorted(manifest.files.keys() - written)
    if missing:
        raise BackupUnusable(f"it lacks {', '.join(missing)}")
    return manifest


def _first(tar: tarfile.TarFile) -> Manifest:
    entry = tar.next()
    content = tar.extractfile(entry) if entry is not None and entry.name == NAME else None
    if content is None:
        raise BackupUnusable(f"it is not a backup: it does not begin with {NAME}")
    return read_manifest(content.read(_LARGEST_MANIFEST))


def _check(manifest: Manifest, folder: Path) -> None:
    if DATABASE not in manifest.files or manifest.files.keys() - _KNOWN:
        raise BackupUnusable(f"its {NAME} names other files than those of a backup")
    needed, free = sum(member.bytes for member in manifest.files.values()), shutil.disk_usage(folder).free
    if needed > free:
        raise BackupUnusable(f"it needs {needed:,} bytes, but only {free:,} are free")


def _unnamed(entry: tarfile.TarInfo) -> str:
    return f"it contains {entry.name!r}, which its manifest does not name"


def _write(tar: tarfile.TarFile, entry: tarfile.TarInfo, expected: ArchiveMember, target: Path) -> None:
    content = tar.extractfile(entry)
    assert content is not None, "it is a regular file"
    opened = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "wb") as file:
        written = _copied(content, file, expected.bytes)
        file.flush()
        os.fsync(file.fileno())
    if written != expected:
        raise BackupUnusable(f"its {entry.name} does not match its manifest: it was changed or damaged")


def _copied(content: IO[bytes], file: IO[bytes], most: int) -> ArchiveMember:
    """Copies no more than one piece beyond what is expected."""
    digest, size = hashlib.sha256(), 0
    while size <= most and (piece := content.read(_PIECE)):
        digest.update(piece)
        file.write(piece)
        size += len(piece)
    return ArchiveMember(size, digest.hexdigest())


def _entry(name: str, size: int, time_s: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode, entry.mtime = size, 0o600, time_s
    return entry
