"""Cloud Storage URIs (`gs://BUCKET/OBJECT`), for exports and imports that name one: folders stand for buckets."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile

from openplaybook.services.errors import invalid, not_found, precondition
from openplaybook.workers.lanes import PACKAGES

_SCHEME = "gs://"
_MOST_BYTES = 96 * 1024 * 1024
"""Of an object that is imported: what a request may bring at most."""


@dataclass(frozen=True, slots=True)
class Buckets:
    """The buckets that this server knows."""

    folders: Mapping[str, Path] = field(default_factory=dict[str, Path])
    """By name."""

    async def write(self, uri: str, content: bytes, *, where: str) -> None:
        """Make an object of these bytes, whether there was one or not; `where` is the request's field.

        Raises INVALID_ARGUMENT for what is no such URI, FAILED_PRECONDITION for a bucket that is not known or cannot
        be written.
        """
        path = self._path(uri, where)
        try:
            await PACKAGES.run(partial(_write, path, content))
        except OSError as error:
            raise precondition("BUCKET_UNUSABLE", f"{where}: {uri} cannot be written: {error.strerror}") from error

    async def read(self, uri: str, *, where: str) -> bytes:
        """The bytes of an object. Raises as `write` does, and NOT_FOUND where there is none."""
        path = self._path(uri, where)
        try:
            content = await PACKAGES.run(partial(_read, path))
        except (FileNotFoundError, IsADirectoryError):
            raise not_found("Object", uri) from None
        except OSError as error:
            raise precondition("BUCKET_UNUSABLE", f"{where}: {uri} cannot be read: {error.strerror}") from error
        if len(content) > _MOST_BYTES:
            raise invalid((where, f"{uri} is larger than {_MOST_BYTES} bytes"))
        return content

    def _path(self, uri: str, where: str) -> Path:
        bucket, _, name = uri.removeprefix(_SCHEME).partition("/")
        steps = name.split("/")
        if not uri.startswith(_SCHEME) or not bucket or not all(map(_is_plain, steps)):
            raise invalid((where, f"{uri[:200]!r} is no Cloud Storage URI; write gs://BUCKET/OBJECT"))
        folder = self.folders.get(bucket)
        if folder is None:
            hint = f"start the server with --bucket {bucket}=FOLDER, or leave it empty and send the content itself"
            raise precondition("UNKNOWN_BUCKET", f"{where}: the bucket {bucket} is not known here; {hint}")
        # Links may lead out of the folder.
        path = folder.resolve().joinpath(*steps).resolve()
        if not path.is_relative_to(folder.resolve()):
            raise invalid((where, f"{uri[:200]!r} leads out of its bucket"))
        return path


def buckets_in(text: str) -> Buckets:
    """The buckets of a setting such as `exports=/srv/exports,backups=/srv/backups`. Raises `ValueError`."""
    folders: dict[str, Path] = {}
    for entry in filter(None, map(str.strip, text.split(","))):
        name, _, folder = entry.partition("=")
        if not name or not folder or "/" in name:
            raise ValueError(f"{entry!r} is no NAME=FOLDER")
        folders[name] = Path(folder).expanduser().absolute()
        if not folders[name].is_dir():
            raise ValueError(f"{folders[name]} is no folder")
    return Buckets(folders)


def _is_plain(step: str) -> bool:
    """Whether a step of an object's name can be a file's, and leads nowhere else."""
    return step not in ("", ".", "..") and step.isprintable() and "\\" not in step and len(step.encode()) <= 255


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


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_MOST_BYTES + 1)
