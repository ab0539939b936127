"""Tools and their actions as a person reads them."""

import typer

from openplaybook.cli.output import harmless, json_text
from openplaybook.cli.tool_actions import ListedTool
from openplaybook.tools.base import Action, ExecutionPlace

_SHOWN = 100
"""Characters of a description, of which the first line counts."""
_INDENT = " " * 6


def show_tool(tool: ListedTool, *, schemas: bool) -> None:
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


def _described(action: Action) -> str:
    """What it does in a line, and who runs it where that is not the server."""
    first = next(iter(action.description.strip().splitlines()), "")
    text = harmless(first if len(first) <= _SHOWN else f"{first[:_SHOWN]}…")
    return f"{text} (run by the client)".strip() if action.place is ExecutionPlace.CLIENT else text
