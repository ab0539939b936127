"""PDF: the text of each page, lines joined to paragraphs, and headings where letters are larger than most."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, cast

import pypdfium2

from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import ExtractionLimits
from openplaybook.retrieval.extraction.block_collector import BlockCollector, clean_text

_WRONG_PASSWORD: Final = 4
_UNKNOWN_SECURITY: Final = 5
"""Error codes of PDFium (`FPDF_ERR_PASSWORD`, `FPDF_ERR_SECURITY`)."""

_LARGER: Final = 1.15
"""How many times larger than the running text letters of headings are, at least."""
_LONGEST_HEADING: Final = 200
_GAP: Final = 1.6
"""Between two lines of a paragraph lie fewer heights of a line than this, from base to base."""
_SHORT: Final = 0.75
"""A line that ends a sentence and is shorter than this part of the longest one ends its paragraph."""
_BULLET: Final = re.compile(r"\s*[•▪◦‣·–*-]\s+(?=\S)")
_ITEM: Final = re.compile(r"\s*(?:[•▪◦‣·–*-]\s+|\(?\d{1,3}[.)]\s+|[a-z][.)]\s+)\S")
_LINE: Final = re.compile(r"[^\n\ufffe]*(?:[\n\ufffe]|$)")
"""PDFium puts U+FFFE in place of a hyphen and the end of its line."""
_LETTER: Final = re.compile(r"[^\W_]")
_ENDS_SENTENCE: Final = re.compile(r"[.!?:。！？؟।…][\"'»”’)\]]*\s*$")
_SPLIT_WORD: Final = re.compile(r"[^\W\d_]{2}[-\u2010]$")
_SECOND_HALF: Final = re.compile(r"[^\W\d_]")
_NOT_HALVES: Final = re.compile(r"(?:and|or|und|oder|bzw|et|ou|y|o|e|en|of)\b")
"""Words before which a hyphen at the end of a line stays: it leaves out the end of a compound."""
_NO_BLANK: Final = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]$|^[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
"""Chinese and Japanese are written without blanks."""


class _TextPage(Protocol):
    def get_text_range(self) -> str: ...
    def get_charbox(self, index: int, loose: bool = ...) -> tuple[float, float, float, float]: ...
    def count_chars(self) -> int: ...
    def close(self) -> None: ...


class _Page(Protocol):
    def get_textpage(self) -> _TextPage: ...
    def close(self) -> None: ...


class _Document(Protocol):
    def __len__(self) -> int: ...
    def get_page(self, index: int) -> _Page: ...
    def get_metadata_value(self, key: str) -> str: ...


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    page: int
    height: float
    """Of its letters, in points; 0 where it is not known."""
    bottom: float
    right: float


def read_pdf(data: bytes, limits: ExtractionLimits, into: BlockCollector) -> str:
    """Take the blocks of a PDF; gives the title that it states. Raises `InvalidSource`."""
    document = _opened(data)
    if len(document) > limits.max_pages:
        raise InvalidSource(f"it has more than {limits.max_pages:,} pages")
    pages: list[list[_Line]] = []
    characters = 0
    for number in range(len(document)):
        pages.append(_lines(document.get_page(number), number + 1))
        characters += sum(len(line.text) for line in pages[-1])
        if characters > limits.max_characters:
            raise InvalidSource(f"it has more than {limits.max_characters:,} characters of text")
    levels = _heading_levels(pages)
    for page in pages:
        _take(page, levels, into)
    if not len(into):
        raise InvalidSource("it has no text: its pages are empty, or images that would have to be recognised")
    return clean_text(document.get_metadata_value("Title"))


def _opened(data: bytes) -> _Document:
    try:
        return cast(_Document, pypdfium2.PdfDocument(data))
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) in (_WRONG_PASSWORD, _UNKNOWN_SECURITY):
            raise InvalidSource("it is protected by a password") from error
        raise InvalidSource("it is a broken PDF") from error


def _lines(page: _Page, number: int) -> list[_Line]:
    try:
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError as error:
        raise InvalidSource(f"its page {number} is broken") from error
    try:
        return list(_lines_of(text_page, number))
    finally:
        text_page.close()
        page.close()


def _lines_of(page: _TextPage, number: int) -> Iterator[_Line]:
    for found in _LINE.finditer(page.get_text_range()):
        text = found[0].replace("\ufffe", "-").rstrip()
        if text:
            letter = _LETTER.search(text)
            first = found.start() + (letter.start() if letter else len(text) - len(text.lstrip()))
            yield _line(page, text, number, first, found.start() + len(text) - 1)
        elif found[0]:
            yield _Line("", number, 0.0, 0.0, 0.0)


def _line(page: _TextPage, text: str, number: int, first: int, last: int) -> _Line:
    try:
        _, bottom, _, top = page.get_charbox(first, loose=True)
        _, _, right, _ = page.get_charbox(last, loose=True)
    except pypdfium2.PdfiumError:
        return _Line(text, number, 0.0, 0.0, 0.0)
    return _Line(text, number, round(top - bottom, 1), bottom, right)


def _heading_levels(pages: Sequence[Sequence[_Line]]) -> dict[float, int]:
    """Levels of headings by the height of their letters; empty where all letters are alike."""
    weights: Counter[float] = Counter()
    for page in pages:
        for line in page:
            weights[line.height] += len(line.text) if line.height else 0
    if not weights:
        return {}
    running = weights.most_common(1)[0][0]
    larger = sorted((height for height in weights if height > running * _LARGER), reverse=True)
    return {height: min(level, 6) for level, height in enumerate(larger, 1)}


def _take(lines: Sequence[_Line], levels: dict[float, int], into: BlockCollector) -> None:
    longest = max((line.right for line in lines), default=0.0)
    waiting: list[_Line] = []
    for line in lines:
        if waiting and _is_new(waiting[-1], line, longest):
            _take_paragraph(waiting, levels, into)
            waiting = []
        if line.text:
            waiting.append(line)
    if waiting:
        _take_paragraph(waiting, levels, into)


def _is_new(before: _Line, line: _Line, longest: float) -> bool:
    """Whether a line begins another paragraph than the one before."""
    if not line.text or _ITEM.match(line.text):
        return True
    if not (before.height and line.height):
        return False
    if abs(before.height - line.height) > (_LARGER - 1) * before.height:
        return True
    if before.bottom - line.bottom > _GAP * before.height:
        return True
    return bool(_ENDS_SENTENCE.search(before.text)) and before.right < _SHORT * longest


def _take_paragraph(lines: Sequence[_Line], levels: dict[float, int], into: BlockCollector) -> None:
    text = _joined([line.text.strip() for line in lines])
    level = levels.get(lines[0].height)
    if level and len(text) <= _LONGEST_HEADING and _LETTER.search(text) and not _BULLET.match(text):
        into.heading(text, level, lines[0].page)
    else:
        into.paragraph(_BULLET.sub("", text, count=1) if _BULLET.match(text) else text, lines[0].page)


def _joined(lines: Sequence[str]) -> str:
    """Lines as one, words put together that were split at the end of a line."""
    text = ""
    for line in lines:
        if _SPLIT_WORD.search(text) and not _NOT_HALVES.match(line):
            # Before a capital or a digit the hyphen is part of the word.
            text = text[:-1] + line if _SECOND_HALF.match(line) and line[0].islower() else text + line
        elif _NO_BLANK.search(text) and _NO_BLANK.match(line):
            text += line
        else:
            text = f"{text} {line}" if text else line
    return text
