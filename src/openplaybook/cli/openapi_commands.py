"""`openplaybook openapi`: look into OpenAPI documents, and write them from samples, without a server."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import AsJson, ModelName, settings_of

if TYPE_CHECKING:
    from openplaybook.drafting.schema_generation import Assignment, GeneratedSchema

app = typer.Typer(help="Inspect OpenAPI documents, and generate them.", no_args_is_help=True)

BAD_INPUT = 2
"""Exit code when a document, a sample or an option cannot be used."""


@app.callback()
def openapi() -> None:
    """Inspect OpenAPI documents, and generate them."""


@app.command()
def generate(
    url: Annotated[str, typer.Option(help="URL of a sample request, with its query string.")] = "",
    method: Annotated[str, typer.Option(help="Method of the request.")] = "GET",
    header: Annotated[
        list[str] | None, typer.Option(metavar="NAME:VALUE", help="Header of the request. May be repeated.")
    ] = None,
    request: Annotated[str, typer.Option(metavar="FILE", help="File with the request body; - is standard input.")] = "",
    response: Annotated[
        str, typer.Option(metavar="FILE", help="File with the response body; - is standard input.")
    ] = "",
    status: Annotated[int, typer.Option(help="Status of the response.")] = 200,
    sample: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help='JSON file: {"url", "method", "headers", "requestBody", "responseBody", "status"}, or a list. '
            "May be repeated.",
        ),
    ] = None,
    har: Annotated[Path | None, typer.Option(metavar="FILE", help="HTTP archive (HAR), as browsers save it.")] = None,
    only: Annotated[str, typer.Option(metavar="PREFIX", help="From the archive, only URLs that start with this.")] = "",
    prompt: Annotated[str, typer.Option(help="What the API does, in words.")] = "",
    into: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Existing schema to add to; -o may name the same file.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File to write; .json gives JSON.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output file.")] = False,
    model: ModelName = None,
    as_json: AsJson = False,
) -> None:
    """Write an OpenAPI schema from samples of an API's requests and responses.

    Without a model, the schema is inferred from the samples. Remarks go to standard error.

    Exit code 0: a schema was written; 1: the model failed, or the file cannot be written; 2: a sample, a schema or an
    option cannot be used.
    """
    from openplaybook.cli.output import harmless, print_json
    from openplaybook.cli.sample_options import SampleOptions, read_samples, text_of, write_schema
    from openplaybook.drafting.schema_generation import Assignment

    may_replace = force or (output is not None and into is not None and output.resolve() == into.resolve())
    if output is not None and output.exists() and not may_replace:
        raise CommandError(f"{output} exists; give --force, or merge with --into {output}", exit_code=BAD_INPUT)
    options = SampleOptions(url, method, tuple(header or ()), request, response, status, tuple(sample or ()), har, only)
    samples, notes = read_samples(options)
    schema = text_of(into) if into is not None else ""
    generated = _generated(Assignment(samples, prompt, schema), settings_of(model=model).model)
    remarks = [*notes, *generated.remarks]
    for remark in remarks:
        typer.secho(harmless(f"note: {remark}"), fg="yellow", err=True)
    if output is not None:
        write_schema(generated.schema, output)
    if as_json:
        print_json({"schema": generated.schema, "usedModel": generated.used_model, "remarks": remarks})
    elif output is None:
        typer.echo(generated.schema, nl=False)


def _generated(assignment: "Assignment", specification: str) -> "GeneratedSchema":
    import asyncio

    from openplaybook.drafting.errors import GenerationError, UnusableAnswers
    from openplaybook.drafting.schema_generation import generate as infer

    try:
        if specification == "offline":
            return infer(assignment)
        return asyncio.run(_generated_with_model(assignment, specification))
    except UnusableAnswers as error:
        raise CommandError(str(error)) from error
    except GenerationError as error:
        raise CommandError(str(error), exit_code=BAD_INPUT) from error


async def _generated_with_model(assignment: "Assignment", specification: str) -> "GeneratedSchema":
    from openplaybook.cli.output import harmless
    from openplaybook.drafting.draft_dialogue import generate_with
    from openplaybook.models.model_registry import create_model

    def tell(sentence: str) -> None:
        typer.secho(harmless(f"… {sentence}"), fg="bright_black", err=True)

    model = create_model(specification, os.environ)
    try:
        return await generate_with(model, assignment, tell)
    finally:
        await model.aclose()


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
    from openplaybook.cli.output import print_json, progress
    from openplaybook.documents.errors import UnreadableDocument
    from openplaybook.tools.openapi.description_report import unreadable

    try:
        with progress() as tell:
            inspection = inspect_document(spec, _read(spec), server_url, tell)
    except UnreadableDocument as error:
        report = unreadable(error, str(spec))
        (print_json if as_json else print_unreadable)(report)
        raise typer.Exit(BAD_INPUT) from None
    (print_inspection_as_json if as_json else print_inspection)(inspection)
    raise typer.Exit(int(any(problem.is_error for problem in inspection.problems)))


def _read(spec: Path) -> str:
    # A path has lost one of the slashes by now.
    if str(spec).startswith(("http:/", "https:/")):
        raise CommandError("inspect reads files, not URLs: download the document first", exit_code=BAD_INPUT)
    try:
        return spec.read_text(encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{spec} cannot be read: {error.strerror}", exit_code=BAD_INPUT) from error
    except UnicodeDecodeError as error:
        raise CommandError(
            f"{spec} is not UTF-8 text: {error.reason} at byte {error.start}", exit_code=BAD_INPUT
        ) from error
