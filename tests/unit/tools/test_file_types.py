"""What kind of file some bytes are."""

import pytest

from openplaybook.tools.file_types import image_type, media_type

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("figure_1.png", b"\x89PNG\r\n\x1a\n...", "image/png"),
        ("figure.txt", b"\xff\xd8\xff\xe0", "image/jpeg"),
        ("a.webp", b"RIFF....WEBPVP8", "image/webp"),
        ("report", b"%PDF-1.7", "application/pdf"),
        ("book.xlsx", b"PK\x03\x04", XLSX),
        ("all.zip", b"PK\x03\x04", "application/zip"),
        ("a.csv", b"a,b", "text/csv"),
        ("a.JSON", b"{}", "application/json"),
        ("a.html", b"<p>", "text/html"),
        ("a.html", b"<p><svg/></p>", "text/html"),
        ("a.SVG", b"<svg/>", "image/svg+xml"),
        ("notes", "né".encode(), "text/plain"),
        ("notes", b"\xff\xfe", "application/octet-stream"),
        ("notes", b"a\0b", "application/octet-stream"),
    ],
)
def test_a_file_is_told_by_how_it_begins_and_by_its_name(name: str, data: bytes, kind: str) -> None:
    assert media_type(name, data) == kind


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\nrest", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>', "image/svg+xml"),
        (b"\xef\xbb\xbf\n<svg/>", "image/svg+xml"),
        (b"RIFF\0\0\0\0WAVE", ""),
        (b"<html><body/></html>", ""),
        (b"city,<svg", ""),
        (b"%PDF-1.7", ""),
        (b"", ""),
    ],
)
def test_an_image_is_known_by_how_it_begins(data: bytes, kind: str) -> None:
    assert image_type(data) == kind
