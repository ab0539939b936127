"""`openplaybook code`: Python in the sandbox, without an agent."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openplaybook.cli.options import AsJson
from openplaybook.server.settings import SETTINGS

if TYPE_CHECKING:
    from openplaybook.sandbox.base import Execution

app = typer.Typer(help="Run Python in the sandbox.", no_args_is_help=True)


@app.callback()
def code() -> None:
    """Run Python in the sandbox."""


@app.command()
def run(
    file: Annotated[str, typer.Argument(metavar="[FILE]", help="File with the code; - or none: standard input.")] = "-",
    input_file: Annotated[
        list[Path] | None, typer.Option(metavar="PATH", help="File that the code can read. May be repeated.")
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Time limit.", show_default=SETTINGS["code_timeout"].default),
    ] = None,
    memory: Annotated[
        int | None, typer.Option(metavar="MB", help="Memory limit.", show_default=SETTINGS["code_memory_mb"].default)
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            help="Child processes that it may have.",
            show_default=SETTINGS["code_processes"].default,
        ),
    ] = None,
    output_dir: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Save the files that the code writes here.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run code once, and show its output, its errors and the files that it wrote.

    The code finds its input files in its working directory. It has no network and no other files of yours. Exit code 1
    when the code fails or reaches a limit, 2 when it cannot be run.
    """
    from openplaybook.cli.code_run import (
        CodeOptions,
        code_settings,
        execute_code,
        make_folder,
        print_execution,
        print_execution_json,
        read_code,
        read_files,
    )

    settings, code = code_settings(), read_code(file)
    options = CodeOptions(code, read_files(input_file or []), timeout, memory, processes)
    if output_dir is not None:
        make_folder(output_dir)
    execution = execute_code(options, settings)
    if as_json:
        print_execution_json(code, execution)
    else:
        print_execution(execution, saves=output_dir is not None)
    if output_dir is not None:
        _save_files(execution, output_dir, is_quiet=as_json)
    raise typer.Exit(0 if execution.succeeded else 1)


def _save_files(execution: "Execution", output_dir: Path, *, is_quiet: bool) -> None:
    from openplaybook.cli.safe_files import safe_name, save_file

    for file in execution.files:
        *folders, name = file.name.split("/")
        path = save_file(output_dir.joinpath(*map(safe_name, folders)), name, file.data)
        if not is_quiet:
            typer.echo(f"saved {path}", err=True)
