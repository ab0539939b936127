"""What came of an execution, for people and for programs."""

from base64 import b64encode

import typer

from openplaybook.cli.output import harmless, print_json
from openplaybook.cli.safe_files import shown_name, shown_size
from openplaybook.sandbox.base import Ended, Execution

_MORE = {
    Ended.TIME: "--timeout gives it more time",
    Ended.CPU: "--timeout gives it more time",
    Ended.MEMORY: "--memory gives it more",
    Ended.PROCESSES: "--processes allows more",
}
"""What raises a limit."""


def print_execution_json(code: str, execution: Execution) -> None:
    """The fields of the Code Interpreter's output, every text exactly as it is; what they do not hold is told on
    standard error."""
    files = [{"name": file.name, "contents": b64encode(file.data).decode()} for file in execution.files]
    print_json(
        {
            "execution_result": execution.stdout,
            "execution_error": execution.error(),
            "output_files": files,
            "generated_code": code,
        }
    )
    _print_left_out(execution)


def print_execution(execution: Execution, *, saves: bool) -> None:
    """Results on standard output, all else on standard error; nothing in them steers a terminal."""
    if execution.stdout:
        typer.echo(harmless(execution.stdout.removesuffix("\n")))
    error = execution.error()
    if error:
        typer.secho(harmless(error.rstrip("\n")), fg="yellow" if execution.succeeded else "red", err=True)
    for file in execution.files:
        typer.secho(f"wrote {shown_name(file.name)} ({shown_size(len(file.data))})", fg="cyan", err=True)
    _print_left_out(execution)
    if execution.files and not saves:
        typer.echo("the files were not saved: name a folder with --output-dir", err=True)
    if execution.ended in _MORE:
        typer.echo(_MORE[execution.ended], err=True)


def _print_left_out(execution: Execution) -> None:
    if execution.dropped and execution.ended is not Ended.OUTPUT:
        typer.secho(f"{shown_size(execution.dropped)} of output beyond the limit are not shown", fg="yellow", err=True)
    for skipped in execution.skipped:
        typer.secho(f"left out {shown_name(skipped.name)}: {skipped.reason}", fg="yellow", err=True)
