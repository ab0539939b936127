"""What format a file has: by its content first, then by what was declared, then by the ending of its name.

The formats are those that Discovery Engine takes, and Markdown.
"""

import re
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePosixPath
from typing import Final
from zipfile import BadZipFile, ZipFile

from openplaybook.retrieval.errors import InvalidSource

HTML: Final = "text/html"
TEXT: Final = "text/plain"
MARKDOWN: Final = "text/markdown"
XML: Final = "application/xml"
JSON: Final = "application/json"
PDF: Final = "application/pdf"
DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX: Final = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

TEXTS: Final = frozenset({HTML, TEXT, MARKDOWN, XML, JSON})
"""Formats of which the content is text."""

_NAMES: Final = {
    HTML: "HTML",
    TEXT: "plain text",
    MARKDOWN: "Markdown",
    XML: "XML",
    JSON: "JSON",
    PDF: "PDF",
    DOCX: "DOCX",
    PPTX: "PPTX",
    XLSX: "XLSX",
}
ENDINGS: Final = {
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": HTML,
    ".txt": TEXT,
    ".text": TEXT,
    ".log": TEXT,
    ".rst": TEXT,
    ".csv": TEXT,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".xml": XML,
    ".json": JSON,
    ".pdf": PDF,
    ".docx": DOCX,
    ".docm": DOCX,
    ".pptx": PPTX,
    ".pptm": PPTX,
    ".xlsx": XLSX,
    ".xlsm": XLSX,
}
"""Formats by the endings of names."""
_ALIASES: Final = {
    "application/xhtml+xml": HTML,
    "text/x-markdown": MARKDOWN,
    "text/xml": XML,
    "text/json": JSON,
    "application/x-pdf": PDF,
    "application/vnd.ms-excel.sheet.macroenabled.12": XLSX,
    "application/vnd.ms-word.document.macroenabled.12": DOCX,
    "application/vnd.ms-powerpoint.presentation.macroenabled.12": PPTX,
}
_OFFICE_PARTS: Final = (("word/", DOCX), ("ppt/", PPTX), ("xl/", XLSX))
_FOREIGN: Final = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office file of before 2007, or one with a password"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"BM", "a bitmap image"),
    (b"RIFF", "a RIFF file (sound, video or WebP image)"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"ID3", "an MP3 sound"),
    (b"OggS", "an Ogg sound or video"),
    (b"fLaC", "a FLAC sound"),
    (b"SQLite format 3", "an SQLite database"),
    (b"{\\rtf", "an RTF text"),
    (b"%!PS", "a PostScript program"),
)
"""First bytes of formats that are not read here. Two letters alone count only where the rest is no text."""

_HEAD: Final = 1024
_SAMPLE: Final = 64 * 1024
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff")
_BINARY: Final = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f]")
_IS_HTML: Final = re.compile(
    rb"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.{0,500}?-->\s*)*<(?:!doctype\s+html|html[\s>])", re.I | re.S
)
_IS_XML: Final = re.compile(rb"\s*<\?xml\s")
_SUPPORTED: Final = "HTML, PDF, DOCX, PPTX, XLSX, plain text, Markdown, XML and JSON are read"


@dataclass(frozen=True, slots=True)
class DetectedType:
    """What format a file has."""

    media_type: str
    """One of the formats above."""
    notes: tuple[str, ...] = ()
    """What was declared otherwise."""


def declared_charset(media_type: str) -> str:
    """The `charset` of a declared media type; empty where there is none."""
    found = re.search(r";\s*charset\s*=\s*[\"']?([^\s;\"']+)", media_type, re.I)
    return found[1] if found else ""


def media_type_of_name(name: str) -> str:
    """The format that the ending of a name or an address says; empty where it says none that is read here."""
    path = re.split(r"[?#]", name, maxsplit=1)[0] if "://" in name else name
    return ENDINGS.get(PurePosixPath(path).suffix.lower(), "")


def detect_type(data: bytes, media_type: str, name: str) -> DetectedType:
    """The format of a file, and notes where its name or its declaration says another one.

    Raises `InvalidSource` for a format that is not read here, which the message names where it is known.
    """
    if not data or data.isspace():
        raise InvalidSource("it is empty")
    bare = media_type.partition(";")[0].strip().lower()
    declared = _ALIASES.get(bare, bare)
    ending = media_type_of_name(name)
    # Servers call every text plain; there the name says more.
    texts = (ending, declared) if declared == TEXT else (declared, ending)
    content = _by_content(data)
    found = content or next((said for said in texts if said in TEXTS), TEXT)
    said = (("its name ends", ending), ("it was declared", declared))
    notes = tuple(
        f"its content is {_NAMES[found]}, although {how} as {_NAMES[what]}"
        for how, what in said
        if what in _NAMES and what != found and (content or what != TEXT)
    )
    return DetectedType(found, notes)


def _by_content(data: bytes) -> str:
    """The format that the content shows; empty for a text that shows none. Raises `InvalidSource`."""
    head = data[:_HEAD]
    if b"%PDF-" in head:
        return PDF
    if head.startswith(b"PK\x03\x04"):
        return _office_type(data)
    is_binary = not head.startswith(_WIDE) and bool(_BINARY.search(data, 0, _SAMPLE))
    for beginning, what in _FOREIGN:
        if head.startswith(beginning) and (is_binary or len(beginning) > 2):
            raise InvalidSource(f"it is {what}; {_SUPPORTED}")
    if is_binary:
        raise InvalidSource(f"it is of an unknown binary format; {_SUPPORTED}")
    text = head.decode("utf-16", "ignore").encode() if head.startswith(_WIDE) else head.removeprefix(b"\xef\xbb\xbf")
    if _IS_HTML.match(text):
        return HTML
    return XML if _IS_XML.match(text) else ""


def _office_type(data: bytes) -> str:
    try:
        with ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
    except (BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise InvalidSource(f"it is a broken zip archive: {error}") from error
    for folder, kind in _OFFICE_PARTS:
        if any(name.startswith(folder) for name in names):
            return kind
    raise InvalidSource(f"it is a zip archive, and no Office file; {_SUPPORTED}")


def stem_of(name: str) -> str:
    """The last part of a name or address without its ending, for a file that has no other title."""
    path = re.split(r"[?#]", name, maxsplit=1)[0].rstrip("/")
    return PurePosixPath(path).stem or name
