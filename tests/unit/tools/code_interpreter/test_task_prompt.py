"""What a model is shown of files, whatever is in them."""

import zipfile
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from openplaybook.sandbox.base import CodeFile
from openplaybook.tools.code_interpreter.task_prompt import preview

BOOK = {"xl/workbook.xml": "<workbook><sheets><sheet name='S'/></sheets></workbook>"}
SHEET = "xl/worksheets/sheet1.xml"


def book(*sheets: tuple[str, list[object]]) -> bytes:
    made = Workbook()
    made.remove(made.worksheets[0])
    for name, row in sheets:
        sheet = made.create_sheet(name)
        sheet.append(row)
        sheet.append(["below"])
    held = BytesIO()
    made.save(held)
    return held.getvalue()


def archive(method: int = zipfile.ZIP_DEFLATED, /, **parts: str) -> bytes:
    held = BytesIO()
    with zipfile.ZipFile(held, "w", method) as written:
        for name, text in parts.items():
            written.writestr(name, text)
    return held.getvalue()


def broken(data: bytes) -> bytes:
    """With other bytes where the compression of the first part begins."""
    begins = data.index(b"workbook.xml") + len("workbook.xml")
    return data[:begins] + b"\xff" * 9 + data[begins + 9 :]


@pytest.mark.parametrize(
    ("name", "data", "begins"),
    [
        ("a.csv", b"\xef\xbb\xbfname,n\nx,1\n", ["name,n", "x,1"]),
        ("a.json", b'{"a": 1}', ['{"a": 1}']),
        ("a.txt", "\n".join(f"line {n}" for n in range(9)).encode(), [f"line {n}" for n in range(5)]),
        ("long.txt", b"x" * 5_000, ["x" * 200 + "…"]),
        ("cut.txt", b"x" * 3_999 + "é".encode() + b"y" * 9, ["x" * 200 + "…"]),
    ],
)
def test_of_a_text_the_first_lines_are_shown(name: str, data: bytes, begins: list[str]) -> None:
    assert preview(CodeFile(name, data)) == {"name": name, "bytes": len(data), "begins": begins}


@pytest.mark.parametrize(("codec", "told"), [("cp1252", "not UTF-8; shown as if it were cp1252"), ("utf-16", "UTF-16")])
def test_of_a_text_that_is_not_utf_8_the_encoding_is_told(codec: str, told: str) -> None:
    data = "Stadt;Umsatz\nMünchen;1.234,50\n".encode(codec)
    looked = preview(CodeFile("umsatz.csv", data))
    assert (looked["begins"], looked["encoding"]) == (["Stadt;Umsatz", "München;1.234,50"], told)


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n\0\0", b"\xff\xfe\xfd", b"a\0b"])
def test_of_what_is_no_text_name_and_size_are_shown(data: bytes) -> None:
    assert preview(CodeFile("a.bin", data)) == {"name": "a.bin", "bytes": len(data)}


def test_of_a_workbook_each_sheets_first_row_is_shown() -> None:
    data = book(("Sales", ["month", "amount", 5, 2.5, None, "x" * 99]), ("Übersicht", []))
    assert preview(CodeFile("b.xlsx", data)) == {
        "name": "b.xlsx",
        "bytes": len(data),
        "sheets": [
            {"name": "Sales", "firstRow": ["month", "amount", "5", "2.5", "x" * 60]},
            {"name": "Übersicht", "firstRow": ["below"]},
        ],
    }


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04 no archive",
        archive(**{"xl/workbook.xml": "<workbook><sheets><sheet name='S'/></sheets></workbook>"}),
        archive(**BOOK, **{SHEET: "<sheet><row><c t='s'><v>1</v></c>"})[:-30],
        archive(**BOOK, **{SHEET: "<!DOCTYPE a [<!ENTITY b 'c'>]><sheet/>"}),
        archive(**BOOK, **{SHEET: "<?xml version='1.0'?>" + " " * 2_000 + "<!DOCTYPE a [<!ENTITY b 'c'>]><sheet/>"}),
        archive(**BOOK, **{SHEET: "<sheet><row></sheet>"}),
        broken(archive(**BOOK, **{SHEET: "<sheet/>"})),
        archive(zipfile.ZIP_LZMA, **BOOK, **{SHEET: "<sheet/>"}),
        archive(**{f"xl/{n:05}": "" for n in range(6_000)}, **BOOK, **{SHEET: "<sheet/>"}),
    ],
    ids=[
        "no archive",
        "no sheet",
        "cut",
        "document type",
        "document type behind much space",
        "no XML",
        "broken compression",
        "a compression of other programs",
        "a long table of contents",
    ],
)
def test_of_a_workbook_that_cannot_be_looked_into_name_and_size_are_shown(data: bytes) -> None:
    assert preview(CodeFile("b.xlsx", data)) == {"name": "b.xlsx", "bytes": len(data)}


def test_of_a_bomb_no_more_is_unpacked_than_is_looked_at() -> None:
    bomb = archive(**BOOK, **{SHEET: "<sheet><row><c><v>7</v></c></row>" + " " * 20_000_000})
    assert len(bomb) < 100_000
    assert preview(CodeFile("b.xlsx", bomb))["sheets"] == [{"name": "S", "firstRow": ["7"]}]


@given(st.binary(max_size=300), st.sampled_from(["a.xlsx", "a.csv", "a"]))
def test_no_file_is_too_odd_to_be_shown(data: bytes, name: str) -> None:
    assert preview(CodeFile(name, data))["bytes"] == len(data)
