"""Looking for planted secrets in bytes: in every spelling in which they travel, and inside archives.

    planted = PlantedSecrets("s3cret/token+1", …)
    assert planted.in_folder(tmp_path) == {}

A secret should be long and have characters that URLs and base64 spell differently, such as `/` and `+`.
"""

import gzip
import io
import json
import re
import shutil
import sqlite3
import tarfile
import tempfile
import zipfile
import zlib
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote, quote_plus

_ARCHIVE_IN_BASE64 = re.compile(rb"(?:UEsDB|H4sI)[A-Za-z0-9+/_-]{60,}={0,2}")
"""A zip or gzip file as JSON carries it."""
_SQLITE = b"SQLite format 3\0"
_LAYERS = 4
"""Archives within each other that are looked into."""
_AROUND = 60


class PlantedSecrets:
    """Secrets that must be nowhere."""

    def __init__(self, *secrets: str | bytes) -> None:
        self._spellings = {spelling: secret for secret in secrets for spelling in spellings(secret)}

    def found(self, content: bytes) -> list[str]:
        """What was found, each with the bytes around it; empty when nothing is."""
        return [
            f"{secret!r} as {spelling!r} in {_around(layer, spelling)!r}"
            for layer in layers(content)
            for spelling, secret in self._spellings.items()
            if spelling in layer
        ]

    def in_folder(self, folder: Path) -> dict[str, list[str]]:
        """What was found below a folder, by path: in the bytes of files, in their names, and in what databases hold."""
        found: dict[str, list[str]] = {}
        for path in sorted(folder.rglob("*")):
            name = str(path.relative_to(folder))
            contents = [name.encode(), *(_contents(path) if path.is_file() else ())]
            if hits := [hit for content in contents for hit in self.found(content)]:
                found[name] = hits
        return found


def spellings(secret: str | bytes) -> set[bytes]:
    """A secret as it stands in text, URLs, JSON, Python, hexadecimal, and base64 of whatever holds it."""
    plain = secret if isinstance(secret, bytes) else secret.encode()
    in_base64 = {encode(b"\0" * shift + plain)[_first(shift) :] for shift in range(3) for encode in _BASE64}
    # The last characters depend on what follows the secret.
    encoded = {text.rstrip(b"=")[:-2] for text in in_base64} | {plain.hex().encode(), plain.hex().upper().encode()}
    return {plain} | encoded if isinstance(secret, bytes) else {plain} | encoded | _in_texts(secret)


def _in_texts(secret: str) -> set[bytes]:
    texts = (
        quote(secret),
        quote(secret, safe=""),
        quote_plus(secret),
        re.sub("%[0-9A-F]{2}", lambda found: found[0].lower(), quote(secret, safe="")),
        json.dumps(secret)[1:-1],
        json.dumps(json.dumps(secret)[1:-1])[1:-1],
        secret.replace("/", "\\/"),
        repr(secret)[1:-1],
    )
    return {text.encode() for text in texts}


def layers(content: bytes, depth: int = _LAYERS) -> Iterator[bytes]:
    """Some bytes, and what the archives in them hold."""
    yield content
    if depth:
        for inner in _unpacked(content):
            yield from layers(inner, depth - 1)


_BASE64 = (b64encode, urlsafe_b64encode)


def _first(shift: int) -> int:
    """Index of the first character of base64 that depends on nothing before `shift` bytes."""
    return -(-shift * 8 // 6)


def _unpacked(content: bytes) -> Iterator[bytes]:
    # What breaks off, as among the pages of a database, gives what is there.
    for found in _ARCHIVE_IN_BASE64.finditer(content):
        with suppress(ValueError):
            yield b64decode(found[0].translate(bytes.maketrans(b"-_", b"+/")) + b"==")
    if content.startswith(b"\x1f\x8b"):
        with suppress(OSError, EOFError, zlib.error):
            yield gzip.decompress(content)
    if content.startswith(b"PK\x03\x04"):
        with suppress(zipfile.BadZipFile, ValueError, zlib.error), zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                yield name.encode()
                yield archive.read(name)
    if content.startswith(_SQLITE):
        # Without its log a database whose server was killed may be half written; `_contents` reads it with its log.
        with suppress(sqlite3.DatabaseError), tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "database").write_bytes(content)
            yield from _values(Path(folder) / "database")
    if content[257:262] == b"ustar":
        with suppress(tarfile.TarError), tarfile.open(fileobj=io.BytesIO(content)) as archive:
            for member in archive:
                yield member.name.encode()
                if (file := archive.extractfile(member)) is not None:
                    yield file.read()


def _contents(file: Path) -> Iterator[bytes]:
    """The bytes of a file, and the values of a database."""
    content = file.read_bytes()
    yield content
    if content.startswith(_SQLITE):
        # Once more with its log, where the latest values are.
        with tempfile.TemporaryDirectory() as folder:
            for each in file.parent.glob(f"{file.name}*"):
                shutil.copy(each, folder)
            yield from _values(Path(folder) / file.name)


def _values(database: Path) -> Iterator[bytes]:
    """Each value in a database: a long one lies in pieces among its pages."""
    with closing(sqlite3.connect(database)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for table in tables:
            for row in connection.execute(f'SELECT * FROM "{table}"'):
                yield from (value if isinstance(value, bytes) else str(value).encode() for value in row)


def _around(content: bytes, spelling: bytes) -> bytes:
    at = content.index(spelling)
    return content[max(0, at - _AROUND) : at + len(spelling) + _AROUND]
