"""What format a file has, whatever it is called."""

import io
from zipfile import ZipFile, ZipInfo

import pytest

from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.media_types import (
    DOCX,
    HTML,
    JSON,
    MARKDOWN,
    PDF,
    PPTX,
    TEXT,
    XLSX,
    XML,
    declared_charset,
    detect_type,
    media_type_of_name,
    stem_of,
)


def archive(*names: str) -> bytes:
    file = io.BytesIO()
    with ZipFile(file, "w") as members:
        for name in names:
            # Of no time of day: its bytes are part of the names of tests, which all workers have to give alike.
            members.writestr(ZipInfo(name), "x")
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "media_type", "name", "found"),
    [
        (b"%PDF-1.7\n", "", "a", PDF),
        (b"\n\n%PDF-1.4\n", "application/octet-stream", "a.pdf", PDF),
        (archive("[Content_Types].xml", "word/document.xml"), "", "a", DOCX),
        (archive("ppt/presentation.xml"), "", "a", PPTX),
        (archive("xl/workbook.xml"), "", "a", XLSX),
        (b"<!DOCTYPE html><p>x", "", "a", HTML),
        (b"<!-- made by hand -->\n<HTML lang=de>", "", "a", HTML),
        (b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0">', "", "a", HTML),
        (b'<?xml version="1.0"?><a/>', "", "a", XML),
        ("<html>".encode("utf-16"), "", "a", HTML),
        (b"\xef\xbb\xbf<html>", "", "a", HTML),
        (b"plain words", "", "a", TEXT),
        (b"plain words", "text/html; charset=utf-8", "a", HTML),
        (b"# Words", "", "README.md", MARKDOWN),
        (b"# Words", "text/plain", "https://example.org/README.md?raw=1", MARKDOWN),
        (b"{}", "application/json", "a.txt", JSON),
        (b"MZ is how this sentence begins", "", "a.txt", TEXT),
        ("Grüße".encode("latin-1"), "", "a.txt", TEXT),
    ],
)
def test_the_content_says_the_format_then_the_declaration_then_the_name(
    data: bytes, media_type: str, name: str, found: str
) -> None:
    detected = detect_type(data, media_type, name)
    assert (detected.media_type, detected.notes) == (found, ())


@pytest.mark.parametrize(
    ("data", "media_type", "name", "notes"),
    [
        (b"%PDF-1.7\n", "", "a.docx", ("its content is PDF, although its name ends as DOCX",)),
        (b"<html>", "", "a.txt", ("its content is HTML, although its name ends as plain text",)),
        (b"<html>", "application/pdf", "a.html", ("its content is HTML, although it was declared as PDF",)),
        (b"words", "", "a.pdf", ("its content is plain text, although its name ends as PDF",)),
    ],
)
def test_a_wrong_name_or_declaration_is_noted(data: bytes, media_type: str, name: str, notes: tuple[str, ...]) -> None:
    assert detect_type(data, media_type, name).notes == notes


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (b"", "a.txt", "it is empty"),
        (b" \n", "a.txt", "it is empty"),
        (b"\x89PNG\r\n\x1a\n\x00", "a.html", "it is a PNG image; HTML, PDF,"),
        (b"MZ\x90\x00\x03", "a.txt", "it is a program; HTML, PDF,"),
        (b"\x1f\x8b\x08\x00", "a.html.gz", "it is a gzip archive; HTML, PDF,"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.doc", "it is an Office file of before 2007, or one with a password;"),
        (bytes(range(256)), "a.txt", "it is of an unknown binary format; HTML, PDF,"),
        (archive("notes.txt"), "a.docx", "it is a zip archive, and no Office file;"),
        (archive("word/document.xml")[:40], "a.docx", "it is a broken zip archive:"),
    ],
)
def test_what_is_not_read_is_refused_by_its_name(data: bytes, name: str, message: str) -> None:
    with pytest.raises(InvalidSource) as caught:
        detect_type(data, "", name)
    assert str(caught.value).startswith(message)


def test_what_a_name_and_a_declaration_say() -> None:
    assert media_type_of_name("https://example.org/manual.PDF?version=2#page=3") == PDF
    assert media_type_of_name("what#is.html") == HTML
    assert media_type_of_name("https://example.org/") == ""
    assert declared_charset('text/html; Charset="windows-1251"') == "windows-1251"
    assert declared_charset("text/html") == ""
    assert stem_of("https://example.org/care/cats.html?x=1") == "cats"
    assert stem_of("folder/care.tar.gz") == "care.tar"
