"""`openplaybook openapi generate`: a schema from samples, without a server."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import AsJson, ModelName, settings_of

if TYPE_CHECKING:
    from openplaybook.drafting.schema_generation import Assignment, GeneratedSchema

BAD_INPUT = 2
"""Exit code when what was given cannot be used."""


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
    from openplaybook.cli.sample_options import SampleOptions, read_samples, write_schema
    from openplaybook.drafting.schema_generation import Assignment

    may_replace = force or (output is not None and into is not None and output.resolve() == into.resolve())
    if output is not None and output.exists() and not may_replace:
        raise CommandError(f"{output} exists; give --force, or merge with --into {output}", exit_code=BAD_INPUT)
    given = SampleOptions(url, method, tuple(header or ()), request, response, status, tuple(sample or ()), har, only)
    samples, notes = read_samples(given)
    schema = _read(into) if into is not None else ""
    made = _made(Assignment(samples, prompt, schema), settings_of(model=model).model)
    for remark in [*notes, *made.remarks]:
        typer.secho(harmless(f"note: {remark}"), fg="yellow", err=True)
    if output is not None:
        write_schema(made.schema, output)
    if as_json:
        print_json({"schema": made.schema, "usedModel": made.used_model, "remarks": [*notes, *made.remarks]})
    elif output is None:
        typer.echo(made.schema, nl=False)


def _made(assignment: "Assignment", specification: str) -> "GeneratedSchema":
    import asyncio

    from openplaybook.drafting.errors import GenerationError, UnusableAnswers
    from openplaybook.drafting.schema_generation import generate as inferred

    try:
        return inferred(assignment) if specification == "offline" else asyncio.run(_asked(assignment, specification))
    except UnusableAnswers as error:
        raise CommandError(str(error)) from error
    except GenerationError as error:
        raise CommandError(str(error), exit_code=BAD_INPUT) from error


async def _asked(assignment: "Assignment", specification: str) -> "GeneratedSchema":
    import os

    from openplaybook.drafting.draft_dialogue import generate_with
    from openplaybook.models.model_registry import create_model

    model = create_model(specification, os.environ)
    try:
        return await generate_with(model, assignment, _progress)
    finally:
        await model.aclose()


def _progress(sentence: str) -> None:
    from openplaybook.cli.output import harmless

    typer.secho(harmless(f"… {sentence}"), fg="bright_black", err=True)


def _read(path: Path) -> str:
    from openplaybook.cli.sample_options import text_of

    return text_of(path)
