"""Tables and records as answers: the row that is asked for, the fields that a question names.

Source: the texts that `retrieval.extraction` makes of tables, a row a line with a bar between two cells; and those that
`retrieval.records` makes of records, a field a line.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from openplaybook.retrieval.answers.base import Snippet
from openplaybook.retrieval.answers.terms import terms, topics
from openplaybook.retrieval.records.record_text import named_lines, title_of

_BREAK = re.compile(r"(?:^|[ \t])\|(?=[ \t]|$)")
_LONGEST = 200
"""Rows that are told apart; the others stand together at the end."""
_FEWEST_WORDS = 6
"""Of a value that is the record's text, and no mere property."""
_CASE = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_SIGNS = re.compile(r"[._\-\s]+")


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


def is_record(snippet: Snippet) -> bool:
    """Whether what is shown of a document is its data, a field a line."""
    return bool(snippet.data) and snippet.text.strip() == named_lines(snippet.data).strip()


def record_answer(query: str, record: Snippet, language: str, most: int) -> str:
    """Lines `name: value` of the fields that a question names; else the title with the text, up to so many characters,
    or with all fields where it has no text."""
    fields = [_field(line) for line in record.text.split("\n") if line.strip()]
    wanted = frozenset(topics(query, language))
    asked = [(name, value) for name, value in fields if name and _names(name, wanted, language)]
    if asked:
        return "\n".join(f"{name}: {value}" for name, value in asked)
    title = record.title or title_of(record.data)
    others = [(name, value) for name, value in fields if value != title]
    texts = [value for _, value in others if len(value.split()) >= _FEWEST_WORDS]
    shown = texts or [f"{name}: {value}" if name else value for name, value in others]
    return "\n".join(_within([title, *shown] if title else shown, most))


def _field(line: str) -> tuple[str, str]:
    name, mark, value = line.partition(": ")
    return (name.strip(), value.strip()) if mark else ("", line.strip())


def _names(name: str, wanted: Set[str], language: str) -> bool:
    """Whether a question has all words of a field's name, or of the last part of one with dots."""
    words = frozenset(terms(_SIGNS.sub(" ", _CASE.sub(" ", name.rpartition(".")[2])), language))
    return bool(words) and words <= wanted


def _within(lines: Sequence[str], most: int) -> Sequence[str]:
    """As many lines as there is room for, the first one in any case."""
    size, kept = 0, 0
    for line in lines:
        size += len(line) + 1
        if kept and size > most:
            break
        kept += 1
    return lines[:kept]
