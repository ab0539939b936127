"""An OpenAPI document inspected with the files beside it, and the report: for people, and as JSON, piece by piece."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import typer

from openplaybook.cli.output import harmless, json_text, print_rows
from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.description.missing_documents import missing_documents
from openplaybook.tools.openapi.description_report import Inspection, shown
from openplaybook.tools.openapi.tool_settings import ToolSettings

_COLOURS = {"error": "red", "warning": "yellow"}
_STEP = 100
"""Operations after which it is told how many are done."""
_MAX_FILES = 100
"""Files that a document may refer to."""
_MAX_FILE_BYTES = 10_000_000
"""Of one of them."""


def inspect_document(spec: Path, text: str, server_url: str, tell: Callable[[str], None]) -> Inspection:
    """The description `text` of the file `spec`, looked into; raises `UnreadableDocument`."""
    tell(f"reading {spec}")
    uri = spec.resolve().as_uri()
    settings = ToolSettings(documents=_referred_documents(spec, text), document_uri=uri, server_url=server_url)

    def progress(done: int, of: int) -> None:
        if not done % _STEP:
            tell(f"{done:,} of {of:,} operations")

    return Inspection(text, str(spec), settings, progress)


def _referred_documents(spec: Path, text: str) -> dict[str, str]:
    """Texts by URI of what the document `text` in the file `spec` refers to, directly or not.

    A file that is not there, lies outside the folder (links followed), is too large or no UTF-8 text is left out: the
    report then says what the reference needs.
    """
    home = spec.resolve().parent
    uri = spec.resolve().as_uri()
    texts: dict[str, str] = {}
    unusable: set[str] = set()
    while wanted := [each for each in missing_documents(text, texts, uri) if each not in unusable]:
        for each in wanted:
            content = _nearby_text(each, home) if len(texts) < _MAX_FILES else None
            if content is None:
                unusable.add(each)
            else:
                texts[each] = content
    return texts


def _nearby_text(uri: str, home: Path) -> str | None:
    place = urlsplit(uri)
    if place.scheme != "file" or place.netloc:
        return None
    try:
        path = Path(unquote(place.path)).resolve()
        if not path.is_relative_to(home) or not path.is_file() or path.stat().st_size > _MAX_FILE_BYTES:
            return None
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        return None


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
