"""The report on an OpenAPI document, for people to read."""

from collections.abc import Sequence

import typer

from openplaybook.cli.output import harmless, print_rows
from openplaybook.jsonvalues import JsonObject, as_list, as_object

_COLOURS = {"error": "red", "warning": "yellow"}


def print_report(report: JsonObject) -> None:
    """The actions that can be called, then every problem with its place, then a sentence that counts both."""
    actions = [as_object(action) for action in as_list(report["actions"])]
    callable_ = [action for action in actions if not _errors(action)]
    if callable_:
        print_rows([(str(action["name"]), str(action["method"]).upper(), str(action["path"])) for action in callable_])
    for problem in _problems(report):
        place = str(problem["path"]) + (f" (line {problem['line']})" if problem.get("line") else "")
        severity = str(problem["severity"])
        typer.secho(harmless(f"{severity}: {place}: {problem['message']}"), fg=_COLOURS.get(severity))
    count = f"{len(callable_)} of {len(actions)} operations can be called" if actions else "no operations"
    typer.echo(f"{report['document']}: {count}.")


def shows_errors(report: JsonObject) -> bool:
    """Whether anything in the document cannot be used."""
    return bool(_errors(report))


def _errors(reported: JsonObject) -> Sequence[JsonObject]:
    return [problem for problem in _problems(reported) if problem["severity"] == "error"]


def _problems(reported: JsonObject) -> Sequence[JsonObject]:
    return [as_object(problem) for problem in as_list(reported["problems"])]
