"""Files of each format, made by the libraries that others make them with, and archives with other members in them."""

import io
import zlib
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import cast
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
from docx import Document
from pptx import Presentation
from pptx.shapes.autoshape import Shape
from pptx.util import Inches
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import ListFlowable, PageBreak, Paragraph, SimpleDocTemplate

WORDS = "Cats need fresh water every day, and they drink more of it in summer than in the cold months of the year."


def docx_file() -> bytes:
    document = Document()
    document.core_properties.title = "Care of cats"
    document.add_heading("Cats", 1)
    document.add_paragraph("Cats need water.").add_run(" Every day.").bold = True
    document.add_heading("Food", 2)
    for item in ("Meat", "Fish"):
        document.add_paragraph(item, style="List Bullet")
    table = document.add_table(2, 2)
    for place, text in zip(((0, 0), (0, 1), (1, 0), (1, 1)), ("Name", "Price", "Fish", "3 francs"), strict=True):
        table.cell(*place).text = text
    document.add_paragraph("That is all.")
    return _saved(document.save)


def pptx_file() -> bytes:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    for shape, text in zip(slide.placeholders, ("Dogs", "Walk daily\nFeed twice"), strict=True):
        cast(Shape, shape).text_frame.text = text
    notes = slide.notes_slide.notes_text_frame
    assert notes is not None
    notes.text = "Say hello first."
    second = presentation.slides.add_slide(presentation.slide_layouts[6])
    table = second.shapes.add_table(2, 2, Inches(0), Inches(0), Inches(4), Inches(1)).table
    for place, text in zip(((0, 0), (0, 1), (1, 0), (1, 1)), ("Breed", "Walks", "Beagle", "3"), strict=True):
        table.cell(*place).text = text
    group = second.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(0), Inches(0), Inches(1), Inches(1)).text_frame.text = "In a group"
    return _saved(presentation.save)


def xlsx_file() -> bytes:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Prices")
    for row in (["Name", "Price", "Since", "Fresh"], [], ["Fish", 3.5, date(2024, 1, 2), True], ["Meat", 7.0]):
        sheet.append(row)
    other = book.create_sheet("Hours")
    other.append(["Opens", datetime(2024, 1, 2, 9, 30)])
    return _saved(book.save)


def pdf_file() -> bytes:
    styles = getSampleStyleSheet()
    normal = styles["Normal"]
    file = io.BytesIO()
    SimpleDocTemplate(file, title="Care of cats").build(
        [
            Paragraph("Cats", styles["Heading1"]),
            Paragraph(f"{WORDS} {WORDS}", normal),
            Paragraph("Another paragraph.", normal),
            ListFlowable([Paragraph("Meat", normal), Paragraph("Fish", normal)], bulletType="bullet"),
            PageBreak(),
            Paragraph("Food", styles["Heading2"]),
            Paragraph("They eat a lot.", normal),
        ]
    )
    return file.getvalue()


def pdf_of_lines(*lines: str) -> bytes:
    """A page with these lines, one below the other."""
    file = io.BytesIO()
    canvas = Canvas(file)
    text = canvas.beginText(72, 700)
    for line in lines:
        text.textLine(line)
    canvas.drawText(text)
    canvas.save()
    return file.getvalue()


def pdf_of_pages(count: int, password: str = "") -> bytes:
    """Empty pages."""
    file = io.BytesIO()
    canvas = Canvas(file, encrypt=StandardEncryption(password) if password else None)
    for _ in range(count):
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def pdf_bomb(megabytes: int) -> bytes:
    """A few kilobytes, of which the only page has a content of so many megabytes."""
    piece = b"BT /F1 12 Tf (a) Tj ET\n" * 50_000
    pack = zlib.compressobj(9)
    once = b"".join(pack.compress(piece) for _ in range(megabytes * 1_000_000 // len(piece))) + pack.flush()
    content = zlib.compress(once, 9)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d/Filter[/FlateDecode/FlateDecode]>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    file, places = b"%PDF-1.4\n", list[int]()
    for number, written in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj%sendobj\n" % (number, written)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 6\n0000000000 65535 f \n%strailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
    return file + end % (table, len(file))


def with_members(archive: bytes, members: Mapping[str, bytes]) -> bytes:
    """An archive with these members, in place of those that have their names."""
    file = io.BytesIO()
    with ZipFile(io.BytesIO(archive)) as old, ZipFile(file, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in members:
                new.writestr(name, old.read(name))
        for name, content in members.items():
            new.writestr(name, content)
    return file.getvalue()


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    file = io.BytesIO()
    save(file)
    return file.getvalue()
