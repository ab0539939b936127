"""Files that are made to cost, to load or to break: each is refused with its reason, and the others are read."""

import io
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from zipfile import ZipFile

import pytest

from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import ExtractedDocument, ExtractionLimits, SourceFile
from openplaybook.retrieval.extraction.extraction_process import extract, extract_all
from tests.integration.retrieval.extraction.sample_files import (
    docx_file,
    pdf_bomb,
    pdf_file,
    pdf_of_pages,
    pptx_file,
    with_members,
    xlsx_file,
)

LIMITS = ExtractionLimits()
TIGHT = replace(LIMITS, memory=300 * 1024 * 1024)
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
SHEET = "xl/worksheets/sheet1.xml"
ENTITY = '<!DOCTYPE d [<!ENTITY x SYSTEM "{}">]>'
LAUGHS = "<!DOCTYPE d [" + "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(9)) + "]><d>&e9;</d>"


def refusal(data: bytes, name: str, limits: ExtractionLimits = LIMITS) -> str:
    with pytest.raises(InvalidSource) as caught:
        extract(data, "", name, limits=limits)
    return str(caught.value)


def sheet(rows: str) -> bytes:
    xml = f'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{rows}</worksheet>'
    return with_members(xlsx_file(), {SHEET: xml.encode()})


def word(body: str, before: str = "") -> bytes:
    xml = f"{before}<w:document {W}><w:body>{body}</w:body></w:document>"
    return with_members(docx_file(), {"word/document.xml": xml.encode()})


def locked_archive() -> bytes:
    data = bytearray(docx_file())
    # Bit 0 of the flags in each entry of the directory says that a member is encrypted.
    at = data.find(b"PK\x01\x02")
    data[at + 8] |= 1
    return bytes(data)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: with_members(docx_file(), {"word/a.png": bytes(50_000_000)}),
            "it unpacks to more than 200 times its size",
        ),
        (lambda: with_members(xlsx_file(), {"xl/a.xml": bytes(61_000_000)}), "it unpacks to more than 60 MB"),
        (
            lambda: with_members(pptx_file(), {f"{n}": b"" for n in range(10_000)}),
            "it is an archive of more than 10,000 members",
        ),
        (locked_archive, "it is protected by a password"),
        (lambda: docx_file()[:9_000], "it is a broken zip archive: File is not a zip file"),
        (lambda: with_members(docx_file(), {"word/document.xml": b"<a/>"}), "it is a broken DOCX file"),
        (lambda: with_members(docx_file(), {"word/document.xml": b"<w:document"}), "it is a broken DOCX file"),
        (lambda: with_members(pptx_file(), {"ppt/presentation.xml": b"<a/>"}), "it is a broken PPTX file"),
        (lambda: with_members(xlsx_file(), {"xl/workbook.xml": b"<a/>"}), "it has no text"),
        (lambda: with_members(xlsx_file(), {SHEET: b"<worksheet"}), "it is a broken XLSX file"),
        (lambda: word("<w:sdt><w:sdtContent>" * 2_000 + "</w:sdtContent></w:sdt>" * 2_000), "it is a broken DOCX file"),
        (lambda: word(""), "it has no text"),
        (
            lambda: word("<w:p><w:r><w:t>&x;</w:t></w:r></w:p>", ENTITY.format("file:///etc/passwd")),
            "its part word/document.xml declares a document type or entities",
        ),
        (
            lambda: with_members(docx_file(), {"word/document.xml": f"\ufeff{LAUGHS}".encode("utf-16-be")}),
            "its part word/document.xml declares a document type or entities",
        ),
    ],
)
def test_office_files(make: Callable[[], bytes], message: str) -> None:
    assert refusal(make(), "a.docx", replace(LIMITS, max_unpacked=60_000_000)) == message


def test_the_size_of_a_member_is_what_the_archive_says_however_much_it_holds() -> None:
    data = bytearray(with_members(docx_file(), {"word/document.xml": b"<!-- " + bytes(50_000_000) + b" -->"}))
    with ZipFile(io.BytesIO(data)) as archive:
        member = archive.getinfo("word/document.xml")
    at = data.rfind(b"PK\x01\x02", 0, data.rfind(b"word/document.xml"))
    assert int.from_bytes(data[at + 24 : at + 28], "little") == member.file_size
    data[at + 24 : at + 28] = (1_000).to_bytes(4, "little")
    assert refusal(bytes(data), "a.docx") in (
        "it is a broken DOCX file",
        "it is a broken zip archive: Bad CRC-32 for file 'word/document.xml'",
    )


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            '<sheetData><row r="1"/><row r="2000000000"><c><v>1</v></c></row></sheetData>',
            "its sheets have more than 500,000 rows",
        ),
        (
            "<sheetData>"
            + "".join(f'<row r="{n}"><c r="ZZZ{n}"><v>1</v></c></row>' for n in range(1, 50))
            + "</sheetData>",
            "it has more than 1,000,000 characters of text",
        ),
    ],
)
def test_sheets_that_claim_to_be_huge(rows: str, message: str) -> None:
    assert refusal(sheet(rows), "a.xlsx", replace(LIMITS, max_characters=1_000_000)) == message


def test_what_a_sheet_claims_to_be_is_not_filled_up() -> None:
    rows = '<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>'
    assert [block.text for block in extract(sheet(rows), "", "a.xlsx").blocks][:2] == ["Prices", "1"]


def test_a_table_of_twenty_thousand_rows_is_read() -> None:
    rows = "".join(f'<row><c t="inlineStr"><is><t>n{n}</t></is></c><c><v>{n}</v></c></row>' for n in range(20_000))
    found = extract(sheet(f"<sheetData>{rows}</sheetData>"), "", "a.xlsx")
    assert found.blocks[1].text.count("\n") == 19_999


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: b"%PDF-1.4\n nothing", "it is a broken PDF"),
        (lambda: pdf_file()[:1_500], "it is a broken PDF"),
        (lambda: pdf_of_pages(1, "secret"), "it is protected by a password"),
        (lambda: pdf_of_pages(3), "it has no text: its pages are empty, or images that would have to be recognised"),
        (lambda: pdf_of_pages(51), "it has more than 50 pages"),
    ],
)
def test_pdf_files(make: Callable[[], bytes], message: str) -> None:
    assert refusal(make(), "a.pdf", replace(LIMITS, max_pages=50)) == message


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"words " * 420_000, "it has more than 2.5 MB, the most for a text"),
        ("a.html", b"<p>x</p>" * 320_000, "it has more than 2.5 MB, the most for a text"),
        ("a.html", b"<html>" + b"<div>" * 5_000, "its elements lie in each other more than 400 levels deep"),
        ("a.html", b"<html><script>x</script>", "it has no text"),
        ("a.json", b"[" * 100_000, "it is malformed JSON: depth limit exceeded: line 1 column 1026 (char 1025)"),
        ("a.json", b"[" * 500 + b"]" * 500, "its objects and arrays lie in each other more than 400 levels deep"),
        ("a.json", b'{"a": 1', "it is malformed JSON: unexpected end of data: line 1 column 8 (char 7)"),
        ("a.xml", LAUGHS.encode(), "it declares XML entities, which are not resolved here"),
        ("a.xml", LAUGHS.encode("utf-16"), "it declares XML entities, which are not resolved here"),
    ],
)
def test_texts(name: str, data: bytes, message: str) -> None:
    assert refusal(data, name) == message


@pytest.mark.parametrize("data", [b"<a>" * 1_000 + b"x" + b"</a>" * 1_000, b"<a><b></a>"])
def test_xml_that_is_too_deep_or_malformed(data: bytes) -> None:
    assert refusal(data, "a.xml").startswith("it is malformed XML: ")


class Requests(BaseHTTPRequestHandler):
    """Notes that somebody asked."""

    seen: list[str]

    def do_GET(self) -> None:
        self.seen.append(self.path)
        self.send_error(404)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def listener() -> Generator[tuple[str, list[str]]]:
    seen: list[str] = []
    with HTTPServer(("127.0.0.1", 0), type("Noted", (Requests,), {"seen": seen})) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", seen
        finally:
            server.shutdown()
            thread.join()


def test_nothing_that_a_file_refers_to_is_loaded() -> None:
    with listener() as (address, seen):
        plain = f'<?xml version="1.0"?><!DOCTYPE d SYSTEM "{address}dtd"><d xmlns:xi="http://www.w3.org/2001/XInclude">'
        include = f'<p>kept</p><xi:include href="{address}inc" parse="text"/></d>'
        head = f'<html><head><base href="{address}"><link rel=stylesheet href="{address}css"></head>'
        html = f'{head}<p>kept<img src="{address}i">'
        found = [extract((plain + include).encode(), "", "a.xml"), extract(html.encode(), "", address)]
        assert refusal(f"{ENTITY.format(address)}<d>&x;</d>".encode(), "a.xml").startswith("it declares XML entities")
        assert seen == []
    assert ["kept" in [block.text for block in item.blocks] for item in found] == [True, True]


def test_a_file_that_takes_too_much_memory_is_refused_and_the_rest_is_read() -> None:
    sources = [SourceFile("a.txt", b"one"), SourceFile("bomb.pdf", pdf_bomb(200)), SourceFile("b.txt", b"two")]
    first, bomb, last = extract_all(sources, TIGHT)
    assert isinstance(first, ExtractedDocument)
    assert isinstance(last, ExtractedDocument)
    assert [block.text for block in (*first.blocks, *last.blocks)] == ["one", "two"]
    assert isinstance(bomb, InvalidSource)
    assert str(bomb) == "reading it ends the parser, which may take 300 MB of memory"


def test_a_file_that_takes_too_long_is_refused() -> None:
    limits = replace(LIMITS, seconds=1, seconds_per_megabyte=0)
    assert refusal(b"<html>" + b"<div>" * 100_000, "a.html", limits) == "reading it takes more than 1 s"


def test_a_file_larger_than_any_may_be_never_reaches_a_child() -> None:
    limits = replace(LIMITS, max_binary=1_000_000)
    found = extract_all([SourceFile("a.pdf", b"%PDF-" + bytes(1_000_000)), SourceFile("a.txt", b"text")], limits)
    assert [str(item) if isinstance(item, InvalidSource) else "read" for item in found] == [
        "it has more than 1 MB",
        "read",
    ]


@pytest.mark.parametrize("make", [docx_file, pptx_file, xlsx_file, pdf_file])
@pytest.mark.parametrize("place", range(6))
def test_a_file_with_damage_is_read_or_refused(make: Callable[[], bytes], place: int) -> None:
    data = bytearray(make())
    begin = len(data) * place // 6
    data[begin : begin + 40] = b"\xa5" * len(data[begin : begin + 40])
    (found,) = extract_all([SourceFile("a", bytes(data))])
    assert isinstance(found, InvalidSource) or found.blocks
