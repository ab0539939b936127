"""Rows of tables that stand in texts, each as a sentence of its own with the names of its columns.

Source: the texts that `retrieval.extraction` makes of tables: a row a line, with a bar between two cells.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_BREAK = re.compile(r"(?:^|[ \t])\|(?=[ \t]|$)")
_LONGEST = 200
"""Rows that are told apart; the others stand together at the end."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row below the names of columns."""

    text: str
    """`rabbit: first 5 weeks, second 9 weeks`: the first cell, and the others behind the names of their columns."""
    compared: str
    """The words that it is found by: its own, and the names of all columns."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table in a text."""

    start: int
    end: int
    rows: tuple[TableRow, ...]


def tables_in(text: str) -> Iterator[TextTable]:
    """The tables of a text, in order: two lines at least that have cells, as many in each."""
    for start, lines in _barred(text):
        cells = [_cells(line) for line in lines]
        names = cells[0]
        if all(len(each) == len(names) for each in cells) and not any(map(_is_value, names)):
            rows = [_row(names, each) for each in cells[1:] if any(each)]
            if rows:
                yield TextTable(start, start + len("\n".join(lines)), _few(rows))


def _barred(text: str) -> Iterator[tuple[int, Sequence[str]]]:
    """Lines with bars that follow each other, and where the first of them begins."""
    at, begin, lines = 0, 0, list[str]()
    for line in (*text.split("\n"), ""):
        if _BREAK.search(line):
            begin = begin if lines else at
            lines.append(line)
        elif lines:
            yield begin, lines
            lines = []
        at += len(line) + 1


def _cells(line: str) -> Sequence[str]:
    return [each.strip() for each in _BREAK.split(line)]


def _is_value(cell: str) -> bool:
    """Whether a cell is no name of a column."""
    return any(map(str.isdigit, cell)) and not any(map(str.isalpha, cell))


def _row(names: Sequence[str], cells: Sequence[str]) -> TableRow:
    told = ", ".join(f"{name} {cell}".strip() for name, cell in zip(names[1:], cells[1:], strict=True) if cell)
    text = f"{cells[0]}: {told}" if cells[0] and told else cells[0] or told
    return TableRow(text, f"{' '.join(names)} {' '.join(cells)}")


def _few(rows: Sequence[TableRow]) -> tuple[TableRow, ...]:
    if len(rows) <= _LONGEST:
        return tuple(rows)
    rest = rows[_LONGEST - 1 :]
    together = TableRow("\n".join(each.text for each in rest), " ".join(each.compared for each in rest))
    return (*rows[: _LONGEST - 1], together)
