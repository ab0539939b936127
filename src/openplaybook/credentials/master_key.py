"""The master key: where it comes from, and the file that is made when nobody gives one."""

import os
import stat
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from openplaybook.credentials.errors import MasterKeyUnusable
from openplaybook.credentials.sealer import KEY_BYTES

VARIABLE = "OPENPLAYBOOK_MASTER_KEY"
FILE_NAME = "master.key"
"""In the data directory."""


@dataclass(frozen=True, slots=True)
class MasterKeys:
    """The keys of a server; the first seals, all open."""

    keys: tuple[bytes, ...] = field(repr=False)
    source: str
    """Where they came from, for people."""


@dataclass(frozen=True, slots=True)
class KeyPlaces:
    """Where to look for the master key."""

    environment: Mapping[str, str] = field(repr=False)
    given_file: Path | None
    """`master_key_file`."""
    data_dir: Path
    database: str = ""
    """Name of the database that several servers share; empty where the data are in `data_dir`."""

    @property
    def data(self) -> str:
        """Where that is what the key seals, for people."""
        return self.database or str(self.data_dir)

    @property
    def own_file(self) -> Path:
        """The file that is made at the first start."""
        return self.data_dir / FILE_NAME


def find_master_keys(places: KeyPlaces) -> MasterKeys | None:
    """The keys in the environment, else in the given file, else in the data directory; None where there are none.

    Raises `MasterKeyUnusable` for a key that is malformed, a file that cannot be read or that others can change, and
    when the environment and the settings name a key each.
    """
    text = places.environment.get(VARIABLE, "")
    if text and places.given_file is not None:
        raise MasterKeyUnusable(f"both {VARIABLE} and master_key_file are set; set only one of them")
    if text:
        return MasterKeys(_keys(text, VARIABLE), VARIABLE)
    if places.given_file is not None:
        return MasterKeys(_keys(_read(places.given_file, 0o022), str(places.given_file)), str(places.given_file))
    # A key beside one of several servers would be missing at the others.
    if places.database or not places.own_file.exists():
        return None
    return MasterKeys(_keys(_read(places.own_file, 0o077), str(places.own_file)), str(places.own_file))


def make_master_key(places: KeyPlaces) -> MasterKeys:
    """A new key in the data directory, mode 0600; whoever was quicker wins, and its key is used.

    The file appears whole or not at all. Raises `MasterKeyUnusable` when it cannot be written.
    """
    path = places.own_file
    draft = path.with_name(f"{path.name}.{uuid4().hex}")
    try:
        file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(file, b64encode(os.urandom(KEY_BYTES)) + b"\n")
            os.fsync(file)
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            os.close(file)
            draft.unlink()
    except OSError as error:
        raise MasterKeyUnusable(f"the master key cannot be written to {path}: {error.strerror}") from error
    return MasterKeys(_keys(_read(path, 0o077), str(path)), str(path))


def _read(path: Path, forbidden: int) -> str:
    """The text of a key file whose mode has none of the forbidden bits."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & forbidden:
            who = "read" if mode & forbidden & 0o044 else "change"
            raise MasterKeyUnusable(f"{path} has mode {mode:04o}: others can {who} the master key; chmod 600 it")
        return path.read_text(encoding="ascii")
    except OSError as error:
        raise MasterKeyUnusable(f"the master key in {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise MasterKeyUnusable(f"{path} contains no master key: it is not base64 text") from error


def _keys(text: str, source: str) -> tuple[bytes, ...]:
    """Keys separated by commas or white space."""
    words = text.replace(",", " ").split()
    if not words:
        raise MasterKeyUnusable(f"{source} contains no master key; it must contain 32 bytes as base64")
    return tuple(_key(word, source, number) for number, word in enumerate(words, start=1))


def _key(word: str, source: str, number: int) -> bytes:
    plain = word.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        key = b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except Base64Error as error:
        raise MasterKeyUnusable(f"{source}: master key {number} is not base64") from error
    if len(key) != KEY_BYTES:
        raise MasterKeyUnusable(
            f"{source}: master key {number} has {len(key)} bytes; it must be {KEY_BYTES} random bytes as base64, "
            "such as `openssl rand -base64 32` prints"
        )
    return key
