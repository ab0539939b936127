"""DOCX: headings by style or outline level, paragraphs, lists, tables, text boxes and notes, in their order."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Final, Protocol, cast

import docx
from docx.opc.exceptions import PackageNotFoundError

from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.block_collector import BlockCollector, clean_text
from openplaybook.retrieval.extraction.office_archive import BROKEN

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_BOX: Final = f"{_W}txbxContent"
_NOTES: Final = ("/word/footnotes.xml", "/word/endnotes.xml")
_TITLE_STYLES: Final = frozenset({"title"})
_MAX_LEVEL: Final = 9


class _Element(Protocol):
    tag: str
    text: str | None

    def __iter__(self) -> Iterator["_Element"]: ...
    def find(self, path: str) -> "_Element | None": ...
    def findall(self, path: str) -> list["_Element"]: ...
    def get(self, key: str) -> str | None: ...


class _Part(Protocol):
    partname: str
    blob: bytes


class _Package(Protocol):
    def iter_parts(self) -> Iterable[_Part]: ...


class _WordFile(Protocol):
    body: _Element


@dataclass(slots=True)
class _Styles:
    """What styles mean, by their ids."""

    levels: dict[str, int] = field(default_factory=dict[str, int])
    lists: set[str] = field(default_factory=set[str])


def read_word(data: bytes, into: BlockCollector) -> str:
    """Take the blocks of a DOCX file; gives the title that it states. Raises `InvalidSource`."""
    try:
        document = docx.Document(BytesIO(data))
        body = cast(_WordFile, document.element).body
        styles = _styles(cast(_Element, document.styles.element))
        title = clean_text(document.core_properties.title)
        notes = _notes(cast(_Package, document.part.package).iter_parts())
    except (PackageNotFoundError, *BROKEN) as error:
        raise InvalidSource("it is a broken DOCX file") from error
    _WordBody(styles, into).read(body)
    for note in notes:
        _WordBody(styles, into).read(note)
    return title


def _notes(parts: Iterable[_Part]) -> list[_Element]:
    from docx.oxml.parser import parse_xml

    roots = [cast(_Element, parse_xml(part.blob)) for part in parts if str(part.partname) in _NOTES]
    return [note for root in roots for note in root if note.get(f"{_W}type") is None]


def _styles(root: _Element) -> _Styles:
    styles = _Styles()
    for style in root.findall(f"{_W}style"):
        id_, name = style.get(f"{_W}styleId") or "", _value(style, "name").lower()
        outline = _value(style, "pPr", "outlineLvl")
        if name in _TITLE_STYLES:
            styles.levels[id_] = 1
        elif name.startswith("heading ") and name[8:].isdigit():
            styles.levels[id_] = int(name[8:])
        elif outline.isdigit() and int(outline) < _MAX_LEVEL:
            styles.levels[id_] = int(outline) + 1
        if name.startswith("list") or style.find(f"{_W}pPr/{_W}numPr") is not None:
            styles.lists.add(id_)
    return styles


def _value(element: _Element, *path: str) -> str:
    found = element.find("/".join(_W + name for name in path))
    return (found.get(f"{_W}val") or "") if found is not None else ""


class _WordBody:
    """Goes through the elements of a body or a cell."""

    def __init__(self, styles: _Styles, into: BlockCollector) -> None:
        self._styles = styles
        self._into = into
        self._items: list[str] = []

    def read(self, body: _Element) -> None:
        """Take its blocks."""
        for element in body:
            if element.tag == f"{_W}p":
                self._paragraph(element)
            elif element.tag == f"{_W}tbl":
                self._end_list()
                self._table(element)
            elif element.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}customXml", f"{_W}ins", f"{_W}smartTag"):
                self.read(element)
        self._end_list()

    def _paragraph(self, paragraph: _Element) -> None:
        text = _text(paragraph)
        style = _value(paragraph, "pPr", "pStyle")
        outline = _value(paragraph, "pPr", "outlineLvl")
        level = int(outline) + 1 if outline.isdigit() and int(outline) < _MAX_LEVEL else self._styles.levels.get(style)
        if level:
            self._end_list()
            self._into.heading(text, level)
        elif paragraph.find(f"{_W}pPr/{_W}numPr") is not None or style in self._styles.lists:
            self._items.append(text)
        else:
            self._end_list()
            self._into.paragraph(text)
        for box in _boxes(paragraph):
            self._end_list()
            _WordBody(self._styles, self._into).read(box)

    def _end_list(self) -> None:
        if self._items:
            self._into.items(self._items)
            self._items.clear()

    def _table(self, table: _Element) -> None:
        rows = list(_rows(table))
        is_layout = all(len(row) <= 1 for row in rows)
        if is_layout:
            for cell in (cell for row in rows for cell in row):
                _WordBody(self._styles, self._into).read(cell)
            return
        self._into.table(([_cell_text(cell) for cell in row] for row in rows), header_rows=1)


def _rows(table: _Element) -> Iterator[list[_Element]]:
    for row in table.findall(f"{_W}tr"):
        yield [*row.findall(f"{_W}tc"), *row.findall(f"{_W}sdt/{_W}sdtContent/{_W}tc")]


def _cell_text(cell: _Element) -> str:
    return " ".join(_text(paragraph, with_boxes=True) for paragraph in _paragraphs(cell))


def _paragraphs(element: _Element) -> Iterator[_Element]:
    for child in element:
        if child.tag == f"{_W}p":
            yield child
        else:
            yield from _paragraphs(child)


def _text(element: _Element, *, with_boxes: bool = False) -> str:
    """Text of a paragraph without what was deleted from it."""
    return "".join(_pieces(element, with_boxes))


def _pieces(element: _Element, with_boxes: bool) -> Iterator[str]:
    for child in element:
        tag = child.tag
        if tag == f"{_W}t":
            yield child.text or ""
        elif tag in (f"{_W}tab", f"{_W}br", f"{_W}cr"):
            yield " "
        elif tag == f"{_W}noBreakHyphen":
            yield "-"
        elif tag != _FALLBACK and (with_boxes or tag != _BOX):
            yield from _pieces(child, with_boxes)


def _boxes(element: _Element) -> Iterator[_Element]:
    for child in element:
        if child.tag == _BOX:
            yield child
        elif child.tag != _FALLBACK:
            yield from _boxes(child)
