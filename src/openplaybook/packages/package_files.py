"""The files of a package: read from a zip archive or a folder, with every limit that foreign input needs; written as a
zip archive, where equal files give equal bytes; and where they stand in a folder, never outside of it."""

import io
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from openplaybook.packages.errors import DamagedArchive, DuplicateName, NotAPackage, PackageTooLarge, UnsafeArchive
from openplaybook.packages.package_formats import PackageFormat, at_root

MAX_FILES = 20_000
MAX_FILE_BYTES = 64 * 2**20
MAX_TOTAL_BYTES = 256 * 2**20
MAX_RATIO = 200
"""Unpacked bytes per packed byte; JSON and YAML reach some 20."""
_RATIO_FREE_BYTES = 2**20
MAX_VALUE_BYTES = 256 * 2**20
"""Memory for the values of a package's documents, by an estimate that is a high one."""
_CHUNK = 2**16
_DOCUMENTS = (".json", ".yaml", ".yml")
_WEIGHTS = ((b"{", 232), (b"[", 88), (b",", 60))
"""Bytes that an object, an array and each part of them take in CPython, the length of texts apart."""
_LINE_OF_YAML = 150
_IGNORED = frozenset({".git", ".openplaybook", "__macosx"})
"""Folders, and files, that are never a package's own, wherever they stand: what is written into a checkout again must
not become its hooks or its settings."""
_ENTRY = b"PK\x01\x02"
"""What each entry of a zip archive's directory begins with."""

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def read_files(source: bytes | Path, *formats: PackageFormat) -> dict[str, bytes]:
    """Every file of a package of one of the formats, of any when none is named (see `package_formats.at_root`).

    Reads from disk and unpacks: not for the event loop. Raises `PackageError`.
    """
    try:
        files = at_root(_read_path(source) if isinstance(source, Path) else _read_zip(source), *formats)
        _weigh(files)
        return files
    except OSError as error:
        raise NotAPackage("", f"{source} cannot be read: {error.strerror}") from error


def check_path(path: str) -> None:
    """Refuse a path that is not a plain relative one in UTF-8 (`UnsafeArchive`)."""
    parts = path.split("/")
    if not path.isprintable() and any("\ud800" <= character <= "\udfff" for character in path):
        raise UnsafeArchive(ascii(path), "is not UTF-8")
    if _CONTROLS.search(path):
        raise UnsafeArchive(ascii(path), "holds control characters")
    if "\\" in path or "\0" in path or ":" in parts[0] or any(part in ("", ".", "..") for part in parts):
        raise UnsafeArchive(path, "is not a plain relative path with / between its parts")


def _weigh(files: Mapping[str, bytes]) -> None:
    """Refuse documents that are small as text and large as values: `[{},{},…`."""
    weight = 0
    for path, content in files.items():
        if not path.endswith(_DOCUMENTS):
            continue
        weight += len(content) + sum(content.count(sign) * size for sign, size in _WEIGHTS)
        if not path.endswith(".json"):
            weight += content.count(b"\n") * _LINE_OF_YAML
        if weight > MAX_VALUE_BYTES:
            raise PackageTooLarge(path, f"the values in the files take more than {MAX_VALUE_BYTES} bytes together")


def _read_path(source: Path) -> dict[str, bytes]:
    if source.is_dir():
        return _read_folder(source)
    if not source.is_file():
        raise NotAPackage("", f"{source} is neither a file nor a folder")
    if source.stat().st_size > MAX_TOTAL_BYTES:
        raise PackageTooLarge("", f"the archive is larger than {MAX_TOTAL_BYTES} bytes")
    return _read_zip(source.read_bytes())


def _read_folder(folder: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    budget = _Budget()
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_ignored(name))
        names = [name for name in names if not _is_ignored(name)]
        for name in (*folders, *names):
            if (Path(at) / name).is_symlink():
                raise UnsafeArchive(str((Path(at) / name).relative_to(folder)), "is a symbolic link")
        for name in names:
            full = Path(at) / name
            path = full.relative_to(folder).as_posix()
            check_path(path)
            if not full.is_file():
                raise UnsafeArchive(path, "is not a regular file")
            budget.file(path, full.stat().st_size)
            files[path] = full.read_bytes()
    return files


def _read_zip(data: bytes) -> dict[str, bytes]:
    if not data.startswith(b"PK"):
        raise NotAPackage("", "is not a zip archive")
    # Before the archive is opened, since its whole directory is read then: half a million entries fit into 27 MB.
    if data.count(_ENTRY) > MAX_FILES:
        raise PackageTooLarge("", f"there are more than {MAX_FILES} files")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _read_entries(archive, len(data))
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, ValueError, OSError) as error:
        raise DamagedArchive("", f"the archive is truncated or damaged: {error}") from error


def _read_entries(archive: zipfile.ZipFile, packed: int) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    budget = _Budget(packed)
    for entry in archive.infolist():
        path = entry.filename
        check_path(path.removesuffix("/"))
        if path.endswith("/") or any(map(_is_ignored, path.split("/"))):
            continue
        _check_entry(entry)
        if path in files:
            raise DuplicateName(path, "is in the archive twice")
        files[path] = _read_entry(archive, entry, budget)
    return files


def _is_ignored(name: str) -> bool:
    return name.casefold() in _IGNORED


def _check_entry(entry: zipfile.ZipInfo) -> None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise UnsafeArchive(entry.filename, "is a link or a special file")
    if entry.flag_bits & 0x1:
        raise UnsafeArchive(entry.filename, "is encrypted")
    if entry.compress_type not in _METHODS:
        raise UnsafeArchive(entry.filename, "is compressed in an unsupported way; allowed is deflate")


def _read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: "_Budget") -> bytes:
    """Unpack in steps: an entry's own word on its size is not trusted."""
    budget.file(entry.filename, 0)
    content = bytearray()
    with archive.open(entry) as stream:
        while chunk := stream.read(_CHUNK):
            content += chunk
            budget.take(entry.filename, len(chunk), len(content))
    return bytes(content)


class _Budget:
    """Counts files and bytes against the limits."""

    def __init__(self, packed: int | None = None) -> None:
        self._files = 0
        self._bytes = 0
        self._allowed = MAX_TOTAL_BYTES if packed is None else max(_RATIO_FREE_BYTES, packed * MAX_RATIO)

    def file(self, path: str, size: int) -> None:
        self._files += 1
        if self._files > MAX_FILES:
            raise PackageTooLarge("", f"there are more than {MAX_FILES} files")
        self.take(path, size, size)

    def take(self, path: str, size: int, so_far: int) -> None:
        self._bytes += size
        if so_far > MAX_FILE_BYTES:
            raise PackageTooLarge(path, f"is larger than {MAX_FILE_BYTES} bytes")
        if self._bytes > MAX_TOTAL_BYTES:
            raise PackageTooLarge(path, f"the files are larger than {MAX_TOTAL_BYTES} bytes together")
        if self._bytes > self._allowed:
            raise PackageTooLarge(path, f"the files are more than {MAX_RATIO} times the archive's size")


_EPOCH = (1980, 1, 1, 0, 0, 0)
_FILE_MODE = 0o100644 << 16


def zip_of(files: Mapping[str, bytes]) -> bytes:
    """The archive of files by path, sorted, without times. Packs: not for the event loop."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = _FILE_MODE
            archive.writestr(entry, files[path])
    return buffer.getvalue()


def file_in(folder: Path, path: str) -> Path:
    """The place of a package's file in a folder, which need not be there yet.

    Raises `UnsafeArchive` where the path is no plain relative one, or a symbolic link below the folder lies on the way:
    a checkout of somebody else's may hold links to anywhere.
    """
    check_path(path)
    file = folder
    for part in path.split("/"):
        file /= part
        if file.is_symlink():
            raise UnsafeArchive(path, f"cannot be written: {file} is a symbolic link")
    return file
