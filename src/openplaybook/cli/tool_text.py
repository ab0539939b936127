"""Tools, their actions and what they did, as a person reads them."""

from typing import TYPE_CHECKING

import typer

from openplaybook.cli.output import harmless, json_text
from openplaybook.cli.safe_files import shown_size
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

if TYPE_CHECKING:
    from openplaybook.cli.tool_actions import ListedTool
    from openplaybook.tools.base import Action

_SHOWN = 100
"""Characters of a description, of which the first line counts."""
_INDENT = " " * 6


def show_tool(tool: "ListedTool", *, schemas: bool) -> None:
    """Print a tool: its kind and name, an action a line; beneath each, where asked for, its input schema."""
    typer.secho(harmless(f"{tool.title} ({tool.kind})  {tool.resource['name']}"), bold=True)
    if tool.problem:
        typer.secho(harmless(f"  cannot be used: {tool.problem}"), fg="red")
    elif not tool.actions:
        typer.echo(f"  {'done by the server' if tool.is_servers else 'no action known to this server'}")
    width = max((len(action.action) for action in tool.actions), default=0)
    for action in tool.actions:
        typer.echo(f"  {harmless(action.action.ljust(width))}  {_described(action)}".rstrip())
        if schemas:
            for line in json_text(action.input_schema, indented=True).splitlines():
                typer.echo(f"{_INDENT}{line}")


def _described(action: "Action") -> str:
    """What it does in a line, and who runs it where that is not the server."""
    from openplaybook.tools.base import ExecutionPlace

    first = next(iter(action.description.strip().splitlines()), "")
    text = harmless(first if len(first) <= _SHOWN else f"{first[:_SHOWN]}…")
    return f"{text} (run by the client)".strip() if action.place is ExecutionPlace.CLIENT else text


def print_tool_run(execution: JsonObject, *, is_dry: bool = False) -> None:
    """The answer of ExecuteTool: each request with its answer, then output or error; of a dry run what would be sent
    alone."""
    for exchange in map(as_object, as_list(as_object(execution.get("trace")).get("exchanges"))):
        typer.secho(harmless(f"→ {exchange.get('method')} {exchange.get('url')}"), fg="cyan")
        if exchange.get("requestBody"):
            typer.echo(harmless(f"  {exchange['requestBody']}"))
        if is_dry:
            continue
        outcome = exchange.get("error") or exchange.get("status")
        typer.secho(f"← {harmless(_number(outcome))}  {_number(exchange.get('elapsedMs', 0))} ms", fg="cyan")
        if exchange.get("responseFile"):
            typer.echo(harmless(f"  the whole response: {exchange['responseFile']}"))
    if "error" in execution:
        error = as_object(execution["error"])
        typer.secho(harmless(f"{error.get('code')}: {error.get('message')}"), fg="red")
    if note := as_object(execution.get("trace")).get("note"):
        typer.echo(harmless(f"  {note}"))
    if "outputParameters" in execution and not is_dry:
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
