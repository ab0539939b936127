"""Files of each format, read in child processes."""

import pytest

from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import ExtractedDocument, ExtractionOptions, SourceFile
from openplaybook.retrieval.extraction.extraction_process import extract, extract_all
from openplaybook.retrieval.extraction.media_types import DOCX, HTML, PDF, PPTX, XLSX
from tests.integration.retrieval.extraction.sample_files import (
    WORDS,
    docx_file,
    pdf_file,
    pdf_of_lines,
    pptx_file,
    with_members,
    xlsx_file,
)

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def blocks(document: ExtractedDocument) -> list[tuple[str, int, int, str]]:
    return [(block.kind.value, block.level, block.page, block.text) for block in document.blocks]


def word_file(body: str) -> bytes:
    xml = f"<w:document {W}><w:body>{body}</w:body></w:document>"
    return with_members(docx_file(), {"word/document.xml": xml.encode()})


def test_docx() -> None:
    found = extract(docx_file(), "", "cats.docx")
    assert (found.title, found.media_type, found.notes) == ("Care of cats", DOCX, ())
    assert blocks(found) == [
        ("heading", 1, 0, "Cats"),
        ("paragraph", 0, 0, "Cats need water. Every day."),
        ("heading", 2, 0, "Food"),
        ("list", 0, 0, "Meat\nFish"),
        ("table", 0, 0, "Name | Price\nFish | 3 francs"),
        ("paragraph", 0, 0, "That is all."),
    ]
    assert found.blocks[4].header_lines == 1


def test_docx_with_changes_boxes_and_controls() -> None:
    body = (
        "<w:p><w:r><w:t>Kept</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:tab/><w:t>added</w:t></w:r></w:ins></w:p>"
        "<w:p><w:pPr><w:outlineLvl w:val='2'/></w:pPr><w:r><w:t>By outline</w:t></w:r></w:p>"
        "<w:sdt><w:sdtContent><w:p><w:r><w:t>In a control</w:t></w:r></w:p></w:sdtContent></w:sdt>"
        "<w:p><w:r><w:t>Beside</w:t><w:pict><w:txbxContent><w:p><w:r><w:t>In a box</w:t></w:r></w:p></w:txbxContent>"
        "</w:pict></w:r></w:p>"
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Only cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    )
    assert blocks(extract(word_file(body), "", "a.docx")) == [
        ("paragraph", 0, 0, "Kept added"),
        ("heading", 3, 0, "By outline"),
        ("paragraph", 0, 0, "In a control"),
        ("paragraph", 0, 0, "Beside"),
        ("paragraph", 0, 0, "In a box"),
        ("paragraph", 0, 0, "Only cell"),
    ]


def test_pptx() -> None:
    found = extract(pptx_file(), PPTX, "dogs.pptx")
    assert (found.title, found.media_type) == ("Dogs", PPTX)
    assert blocks(found) == [
        ("heading", 1, 1, "Dogs"),
        ("list", 0, 1, "Walk daily\nFeed twice"),
        ("heading", 2, 1, "Notes"),
        ("paragraph", 0, 1, "Say hello first."),
        ("table", 0, 2, "Breed | Walks\nBeagle | 3"),
        ("paragraph", 0, 2, "In a group"),
    ]


def test_xlsx() -> None:
    found = extract(xlsx_file(), "", "https://example.org/price%20list.xlsx?v=1")
    assert (found.title, found.media_type) == ("price%20list", XLSX)
    assert blocks(found) == [
        ("heading", 1, 1, "Prices"),
        ("table", 0, 1, "Name | Price | Since | Fresh\nFish | 3.5 | 2024-01-02 | TRUE\nMeat | 7"),
        ("heading", 1, 2, "Hours"),
        ("table", 0, 2, "Opens | 2024-01-02 09:30"),
    ]


def test_pdf() -> None:
    found = extract(pdf_file(), "application/pdf", "cats.pdf")
    assert (found.title, found.media_type) == ("Care of cats", PDF)
    assert [(kind, page, text) for kind, _, page, text in blocks(found)] == [
        ("heading", 1, "Cats"),
        ("paragraph", 1, f"{WORDS} {WORDS}"),
        ("paragraph", 1, "Another paragraph."),
        ("paragraph", 1, "Meat"),
        ("paragraph", 1, "Fish"),
        ("heading", 2, "Food"),
        ("paragraph", 2, "They eat a lot."),
    ]


def test_what_a_program_calls_a_file_without_title_is_no_title() -> None:
    assert extract(pdf_of_lines("Words."), "", "https://a.example/cats.pdf").title == "cats"


def test_words_split_at_the_end_of_a_line_are_put_together() -> None:
    found = extract(
        pdf_of_lines("Cats need much atten-", "tion, food- and", "water-", "Bowls and pre- or", "postcare"), "", "a"
    )
    assert [block.text for block in found.blocks] == [
        "Cats need much attention, food- and water-Bowls and pre- or postcare"
    ]


def test_html_in_another_character_set_with_parts_left_out() -> None:
    html = "<html lang=ru><title>Кошки</title><h1>Кошки</h1><p>Кошкам нужна вода.<p class=ad>Купите!".encode("koi8-r")
    found = extract(
        html, "text/html; charset=koi8-r", "https://a.example/", ExtractionOptions(exclude_html_classes=("ad",))
    )
    assert (found.title, found.language, found.media_type, found.notes) == ("Кошки", "ru", HTML, ())
    assert [block.text for block in found.blocks] == ["Кошки", "Кошкам нужна вода."]


@pytest.mark.parametrize(
    ("name", "data", "title", "language", "texts"),
    [
        ("a/note.txt", b"One.\n\nTwo.", "note", "", ["One.", "Two."]),
        ("note.md", b"---\nlang: de\n---\n# Katzen\nText", "Katzen", "de", ["Katzen", "Text"]),
        (
            "a.json",
            b'{"title": "T", "list": [1, "x"], "in": {"a": true}}',
            "T",
            "",
            ["title: T\nlist: 1, x\nin.a: true"],
        ),
        ("a.json", b'[{"a": "one"}, {"a": "two"}, "three"]', "a", "", ["a: one", "a: two", "three"]),
        (
            "a.xml",
            b'<?xml version="1.0" encoding="iso-8859-1"?><r xml:lang="fr-CA"><s><title>T</title>'
            b'<p>L\'\xe9t\xe9 <b>chaud</b></p></s><i k="v"/></r>',
            "T",
            "fr",
            ["T", "L'été chaud", "i: k v"],
        ),
    ],
)
def test_texts(name: str, data: bytes, title: str, language: str, texts: list[str]) -> None:
    found = extract(data, "", name)
    assert (found.title, found.language, [block.text for block in found.blocks]) == (title, language, texts)


def test_files_with_wrong_endings_are_read_as_what_they_are() -> None:
    found = extract_all(
        [SourceFile("a.docx", pdf_file()), SourceFile("b.pdf", docx_file()), SourceFile("c.xlsx", b"<html><p>Words")]
    )
    assert [item.notes for item in found if isinstance(item, ExtractedDocument)] == [
        ("its content is PDF, although its name ends as DOCX",),
        ("its content is DOCX, although its name ends as PDF",),
        ("its content is HTML, although its name ends as XLSX",),
    ]


def test_many_files_come_back_in_their_order_whatever_becomes_of_each() -> None:
    sources = [SourceFile(f"{n}.txt", b"" if n % 7 == 3 else b"text %d" % n) for n in range(50)]
    found = extract_all(sources)
    assert [str(item) if isinstance(item, InvalidSource) else item.blocks[0].text for item in found] == [
        "it is empty" if n % 7 == 3 else f"text {n}" for n in range(50)
    ]
