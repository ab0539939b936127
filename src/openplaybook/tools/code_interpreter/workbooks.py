"""The names of a workbook's sheets and the first row of each, read with bounds: the file is anybody's."""

import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from xml.parsers import expat

MAX_SHEETS = 5
_MAX_CELLS = 30
_MAX_CELL_CHARS = 60
_MAX_PART_BYTES = 256 * 1024
"""Of one part of the archive that are unpacked."""
_MAX_DIRECTORY_BYTES = 256 * 1024
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_END = b"PK\x05\x06"
_END_64 = b"PK\x06\x07"


class UnreadableWorkbook(Exception):
    """A file is no workbook that could be looked into."""


def first_rows(data: bytes) -> Sequence[tuple[str, Sequence[str]]]:
    """Name and first row of each of the first sheets of an XLSX file, cells as text and cut.

    Raises `UnreadableWorkbook`.
    """
    _check_directory(data)
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = _sheet_names(_part(archive, "xl/workbook.xml"))
            texts = _shared_texts(archive)
            sheets = [_part(archive, f"xl/worksheets/sheet{at}.xml") for at in range(1, len(names) + 1)]
            return [(name, _first_row(sheet, texts)) for name, sheet in zip(names, sheets, strict=True)]
    except (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError, EOFError, ValueError, OSError) as error:
        raise UnreadableWorkbook(str(error)) from error
    except (expat.ExpatError, zlib.error) as error:
        raise UnreadableWorkbook(f"XML or its compression: {error}") from error


def _check_directory(data: bytes) -> None:
    """Refuse an archive whose table of contents alone is too much to read."""
    end = data.rfind(_END)
    size = int.from_bytes(data[end + 12 : end + 16], "little")
    if end < 0 or _END_64 in data[end - 64 if end > 64 else 0 : end] or size > _MAX_DIRECTORY_BYTES:
        raise UnreadableWorkbook("no archive with a small table of contents")


def _part(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).compress_type not in _METHODS:
        # Others may ask for gigabytes before they give a byte.
        raise UnreadableWorkbook("compressed in a way that workbooks are not")
    with archive.open(name) as part:
        return part.read(_MAX_PART_BYTES)


def _sheet_names(part: bytes) -> Sequence[str]:
    names: list[str] = []

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        if _local(tag) == "sheet" and len(names) < MAX_SHEETS:
            names.append(attributes.get("name", "")[:_MAX_CELL_CHARS])

    _walk(part, start=start)
    return names


def _shared_texts(archive: zipfile.ZipFile) -> Sequence[str]:
    """The texts that cells refer to by their position, as far as they were unpacked."""
    texts: list[str] = []
    try:
        part = _part(archive, "xl/sharedStrings.xml")
    except KeyError:
        return texts
    depth = [""]

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        depth.append(_local(tag))
        if depth[-1] == "si":
            texts.append("")

    def end(tag: str) -> None:
        depth.pop()

    def text(data: str) -> None:
        if depth[-1] == "t" and texts:
            texts[-1] = (texts[-1] + data)[:_MAX_CELL_CHARS]

    _walk(part, start=start, end=end, text=text)
    return texts


def _first_row(part: bytes, texts: Sequence[str]) -> Sequence[str]:
    row = _Row()
    _walk(part, start=row.start, end=row.end, text=row.text)
    return [_cell(kind, value, texts) for kind, value in row.cells]


class _Row:
    """The cells of a sheet's first row, as they come by."""

    def __init__(self) -> None:
        self.cells: list[tuple[str, str]] = []
        """Kind and value of each."""
        self._is_over = False
        self._reads = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        name = _local(tag)
        if name == "c" and not self._is_over and len(self.cells) < _MAX_CELLS:
            self.cells.append((attributes.get("t", ""), ""))
        self._reads = name in ("v", "t") and bool(self.cells) and not self._is_over

    def end(self, tag: str) -> None:
        """An element ends."""
        self._reads = False
        self._is_over = self._is_over or _local(tag) == "row"

    def text(self, data: str) -> None:
        """Characters."""
        if self._reads:
            kind, value = self.cells[-1]
            self.cells[-1] = kind, (value + data)[:_MAX_CELL_CHARS]


def _cell(kind: str, value: str, texts: Sequence[str]) -> str:
    if kind != "s":
        return value
    return texts[int(value)] if value.isdecimal() and int(value) < len(texts) else "…"


def _walk(
    part: bytes,
    *,
    start: Callable[[str, Mapping[str, str]], None],
    end: Callable[[str], None] | None = None,
    text: Callable[[str], None] | None = None,
) -> None:
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse_document_type
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.Parse(part, False)


def _refuse_document_type(name: str, system: str | None, public: str | None, has_subset: bool) -> None:
    # No workbook has one; one that does means to be more than it shows.
    raise UnreadableWorkbook("XML with a document type")


def _local(tag: str) -> str:
    return tag.rpartition(":")[2]
