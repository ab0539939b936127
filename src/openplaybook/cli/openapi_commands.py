"""`openplaybook openapi`: look into OpenAPI documents, and write them."""

from pathlib import Path
from typing import Annotated

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.generation import generate
from openplaybook.cli.options import AsJson

app = typer.Typer(help="Inspect OpenAPI documents, and generate them.", no_args_is_help=True)
app.command()(generate)

UNREADABLE = 2
"""Exit code when the document cannot be read at all."""


@app.callback()
def openapi() -> None:
    """Inspect OpenAPI documents, and generate them."""


@app.command()
def inspect(
    spec: Annotated[Path, typer.Argument(metavar="FILE", help="OpenAPI document, YAML or JSON.")],
    server_url: Annotated[str, typer.Option(help="URL of the service, if the document names none.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show the actions that an OpenAPI document gives a tool.

    It also shows every problem and its place. Documents that it refers to are read from its folder and the folders
    below.

    Exit code 0: every operation can be called; 1: some cannot; 2: the document cannot be read.
    """
    from openplaybook.cli.inspection import (
        inspect_document,
        print_inspection,
        print_inspection_as_json,
        print_unreadable,
    )
    from openplaybook.cli.output import print_json
    from openplaybook.cli.progress import progress
    from openplaybook.documents.errors import UnreadableDocument
    from openplaybook.tools.openapi.description_report import unreadable

    try:
        with progress() as tell:
            inspection = inspect_document(spec, _read(spec), server_url, tell)
    except UnreadableDocument as error:
        report = unreadable(error, str(spec))
        (print_json if as_json else print_unreadable)(report)
        raise typer.Exit(UNREADABLE) from None
    (print_inspection_as_json if as_json else print_inspection)(inspection)
    raise typer.Exit(int(any(problem.is_error for problem in inspection.problems)))


def _read(spec: Path) -> str:
    # A path has lost one of the slashes by now.
    if str(spec).startswith(("http:/", "https:/")):
        raise CommandError("inspect reads files, not URLs: download the document first", exit_code=UNREADABLE)
    try:
        return spec.read_text(encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{spec} cannot be read: {error.strerror}", exit_code=UNREADABLE) from error
    except UnicodeDecodeError as error:
        raise CommandError(
            f"{spec} is not UTF-8 text: {error.reason} at byte {error.start}", exit_code=UNREADABLE
        ) from error
