"""What `datastores ingest` is given, as documents of the Discovery Engine API: folders, files, records, sites.

Files are sent with their contents: the server opens no path that it is told over the API.
"""

import mimetypes
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from openplaybook.cli.datastores.record_files import LINES, TABLES, ReadLine, is_record_file, read_record_file
from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.extraction.media_types import ENDINGS
from openplaybook.retrieval.records.document_ids import id_of_uri

_BATCH_BYTES = 4 * 1024 * 1024
_BATCH_DOCUMENTS = 1_000
_KINDS = ("PUBLIC_WEB", "UNSTRUCTURED", "STRUCTURED")


@dataclass(frozen=True, slots=True)
class Batch:
    """Documents of one request."""

    documents: Sequence[JsonObject]
    bytes: int
    """Of the files that they were made from."""
    faults: Sequence[str] = ()
    """Of lines between them that are no documents: file, line, and why."""


@dataclass(frozen=True, slots=True)
class IngestPlan:
    """What is to be ingested."""

    sites: tuple[str, ...] = ()
    """URLs."""
    files: tuple[tuple[str, Path], ...] = ()
    """The name in the store, a relative path with `/`, and where the file is."""
    left_out: tuple[str, ...] = field(default=())
    """Files of a kind that is not taken."""

    @property
    def store_type(self) -> str:
        """The type of a store for this: PUBLIC_WEB, UNSTRUCTURED or STRUCTURED."""
        if self.sites:
            return _KINDS[0]
        return _KINDS[2] if all(is_record_file(path) for _, path in self.files) else _KINDS[1]

    @property
    def bytes(self) -> int:
        """Of all files."""
        return sum(path.stat().st_size for _, path in self.files)

    def batches(self) -> Iterator[Batch]:
        """The documents, in requests of some megabytes. Raises `CommandError` where a file cannot be read."""
        documents: list[JsonObject] = []
        faults: list[str] = []
        held = 0
        for read in self._documents():
            if isinstance(read, str):
                faults.append(read)
                continue
            document, size = read
            if documents and (held + size > _BATCH_BYTES or len(documents) >= _BATCH_DOCUMENTS):
                yield Batch(documents, held, faults)
                documents, faults, held = [], [], 0
            documents.append(document)
            held += size
        if documents or faults:
            yield Batch(documents, held, faults)

    def _documents(self) -> Iterator[ReadLine]:
        for name, path in self.files:
            if is_record_file(path):
                yield from read_record_file(path)
            else:
                yield _file(name, path)


def plan_of(sources: Iterable[str], name: str = "") -> IngestPlan:
    """What these paths and URLs are; `name` is what a single file is called in the store, in place of its own name.

    Raises `CommandError` where there is nothing, where there are sites and files at once, or a name for anything else.
    """
    sites: list[str] = []
    files: list[tuple[str, Path]] = []
    left_out: list[str] = []
    for source in sources:
        if urlsplit(source).scheme in ("http", "https"):
            sites.append(source)
            continue
        path = Path(source)
        if not path.exists():
            raise CommandError(f"{source} is neither a file, nor a folder, nor a URL of http or https", exit_code=2)
        for inside, file in _files(path):
            known = not path.is_dir() or _media_type(file) or is_record_file(file)
            if known:
                files.append((inside, file))
            else:
                left_out.append(str(file))
    if sites and files:
        raise CommandError("a store holds either a site or files; give each a store of its own", exit_code=2)
    if not sites and not files:
        allowed = ", ".join(sorted({*ENDINGS, *LINES, *TABLES}))
        raise CommandError(f"there is no file to ingest; files that are taken end with {allowed}", exit_code=2)
    if name:
        if len(files) != 1 or left_out or is_record_file(files[0][1]):
            raise CommandError("--as is for a single file that is one document", exit_code=2)
        files = [(name, files[0][1])]
    return IngestPlan(tuple(sites), tuple(files), tuple(left_out))


def site_pattern(url: str) -> str:
    """The pattern of a target site for all that is below a URL: `www.example.com/docs/*`.

    One without a scheme is asked by https.
    """
    parts = urlsplit(url)
    folder = parts.path if parts.path.endswith("/") else parts.path.rpartition("/")[0] + "/"
    return f"{'http://' if parts.scheme == 'http' else ''}{parts.netloc}{folder}*"


def _files(path: Path) -> Iterator[tuple[str, Path]]:
    if not path.is_dir():
        yield path.name, path
        return
    for file in sorted(path.rglob("*")):
        inside = file.relative_to(path)
        if file.is_file() and not any(part.startswith(".") for part in inside.parts):
            yield inside.as_posix(), file


def _media_type(path: Path) -> str:
    return ENDINGS.get(path.suffix.lower(), "")


def _file(name: str, path: Path) -> tuple[JsonObject, int]:
    """A file as a document, known by its name, so that a newer one takes its place."""
    data = _read(path)
    media_type = _media_type(path) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    content: JsonObject = {"mimeType": media_type, "rawBytes": b64encode(data).decode("ascii")}
    return {"id": id_of_uri(name), "structData": {"uri": name}, "content": content}, len(data)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from error
