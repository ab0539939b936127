"""How commands print: text that steers no terminal, JSON, rows, and how far long work is."""

import os
import re
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

import typer

from openplaybook.jsonvalues import JsonValue, dumps_indented, dumps_line

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Also what changes the direction of writing, and halves of surrogate pairs."""
_LEFT_BY_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Controls of ISO 6429 beyond ASCII, and what changes the direction of writing."""
_LINE_AGAIN = "\r\x1b[K"
"""Back to the start of the line, and what stands there is gone (ECMA-48: CR, EL)."""
_USUAL_WIDTH = 80


def harmless(text: str) -> str:
    """A text from elsewhere, shown without letting it steer the terminal: `\\x1b` in place of an escape."""
    return _CONTROLS.sub(lambda control: _escaped(ord(control[0])), text)


def _escaped(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def json_text(value: JsonValue, *, indented: bool = False, sort_keys: bool = False) -> str:
    """A value as JSON to be shown: what JSON leaves as it is, and a terminal acts on or turns round, is escaped."""
    text = dumps_line(value, sort_keys=sort_keys) if not indented else dumps_indented(value, sort_keys=sort_keys)
    return _LEFT_BY_JSON.sub(lambda control: f"\\u{ord(control[0]):04x}", text)


def print_json(value: JsonValue) -> None:
    """Indented JSON on standard output."""
    typer.echo(json_text(value, indented=True))


def print_json_line(value: JsonValue) -> None:
    """One line of JSON on standard output, flushed, for programs that read line by line."""
    typer.echo(json_text(value))


def print_rows(rows: Sequence[Sequence[str]]) -> None:
    """Columns, each as wide as its widest cell; the last as wide as it needs."""
    cells_by_row = [[harmless(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells_by_row, strict=True)]
    for row in cells_by_row:
        *cells, last = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        typer.echo("  ".join([*cells, last.rstrip()]))


@contextmanager
def progress() -> Generator[Callable[[str], None]]:
    """Gives what says how far the work is: one line on standard error, in place of the one before, gone at the end.

    Nothing is shown where standard error is no terminal.
    """
    is_terminal = sys.stderr.isatty()

    def tell(text: str) -> None:
        if is_terminal:
            # A line longer than the terminal is wide would begin a second one, which stays.
            width = os.get_terminal_size(sys.stderr.fileno()).columns or _USUAL_WIDTH
            sys.stderr.write(f"{_LINE_AGAIN}{text[: width - 1]}")
            sys.stderr.flush()

    try:
        yield tell
    finally:
        tell("")
