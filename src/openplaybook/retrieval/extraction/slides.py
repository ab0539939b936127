"""PPTX: of each slide its title, texts, lists and tables, and the speaker's notes; the slide's number is the page."""

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Final, Protocol, cast

import pptx
from pptx.exc import PythonPptxError

from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import ExtractionLimits
from openplaybook.retrieval.extraction.block_collector import BlockCollector, clean_text
from openplaybook.retrieval.extraction.office_archive import BROKEN

_NOTES_TITLE: Final = "Notes"
_MAX_GROUPS: Final = 50


class _Paragraph(Protocol):
    text: str


class _Frame(Protocol):
    text: str
    paragraphs: Iterable[_Paragraph]


class _Cell(Protocol):
    text: str


class _Row(Protocol):
    cells: Iterable[_Cell]


class _Table(Protocol):
    rows: Iterable[_Row]
    first_row: bool


class _Shape(Protocol):
    shape_id: int
    has_text_frame: bool
    text_frame: _Frame
    has_table: bool
    table: _Table
    shapes: Iterable["_Shape"]


class _NotesSlide(Protocol):
    notes_text_frame: _Frame | None


class _Shapes(Protocol):
    title: _Shape | None

    def __iter__(self) -> Iterator[_Shape]: ...


class _Slide(Protocol):
    shapes: _Shapes
    has_notes_slide: bool
    notes_slide: _NotesSlide


def read_slides(data: bytes, limits: ExtractionLimits, into: BlockCollector) -> str:
    """Take the blocks of a PPTX file; gives the title that it states. Raises `InvalidSource`."""
    try:
        presentation = pptx.Presentation(BytesIO(data))
        slides = cast(list[_Slide], presentation.slides)
        if len(slides) > limits.max_pages:
            raise InvalidSource(f"it has more than {limits.max_pages:,} slides")
        for number, slide in enumerate(slides, 1):
            _read_slide(slide, number, into)
        return clean_text(presentation.core_properties.title)
    except (PythonPptxError, *BROKEN) as error:
        raise InvalidSource("it is a broken PPTX file") from error


def _read_slide(slide: _Slide, number: int, into: BlockCollector) -> None:
    title = slide.shapes.title
    if title is not None:
        into.heading(title.text_frame.text, 1, number)
    for shape in _leaves(slide.shapes, _MAX_GROUPS):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        _read_shape(shape, number, into)
    frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    if frame is not None and frame.text.strip():
        into.heading(_NOTES_TITLE, 2, number)
        for paragraph in frame.paragraphs:
            into.paragraph(paragraph.text, number)


def _leaves(shapes: Iterable[_Shape], levels: int) -> Iterator[_Shape]:
    """Shapes, those of groups in place of the groups."""
    if not levels:
        raise InvalidSource(f"its groups of shapes lie in each other more than {_MAX_GROUPS} levels deep")
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _leaves(shape.shapes, levels - 1)
        else:
            yield shape


def _read_shape(shape: _Shape, number: int, into: BlockCollector) -> None:
    if getattr(shape, "has_table", False):
        table = shape.table
        rows = ([cell.text for cell in row.cells] for row in table.rows)
        into.table(rows, number, header_rows=int(bool(table.first_row)))
    elif shape.has_text_frame:
        texts = [paragraph.text for paragraph in shape.text_frame.paragraphs if paragraph.text.strip()]
        if len(texts) > 1:
            into.items(texts, number)
        else:
            into.paragraph(" ".join(texts), number)
