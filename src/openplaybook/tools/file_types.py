"""What kind of file some bytes are."""

import mimetypes

_IMAGES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}
_ARCHIVES = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}
# Not left to the machine's own tables, which differ.
_KNOWN = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "json": "application/json",
    "md": "text/markdown",
    "txt": "text/plain",
    "log": "text/plain",
    "svg": "image/svg+xml",
    "parquet": "application/vnd.apache.parquet",
    **_ARCHIVES,
}
_LOOKED_AT = 1024
"""Bytes at the beginning of a text in which an SVG has to show."""


def media_type(name: str, data: bytes) -> str:
    """The media type of a file: by how it begins, else by its name."""
    if image := _pixels(data):
        return image
    if data.startswith(b"%PDF-"):
        return "application/pdf"
    ending = name.rpartition(".")[2].lower()
    if data.startswith(b"PK\x03\x04"):
        return _ARCHIVES.get(ending, "application/zip")
    return _KNOWN.get(ending) or mimetypes.guess_type(name)[0] or _plain(data)


def image_type(data: bytes) -> str:
    """The media type of an image by how it begins, whatever its name; empty for what is none that browsers show."""
    head = data[:_LOOKED_AT].removeprefix(b"\xef\xbb\xbf").lstrip()
    return _pixels(data) or ("image/svg+xml" if head.startswith(b"<") and b"<svg" in head else "")


def _pixels(data: bytes) -> str:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((known for magic, known in _IMAGES.items() if data.startswith(magic)), "")


def _plain(data: bytes) -> str:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "application/octet-stream"
    return "application/octet-stream" if b"\0" in data else "text/plain"
