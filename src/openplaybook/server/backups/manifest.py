"""What a backup says of itself: the first member of its archive."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime

from openplaybook.jsonvalues import as_object, dumps, loads
from openplaybook.server.errors import BackupUnusable

NAME = "manifest.json"
DATABASE = "openplaybook.db"
MASTER_KEY = "master.key"
DOCUMENTS = "stores.db"
"""Of data stores. What they are searched by is made from it, and is in no backup."""
FORMAT = 2
"""The second may have `DOCUMENTS`; without it the first is written, which older versions read."""

_VERSION = re.compile(r"[0-9A-Za-z.+!_-]{1,100}")


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """A file in the archive."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the archive holds, and where it is from."""

    version: str
    """Of OpenPlaybook."""
    schema: int
    """Of the database."""
    created: str
    """RFC 3339, UTC."""
    files: Mapping[str, ArchiveMember]
    """`DATABASE`, `DOCUMENTS` where there are any, and `MASTER_KEY` where it was asked for."""

    @property
    def has_documents(self) -> bool:
        """Whether documents of data stores are in it."""
        return DOCUMENTS in self.files

    @property
    def has_key(self) -> bool:
        """Whether the master key is in it."""
        return MASTER_KEY in self.files


def write_manifest(manifest: Manifest) -> bytes:
    """As JSON."""
    files = {name: asdict(member) for name, member in manifest.files.items()}
    form = FORMAT if manifest.has_documents else 1
    head = {"format": form, "version": manifest.version, "schema": manifest.schema, "created": manifest.created}
    return dumps({**head, "files": files}) + b"\n"


def read_manifest(text: bytes) -> Manifest:
    """Raises `BackupUnusable` for what is no manifest, or one of a later format."""
    try:
        members = as_object(loads(text))
        # People are shown these two: nobody's text may steer their terminal.
        version, created = str(members["version"]), datetime.fromisoformat(str(members["created"]))
        if not _VERSION.fullmatch(version):
            raise ValueError("no version")
        if int(members["format"]) > FORMAT:
            raise BackupUnusable(f"it was written by a newer version of OpenPlaybook ({version}); use that one")
        files = {name: as_object(member) for name, member in as_object(members["files"]).items()}
        return Manifest(
            version,
            int(members["schema"]),
            created.isoformat(timespec="seconds"),
            {name: ArchiveMember(int(member["bytes"]), str(member["sha256"])) for name, member in files.items()},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BackupUnusable(f"its {NAME} is damaged") from error
