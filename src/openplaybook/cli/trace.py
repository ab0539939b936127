"""What a tool did, for people to read."""

import typer

from openplaybook.cli.output import harmless, json_text
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
            typer.echo(harmless(f"  the whole answer: {exchange['responseFile']}"))
    if "error" in execution:
        error = as_object(execution["error"])
        typer.secho(harmless(f"{error.get('code')}: {error.get('message')}"), fg="red")
    if note := as_object(execution.get("trace")).get("note"):
        typer.echo(harmless(f"  {note}"))
    if "outputParameters" in execution:
        # A Struct's members come in no order of their own.
        typer.echo(json_text(execution["outputParameters"], indent=2, sort_keys=True))


def _number(value: JsonValue) -> str:
    """A number without a needless fraction: what went through a Struct is a double."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
