"""A folder of this machine that stands for a bucket: objects are files below it."""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile

from openplaybook.buckets.base import MOST_BYTES, MOST_NAME_BYTES, MOST_NAMES
from openplaybook.buckets.errors import BucketUnusable, ObjectMissing, ObjectTooLarge
from openplaybook.workers.lanes import PACKAGES

_MAX_STEP = 255
"""Bytes of a file's name."""


class FolderBucket:
    """Reads and writes in a thread."""

    def __init__(self, name: str, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._name = name
        self._folder = folder
        self._most_bytes = most_bytes
        self.about = str(folder)

    def fault(self, name: str) -> str:
        """Each step of the name must be a file's, and none may lead out of the folder, links included."""
        if len(name.encode()) > MOST_NAME_BYTES:
            return f"has a name of more than {MOST_NAME_BYTES} bytes, which no object can have"
        if not all(map(_is_plain, name.split("/"))):
            return "cannot be a file in the folder that stands for the bucket"
        return "" if self._path(name).is_relative_to(self._folder.resolve()) else "leads out of its bucket"

    async def read(self, name: str) -> bytes:
        """The file's bytes. Raises `BucketError`."""
        uri = self._uri(name)
        try:
            content = await PACKAGES.run(partial(_read, self._inside(name), self._most_bytes + 1))
        except (FileNotFoundError, IsADirectoryError) as error:
            raise ObjectMissing(f"the object {uri} does not exist") from error
        except OSError as error:
            raise BucketUnusable(f"{uri} cannot be read: {error.strerror}") from error
        if len(content) > self._most_bytes:
            raise ObjectTooLarge(f"{uri} is larger than {self._most_bytes} bytes")
        return content

    async def write(self, name: str, content: bytes) -> None:
        """Write the file, with the folders above it. Raises `BucketError`."""
        try:
            await PACKAGES.run(partial(_write, self._inside(name), content))
        except OSError as error:
            raise BucketUnusable(f"{self._uri(name)} cannot be written: {error.strerror}") from error

    async def names(self, prefix: str) -> Sequence[str]:
        """The files below the folder whose names begin so; hidden ones are none. Raises `BucketError`."""
        names = await PACKAGES.run(partial(_names, self._folder.resolve(), prefix, MOST_NAMES + 1))
        if len(names) > MOST_NAMES:
            raise BucketUnusable(f"{self._uri(prefix)}*: more than {MOST_NAMES} objects begin so")
        return sorted(names)

    async def check(self) -> None:
        """The folder can be read and written. Raises `BucketUnusable`."""
        if not await PACKAGES.run(partial(os.access, self._folder, os.R_OK | os.W_OK | os.X_OK)):
            raise BucketUnusable(f"{self._folder} cannot be read and written by this server")

    def _inside(self, name: str) -> Path:
        if fault := self.fault(name):
            raise BucketUnusable(f"{self._uri(name)!r} {fault}")
        return self._path(name)

    def _path(self, name: str) -> Path:
        return self._folder.resolve().joinpath(*name.split("/")).resolve()

    def _uri(self, name: str) -> str:
        return f"gs://{self._name}/{name}"


def _is_plain(step: str) -> bool:
    """Whether a step of an object's name can be a file's, and leads nowhere else."""
    is_name = step not in ("", ".", "..") and step.isprintable() and "\\" not in step
    return is_name and len(step.encode()) <= _MAX_STEP


def _names(folder: Path, prefix: str, most: int) -> list[str]:
    """Names of files, not of links and not of what is hidden."""
    names: list[str] = []
    above = prefix.rpartition("/")[0]
    if not all(_is_plain(step) for step in above.split("/") if above):
        return names
    for place, folders, files in os.walk(folder / above if above else folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        within = Path(place).relative_to(folder).as_posix()
        paths = (name if within == "." else f"{within}/{name}" for name in files if not name.startswith("."))
        names += (path for path in paths if path.startswith(prefix) and not (folder / path).is_symlink())
        if len(names) >= most:
            break
    return names[:most]


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
        try:
            file.write(content)
            file.flush()
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def _read(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        return file.read(most)
