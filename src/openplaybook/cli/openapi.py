"""`openplaybook openapi`: look into OpenAPI documents, and write them."""

from pathlib import Path
from typing import Annotated

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.generation import generate
from openplaybook.cli.options import AsJson

app = typer.Typer(help="Look into OpenAPI documents, and write them.", no_args_is_help=True)
app.command()(generate)

UNREADABLE = 2
"""Exit code when the document cannot be read at all."""


@app.callback()
def openapi() -> None:
    """Look into OpenAPI documents, and write them."""


@app.command()
def inspect(
    spec: Annotated[Path, typer.Argument(metavar="FILE", help="An OpenAPI document, YAML or JSON.")],
    server_url: Annotated[str, typer.Option(help="Where the service is, if the document does not say it.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show what a document yields as a tool.

    These are its actions, and every problem with its place. Documents that it refers to are read from its own folder
    and those below.

    Exit code 0: every operation can be called; 1: some cannot; 2: the document cannot be read.
    """
    from openplaybook.cli.inspection import print_report, shows_errors
    from openplaybook.cli.nearby import documents_of
    from openplaybook.cli.output import print_json
    from openplaybook.tools.openapi.description.unreadable import UnreadableDocument
    from openplaybook.tools.openapi.inspect import inspect as inspected
    from openplaybook.tools.openapi.inspect import unreadable
    from openplaybook.tools.openapi.settings import ToolSettings

    text = _read(spec)
    settings = ToolSettings(
        documents=documents_of(spec, text), document_uri=spec.resolve().as_uri(), server_url=server_url
    )

    try:
        report, code = inspected(text, str(spec), settings), None
    except UnreadableDocument as error:
        report, code = unreadable(error, str(spec)), UNREADABLE
    if as_json:
        print_json(report)
    else:
        print_report(report)
    raise typer.Exit(code or int(shows_errors(report)))


def _read(spec: Path) -> str:
    # A path has lost one of the slashes by now.
    if str(spec).startswith(("http:/", "https:/")):
        raise CommandError("inspect reads files, not addresses: save the document first", exit_code=UNREADABLE)
    try:
        return spec.read_text(encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{spec} cannot be read: {error.strerror}", exit_code=UNREADABLE) from error
    except UnicodeDecodeError as error:
        raise CommandError(
            f"{spec} is not UTF-8 text: {error.reason} at byte {error.start}", exit_code=UNREADABLE
        ) from error
