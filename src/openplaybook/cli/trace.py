"""What a tool did, for people to read."""

import typer

from openplaybook.cli.output import harmless, json_text
from openplaybook.cli.safe_files import shown_size
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object


def print_execution(execution: JsonObject) -> None:
    """The answer of ExecuteTool: each request with its answer, then output or error."""
    for exchange in map(as_object, as_list(as_object(execution.get("trace")).get("exchanges"))):
        typer.secho(harmless(f"→ {exchange.get('method')} {exchange.get('url')}"), fg="cyan")
        if exchange.get("requestBody"):
            typer.echo(harmless(f"  {exchange['requestBody']}"))
        outcome = exchange.get("error") or exchange.get("status")
        typer.secho(f"← {harmless(_number(outcome))}  {_number(exchange.get('elapsedMs', 0))} ms", fg="cyan")
        if exchange.get("responseFile"):
            typer.echo(harmless(f"  the whole response: {exchange['responseFile']}"))
    if "error" in execution:
        error = as_object(execution["error"])
        typer.secho(harmless(f"{error.get('code')}: {error.get('message')}"), fg="red")
    if note := as_object(execution.get("trace")).get("note"):
        typer.echo(harmless(f"  {note}"))
    if "outputParameters" in execution:
        # A Struct's members come in no order of their own.
        output = {name: _shortened(value) for name, value in as_object(execution["outputParameters"]).items()}
        typer.echo(json_text(output, indented=True, sort_keys=True))


def _shortened(value: JsonValue) -> JsonValue:
    """An output whose files, where it has any, are told by their size."""
    members = as_object(value)
    files = as_list(members.get("output_files"))
    return {**members, "output_files": [_without_contents(as_object(file)) for file in files]} if files else value


def _without_contents(file: JsonObject) -> JsonObject:
    contents = file.get("contents")
    if not isinstance(contents, str) or not contents:
        return file
    size = len(contents) * 3 // 4 - contents[-2:].count("=")
    return {**file, "contents": f"{shown_size(size)}; --json shows them in base64"}


def _number(value: JsonValue) -> str:
    """A number without a needless fraction: what went through a Struct is a double."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
