"""The report on an OpenAPI document: for people to read, and as JSON, written piece by piece."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import typer

from openplaybook.cli.nearby import documents_of
from openplaybook.cli.output import harmless, json_text, print_rows
from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.description_report import Inspection, shown
from openplaybook.tools.openapi.tool_settings import ToolSettings

_COLOURS = {"error": "red", "warning": "yellow"}
_STEP = 100
"""Operations after which it is told how many are done."""


def inspect_document(spec: Path, text: str, server_url: str, tell: Callable[[str], None]) -> Inspection:
    """The description `text` of the file `spec`, looked into; raises `UnreadableDocument`."""
    tell(f"reading {spec}")
    uri = spec.resolve().as_uri()
    settings = ToolSettings(documents=documents_of(spec, text), document_uri=uri, server_url=server_url)

    def progress(done: int, of: int) -> None:
        if not done % _STEP:
            tell(f"{done:,} of {of:,} operations")

    return Inspection(text, str(spec), settings, progress)


def print_inspection(inspection: Inspection) -> None:
    """The actions that can be called, then every problem with its place, then a sentence that counts both."""
    entries = [each.entry for each in inspection.operations if each.is_callable]
    if entries:
        print_rows([(entry.name, entry.method, entry.path) for entry in entries])
    for problem in inspection.problems:
        _print_problem(shown(problem))
    count, of = len(entries), len(inspection.operations)
    _print_sum(inspection.document, f"{count} of {of} operations can be called" if of else "no operations")


def print_unreadable(report: JsonObject) -> None:
    """The same of a document in which nothing can be read."""
    for problem in report["problems"]:
        _print_problem(problem)
    _print_sum(str(report["document"]), "no operations")


def print_inspection_as_json(inspection: Inspection) -> None:
    """The report as JSON, an action, a problem and a definition a line: never held whole."""
    typer.echo(f'{{"document": {json_text(inspection.document)},')
    _print_array("actions", inspection.actions())
    typer.echo(",")
    _print_array("problems", map(shown, inspection.problems))
    _print_definitions(inspection.definitions())
    typer.echo("}")


def _print_array(name: str, items: Iterable[JsonObject]) -> None:
    typer.echo(f'"{name}": [', nl=False)
    between = "\n"
    for item in items:
        typer.echo(f"{between}{json_text(item)}", nl=False)
        between = ",\n"
    typer.echo("]", nl=False)


def _print_definitions(definitions: Iterator[tuple[str, JsonObject]]) -> None:
    """The definitions, where there are any."""
    between = ',\n"definitions": {\n'
    for name, schema in definitions:
        typer.echo(f"{between}{json_text(name)}: {json_text(schema)}", nl=False)
        between = ",\n"
    if between == ",\n":
        typer.echo("}", nl=False)


def _print_problem(problem: JsonObject) -> None:
    place = str(problem["path"]) + (f" (line {problem['line']})" if problem.get("line") else "")
    severity = str(problem["severity"])
    typer.secho(harmless(f"{severity}: {place}: {problem['message']}"), fg=_COLOURS.get(severity))


def _print_sum(document: str, count: str) -> None:
    typer.echo(f"{document}: {count}.")
