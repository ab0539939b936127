"""`openplaybook doctor`: what works in the running server, or on this machine, and what to do for the rest."""

import os
import platform
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import AsJson, DataDir, ModelName, settings_of

if TYPE_CHECKING:
    from openplaybook.cli.diagnosis import Diagnosis, DoctorFinding
    from openplaybook.cli.shell_differences import ShellDifference
    from openplaybook.jsonvalues import JsonValue
    from openplaybook.server.settings import Settings


def doctor(
    data_dir: DataDir = None,
    model: ModelName = None,
    try_model: Annotated[
        bool,
        typer.Option("--try-model", help="Send the default model one short question, to check its API key."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check what works, and say how to fix what does not. Exit code 1 when a check fails.

    If a server runs on the data directory, it checks itself. The command then also shows where this shell's settings,
    variables and program differ from the server's. If no server runs, or it does not respond within five seconds, the
    command makes the checks itself.
    """
    from openplaybook.cli.diagnosis import diagnose
    from openplaybook.cli.output import print_json

    flags: dict[str, JsonValue] = {"data_dir": data_dir, "model": model}
    settings = settings_of(**flags)
    diagnosis = diagnose(settings, try_model=try_model)
    findings = [*diagnosis.findings, *_of_this_command(has_answered=diagnosis.has_answered)]
    differences = _differences(diagnosis, settings, flags)
    if as_json:
        print_json(
            {
                "server": diagnosis.server_json(),
                "checks": [each.as_json() for each in findings],
                "differences": [each.as_json() for each in differences],
            }
        )
    else:
        _print(diagnosis, findings, differences)
    failed = [each.name for each in findings if not each.ok]
    if failed:
        raise CommandError(f"{len(failed)} of {len(findings)} checks failed: {', '.join(failed)}")


def _of_this_command(*, has_answered: bool) -> "list[DoctorFinding]":
    """What no server can tell: how this command is found, and, where the server looked at its own, its Python."""
    from openplaybook.cli.diagnosis import DoctorFinding

    on_path = shutil.which("openplaybook")
    own = Path(sys.argv[0]).absolute()
    remedy = ""
    if on_path is None:
        detail = f"{own}, not on the PATH"
        remedy = f'export PATH="{own.parent}:$PATH" to start it as openplaybook'
    elif Path(on_path).resolve() != own.resolve():
        detail, remedy = f"{own}; the PATH has another openplaybook, {on_path}", "check which one you start"
    else:
        detail = f"{on_path}, on the PATH"
    command = [DoctorFinding("command", True, detail, remedy, by_server=False)]
    if has_answered:
        python = f"{platform.python_implementation()} {platform.python_version()}, {sys.executable}"
        command.append(DoctorFinding("command's python", True, python, "", by_server=False))
    return command


def _differences(
    diagnosis: "Diagnosis", settings: "Settings", flags: "dict[str, JsonValue]"
) -> "list[ShellDifference]":
    if not diagnosis.has_answered:
        return []
    from openplaybook.cli.shell_differences import differences_from
    from openplaybook.server.doctor.server_program import program_of

    return differences_from(diagnosis.server, settings, flags, os.environ, program_of())


def _print(diagnosis: "Diagnosis", findings: "list[DoctorFinding]", differences: "list[ShellDifference]") -> None:
    from openplaybook.cli.output import harmless

    typer.echo(harmless(diagnosis.server_line))
    width = max(len(each.name) for each in findings)
    for each in findings:
        line = f"{'ok  ' if each.ok else 'FAIL'}  {each.name:<{width}} {each.detail}"
        typer.secho(harmless(line), fg=None if each.ok else "red")
        if each.remedy:
            typer.echo(harmless(f"      {'':<{width}} → {each.remedy}"))
    if differences:
        typer.secho("the server differs from this shell:", bold=True)
    for each in differences:
        typer.echo(harmless(f"  {each.name}: {each.detail}"))
        typer.echo(harmless(f"    → {each.remedy}"))
