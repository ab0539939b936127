"""Collects the blocks of a file: clean text only, and no more of it than may be."""

import re
from collections.abc import Iterable, Sequence

from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import BlockKind, ExtractionLimits, TextBlock

CELL_BREAK = " | "
"""Stands between the cells of a row."""

_MAX_LEVEL = 6
_LONGEST_HEADING = 300
"""Characters; passages repeat their headings."""
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff\ufeff\xad]")
"""Characters that no reader sees, among them halves of surrogate pairs and soft hyphens."""


def clean_text(text: str) -> str:
    """The text on one line, each run of blanks one blank, without characters that nobody sees."""
    return " ".join(_NO_TEXT.sub("", text).split())


class BlockCollector:
    """Takes what a reader finds, in its order. Every call raises `InvalidSource` when it comes to too much text."""

    def __init__(self, limits: ExtractionLimits) -> None:
        self._limits = limits
        self._blocks: list[TextBlock] = []
        self._characters = 0

    @property
    def blocks(self) -> tuple[TextBlock, ...]:
        """What was taken."""
        return tuple(self._blocks)

    def __len__(self) -> int:
        """How many blocks were taken."""
        return len(self._blocks)

    def heading(self, text: str, level: int, page: int = 0) -> None:
        """Take a heading; one without text is left out, and one that is too long for a heading is a paragraph."""
        text = clean_text(text)
        if len(text) > _LONGEST_HEADING:
            self.paragraph(text, page)
        else:
            self._take(BlockKind.HEADING, text, page, level=min(max(level, 1), _MAX_LEVEL))

    def paragraph(self, text: str, page: int = 0) -> None:
        """Take a paragraph; one without text is left out."""
        self._take(BlockKind.PARAGRAPH, clean_text(text), page)

    def lines(self, text: str, page: int = 0) -> None:
        """Take a paragraph whose lines stay lines, such as code or verse."""
        kept = [_NO_TEXT.sub("", line).rstrip() for line in text.splitlines()]
        self._take(BlockKind.PARAGRAPH, "\n".join(kept).strip("\n"), page)

    def items(self, items: Iterable[str], page: int = 0) -> None:
        """Take a list; items without text are left out."""
        self._take(BlockKind.LIST, "\n".join(filter(None, map(clean_text, items))), page)

    def table(self, rows: Iterable[Sequence[str]], page: int = 0, *, header_rows: int = 0) -> None:
        """Take a table; rows without text are left out. Rows that come one by one may be endless."""
        lines: list[str] = []
        size = self._characters
        headers = 0
        for number, row in enumerate(rows):
            cells = [clean_text(cell) for cell in row]
            if not any(cells):
                continue
            lines.append(CELL_BREAK.join(cells).strip())
            headers += number < header_rows
            size += len(lines[-1]) + 1
            self._weigh(size)
        self._take(BlockKind.TABLE, "\n".join(lines), page, header_lines=headers)

    def _take(self, kind: BlockKind, text: str, page: int, *, level: int = 0, header_lines: int = 0) -> None:
        if not text.strip():
            return
        self._characters += len(text) + 1
        self._weigh(self._characters)
        if len(self._blocks) >= self._limits.max_blocks:
            raise InvalidSource(f"it has more than {self._limits.max_blocks:,} headings, paragraphs, lists and tables")
        self._blocks.append(TextBlock(kind, text, level, page, header_lines))

    def _weigh(self, characters: int) -> None:
        if characters > self._limits.max_characters:
            raise InvalidSource(f"it has more than {self._limits.max_characters:,} characters of text")
