"""How commands print."""

import json
from collections.abc import Sequence

import typer

from openplaybook.jsonvalues import JsonValue


def print_json(value: JsonValue) -> None:
    """Indented JSON on standard output."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_json_line(value: JsonValue) -> None:
    """One line of JSON on standard output, flushed, for programs that read line by line."""
    typer.echo(json.dumps(value, ensure_ascii=False))


def print_rows(rows: Sequence[Sequence[str]]) -> None:
    """Columns, each as wide as its widest cell; the last as wide as it needs."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        *cells, last = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        typer.echo("  ".join([*cells, last.rstrip()]))
