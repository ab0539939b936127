"""From the setting `bucket` to the buckets that it names."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

from openplaybook.buckets.base import Bucket
from openplaybook.buckets.cloud_storage import CLOUD_STORAGE, CloudStorageAccess, CloudStorageBucket
from openplaybook.buckets.folder_bucket import FolderBucket
from openplaybook.egress.base import Transport

GOOGLE = "gs:"
"""In place of a folder: the bucket is Google's own, of the same name."""
EMULATOR = "STORAGE_EMULATOR_HOST"
"""The variable by which Google's own clients find an emulator of Cloud Storage."""

CloudStorage: TypeAlias = Callable[[str], Bucket]
"""Google's bucket of a name."""

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]")
"""https://cloud.google.com/storage/docs/buckets#naming"""


def parse_buckets(text: str, cloud_storage: CloudStorage) -> dict[str, Bucket]:
    """The buckets of a setting such as `exports=/srv/exports,backups=gs:`, by name. Raises `ValueError`."""
    buckets: dict[str, Bucket] = {}
    for entry in filter(None, map(str.strip, text.split(","))):
        name, _, place = entry.partition("=")
        if not name or not place or "/" in name:
            raise ValueError(f"{entry!r} must be NAME=FOLDER, or NAME={GOOGLE} for Google's own bucket of that name")
        buckets[name] = _google(name, place, cloud_storage) if place.startswith(GOOGLE) else _folder(name, place)
    return buckets


def cloud_storage_of(
    transport: Transport, environment: Mapping[str, str], access: Callable[[], CloudStorageAccess]
) -> CloudStorage:
    """Google's buckets, or those of the emulator that the environment names: that one gets no token.

    All share one `access`. Raises `ValueError` when called where the emulator's address cannot be used.
    """
    emulator = environment.get(EMULATOR, "")
    shared = cache(access)

    def bucket(name: str) -> Bucket:
        if emulator:
            return CloudStorageBucket(name, transport, None, _address(emulator))
        return CloudStorageBucket(name, transport, shared(), CLOUD_STORAGE)

    return bucket


def _google(name: str, place: str, cloud_storage: CloudStorage) -> Bucket:
    if place != GOOGLE:
        raise ValueError(f"{name}={place} must be {name}={GOOGLE}: Google's bucket has the same name")
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not a name that Google's buckets have")
    return cloud_storage(name)


def _folder(name: str, place: str) -> Bucket:
    folder = Path(place).expanduser().absolute()
    if not folder.is_dir():
        raise ValueError(f"{folder} is not a folder; for Google's own bucket write {name}={GOOGLE}")
    return FolderBucket(name, folder)


def _address(emulator: str) -> str:
    """Google's client for Python wants a scheme there, that for Go none."""
    url = emulator if "://" in emulator else f"http://{emulator}"
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"{EMULATOR} must be an http or https URL, not {emulator[:80]!r}")
    return url.rstrip("/")
