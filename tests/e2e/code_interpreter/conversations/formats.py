"""Files that are not text: spreadsheets, archives, databases, pictures, PDF."""

import sqlite3
import zipfile
from collections.abc import Sequence
from importlib import import_module
from io import BytesIO

import numpy as np
from PIL import Image

from openplaybook.wire.messages import ApiMessage
from tests.e2e.code_interpreter.conversation import Attachment, Conversation, Turn, lines, python
from tests.e2e.code_interpreter.conversations.tables import exactly, json_of
from tests.kit.pictures import pixels


def _openpyxl() -> ApiMessage:
    return import_module("openpyxl")


def _workbook() -> bytes:
    book = _openpyxl().Workbook()
    for title, rows in (
        ("2023", [("item", "cost"), ("rent", 900), ("power", 120.5)]),
        ("2024", [("item", "cost"), ("rent", 950), ("power", 99.5), ("water", 40)]),
    ):
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.remove(book.worksheets[0])
    written = BytesIO()
    book.save(written)
    return written.getvalue()


def _check_report(data: bytes) -> None:
    book = _openpyxl().load_workbook(BytesIO(data))
    sheet = book["Totals"]
    assert book.sheetnames == ["Totals"]
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert rows == [["year", "total"], ["2023", 1020.5], ["2024", 1089.5], ["both", "=SUM(B2:B3)"]]
    assert [sheet["A1"].font.bold, sheet["A2"].font.bold] == [True, False]
    assert sheet["B2"].number_format == "#,##0.00"
    [chart] = sheet._charts
    assert chart.tagname == "barChart"


SPREADSHEET = Conversation(
    "every sheet of a spreadsheet is summed up, and a spreadsheet with formulas and a chart comes back",
    [
        Turn(
            "Total the sheets of costs.xlsx into a formatted workbook with a chart.",
            python("""
                sheets = pd.read_excel("costs.xlsx", sheet_name=None)
                totals = {year: float(sheet.cost.sum()) for year, sheet in sheets.items()}
                print(totals)
                import xlsxwriter
                with xlsxwriter.Workbook("report.xlsx") as book:
                    sheet = book.add_worksheet("Totals")
                    sheet.write_row(0, 0, ["year", "total"], book.add_format({"bold": True}))
                    money = book.add_format({"num_format": "#,##0.00"})
                    for row, (year, total) in enumerate(totals.items(), start=1):
                        sheet.write_string(row, 0, year)
                        sheet.write_number(row, 1, total, money)
                    sheet.write_string(3, 0, "both")
                    sheet.write_formula(3, 1, "=SUM(B2:B3)", money, sum(totals.values()))
                    chart = book.add_chart({"type": "column"})
                    chart.add_series({"categories": "=Totals!$A$2:$A$3", "values": "=Totals!$B$2:$B$3"})
                    sheet.insert_chart("D2", chart)
            """),
            result="{'2023': 1020.5, '2024': 1089.5}",
            attachments=[Attachment("costs.xlsx", _workbook())],
            files={"report.xlsx": _check_report},
        )
    ],
)


def _archive() -> bytes:
    written = BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data/jan.csv", "shop,sold\nA,5\nB,7\n")
        archive.writestr("data/feb.csv", "shop,sold\nA,6\nC,1\n")
        archive.writestr("notes.txt", "unused")
    return written.getvalue()


def _check_archive(data: bytes) -> None:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        held = {name: archive.read(name).decode() for name in archive.namelist()}
    assert held == {
        "A.csv": "sold,month\n6,feb\n5,jan\n",
        "B.csv": "sold,month\n7,jan\n",
        "C.csv": "sold,month\n1,feb\n",
    }


ARCHIVE = Conversation(
    "the files of an archive are read together, and an archive comes back",
    [
        Turn(
            "Take the months of months.zip apart by shop.",
            python("""
                import zipfile
                from pathlib import Path
                with zipfile.ZipFile("months.zip") as archive:
                    tables = [pd.read_csv(archive.open(name)).assign(month=Path(name).stem)
                              for name in sorted(archive.namelist()) if name.endswith(".csv")]
                sold = pd.concat(tables)
                with zipfile.ZipFile("shops.zip", "w") as archive:
                    for shop, rows in sold.groupby("shop"):
                        archive.writestr(f"{shop}.csv", rows[["sold", "month"]].to_csv(index=False))
                print(sold.groupby("shop").sold.sum().to_dict())
            """),
            result="{'A': 11, 'B': 7, 'C': 1}",
            attachments=[Attachment("months.zip", _archive())],
            files={"shops.zip": _check_archive},
        )
    ],
)


def _database() -> bytes:
    with sqlite3.connect(":memory:") as database:
        database.executescript("""
            CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, author INTEGER, year INTEGER);
            CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO author VALUES (1, 'Lem'), (2, 'Le Guin'), (3, 'Čapek');
            INSERT INTO book VALUES (1, 'Solaris', 1, 1961), (2, 'Fiasco', 1, 1986), (3, 'Planet of Exile', 2, 1966);
        """)
        dump = database.serialize()
    database.close()
    return dump


DATABASE = Conversation(
    "a database is asked in SQL",
    [
        Turn(
            "How many books has each author in library.db?",
            python("""
                import sqlite3
                with sqlite3.connect("library.db") as database:
                    found = pd.read_sql_query(
                        "SELECT name, count(title) AS books, min(year) AS first FROM author "
                        "LEFT JOIN book ON book.author = author.id GROUP BY author.id ORDER BY books DESC", database)
                found.to_json("authors.json", orient="records", force_ascii=False)
                print(found.to_csv(index=False).strip())
            """),
            result=lines("name,books,first", "Lem,2,1961.0", "Le Guin,1,1966.0", "Čapek,0,"),
            attachments=[Attachment("library.db", _database())],
            files={
                "authors.json": json_of(
                    [
                        {"name": "Lem", "books": 2, "first": 1961.0},
                        {"name": "Le Guin", "books": 1, "first": 1966.0},
                        {"name": "Čapek", "books": 0, "first": None},
                    ]
                )
            },
        )
    ],
)


def _photograph() -> bytes:
    across, down = np.meshgrid(np.arange(60), np.arange(40))
    seen = np.stack([across * 4, down * 6, np.full_like(across, 30)], axis=2).astype(np.uint8)
    seen[5:10, 3:8] = (255, 0, 255)
    written = BytesIO()
    Image.fromarray(seen).save(written, "png")
    return written.getvalue()


def _check_mirrored(data: bytes) -> None:
    with Image.open(BytesIO(data)) as image:
        assert (image.format, image.size, image.mode) == ("PNG", (120, 80), "RGB")
    mirrored = pixels(_photograph())[:, ::-1]
    assert np.array_equal(pixels(data), mirrored.repeat(2, axis=0).repeat(2, axis=1))


PICTURE = Conversation(
    "a picture is measured and changed",
    [
        Turn(
            "Where is the magenta square in photo.png? Mirror the photo at twice its size.",
            python("""
                from PIL import Image, ImageOps
                photo = Image.open("photo.png")
                seen = np.asarray(photo.convert("RGB")).astype(int)
                rows, columns = np.nonzero((abs(seen - [255, 0, 255])).sum(axis=2) < 30)
                print(photo.size, [int(edge) for edge in (columns.min(), rows.min(), columns.max(), rows.max())])
                larger = photo.resize((photo.width * 2, photo.height * 2), Image.Resampling.NEAREST)
                ImageOps.mirror(larger).save("mirrored.png")
            """),
            result="(60, 40) [3, 5, 7, 9]",
            attachments=[Attachment("photo.png", _photograph())],
            files={"mirrored.png": _check_mirrored},
        )
    ],
)


def _check_letter(data: bytes) -> None:
    assert data.startswith(b"%PDF-")
    text: str = import_module("pdfminer.high_level").extract_text(BytesIO(data))
    assert " ".join(text.split()) == "Invoice 17 Tea 3 x 2.50 = 7.50 Total 7.50"


DOCUMENT = Conversation(
    "a PDF is written, and read back in the next turn",
    [
        Turn(
            "Write an invoice about three teas as a PDF.",
            python("""
                from reportlab.lib.pagesizes import A4
                from reportlab.pdfgen.canvas import Canvas
                page = Canvas("invoice.pdf", pagesize=A4)
                for row, text in enumerate(["Invoice 17", "Tea 3 x 2.50 = 7.50", "Total 7.50"]):
                    page.drawString(72, 760 - 20 * row, text)
                page.save()
                print(f"{3 * 2.50:.2f}")
            """),
            result="7.50",
            files={"invoice.pdf": _check_letter},
        ),
        Turn(
            "Read the invoice again and save its words.",
            python("""
                from pdfminer.high_level import extract_text
                words = extract_text("invoice.pdf").split()
                open("words.txt", "w").write(" ".join(words))
                print(len(words), words[-1])
            """),
            result="10 7.50",
            files={"words.txt": exactly("Invoice 17 Tea 3 x 2.50 = 7.50 Total 7.50")},
        ),
    ],
)

FORMATS: Sequence[Conversation] = (SPREADSHEET, ARCHIVE, DATABASE, PICTURE, DOCUMENT)
