"""One execution of `openplaybook code run`: what the command line asks for, the run, and what is printed of it."""

import asyncio
import os
import sys
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import settings_of
from openplaybook.cli.output import harmless, print_json, progress
from openplaybook.cli.safe_files import shown_name, shown_size
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.sandbox.base import (
    MAX_WALL_S,
    CodeFile,
    Ended,
    Execution,
    ExecutionLimits,
    InvalidRequest,
    Request,
    SandboxFailed,
    SandboxUnavailable,
)
from openplaybook.sandbox.executor_settings import create_executor
from openplaybook.server.code_execution import executor_settings
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.server.transports import LateTransport

_NOT_RUN = 2
_MIB = 1024 * 1024
_PATIENCE_S = 2
_STANDARD_INPUT = "-"
_RAISED_BY = {
    Ended.TIME: "--timeout gives it more time",
    Ended.CPU: "--timeout gives it more time",
    Ended.MEMORY: "--memory gives it more",
    Ended.PROCESSES: "--processes allows more",
}
"""The option that raises a limit."""


@dataclass(frozen=True, slots=True)
class CodeOptions:
    """What the command line says; None where it says nothing."""

    code: str
    files: Sequence[CodeFile]
    timeout_s: float | None
    memory_mb: int | None
    processes: int | None

    def limits(self, settled: ExecutionLimits) -> ExecutionLimits:
        """Those of the settings, changed by the options. Raises `CommandError`."""
        wall_s = settled.wall_s if self.timeout_s is None else self.timeout_s
        if not 0 < wall_s <= MAX_WALL_S:
            raise CommandError(
                f"--timeout must be above 0 and at most {MAX_WALL_S:g}, not {wall_s:g}", exit_code=_NOT_RUN
            )
        memory = settled.memory_bytes if self.memory_mb is None else self.memory_mb * _MIB
        processes = settled.processes if self.processes is None else self.processes
        if memory <= 0 or processes < 0:
            raise CommandError("--memory must be above 0, --processes at least 0", exit_code=_NOT_RUN)
        threads = max(settled.threads, 2 * processes)
        cpu_s = settled.cpu_s if self.timeout_s is None else wall_s
        return replace(settled, wall_s=wall_s, cpu_s=cpu_s, memory_bytes=memory, processes=processes, threads=threads)


def code_settings() -> Settings:
    """What variables and the configuration file say. Raises `CommandError`."""
    try:
        return settings_of()
    except SettingsError as error:
        raise CommandError(str(error), exit_code=_NOT_RUN) from error


def make_folder(folder: Path) -> None:
    """So that what cannot be saved is known before the code runs. Raises `CommandError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise CommandError(f"--output-dir {folder}: is not a folder", exit_code=_NOT_RUN) from error
    except OSError as error:
        raise CommandError(f"--output-dir {folder}: {error.strerror}", exit_code=_NOT_RUN) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise CommandError(f"--output-dir {folder}: is not writable", exit_code=_NOT_RUN)


def read_code(file: str) -> str:
    """The code of a file, or of standard input for `-`. Raises `CommandError`."""
    try:
        data = sys.stdin.buffer.read() if file == _STANDARD_INPUT else Path(file).read_bytes()
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}", exit_code=_NOT_RUN) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandError(f"{file} is not UTF-8: {error.reason} at byte {error.start}", exit_code=_NOT_RUN) from error


def read_files(paths: Sequence[Path]) -> Sequence[CodeFile]:
    """Each under its own name. Raises `CommandError`."""
    try:
        return [CodeFile(path.name, path.read_bytes()) for path in paths]
    except OSError as error:
        raise CommandError(f"--input-file {error.filename}: {error.strerror}", exit_code=_NOT_RUN) from error


def execute_code(options: CodeOptions, settings: Settings) -> Execution:
    """What came of it, in the executor that the settings name; a sandbox is made for it alone, and ended.

    Raises `CommandError` where there is none, or it takes no such request.
    """
    try:
        return asyncio.run(_executed(options, settings))
    except (InvalidRequest, SandboxUnavailable, SandboxFailed) as error:
        raise CommandError(str(error), exit_code=_NOT_RUN) from error
    except ValueError as error:
        raise CommandError(f"code_executor={settings.code_executor}: {error}", exit_code=_NOT_RUN) from error


async def _executed(options: CodeOptions, settings: Settings) -> Execution:
    usual = executor_settings(settings)
    limits = options.limits(usual.limits)
    # It runs once: importing libraries ahead of the code that may not need them would only take time.
    once = replace(usual, limits=limits, preload=(), ready=1, concurrency=1, keeps_sessions=False)
    way_out = LateTransport(AddressPolicy(parse_allow("0.0.0.0/0,::/0")))
    executor = create_executor(once, os.environ, way_out)
    if executor is None:
        raise SandboxUnavailable("code execution is switched off by code_executor")
    clock = asyncio.create_task(_tell_time(limits.wall_s))
    try:
        return await executor.execute(Request(code=options.code, files=options.files, limits=limits))
    finally:
        clock.cancel()
        await asyncio.gather(clock, return_exceptions=True)
        await executor.aclose()
        await way_out.aclose()


async def _tell_time(most_s: float) -> None:
    """How long the code has run, for who waits at a terminal; nothing of what is done at once."""
    await asyncio.sleep(_PATIENCE_S)
    with progress() as tell:
        for seconds in count(_PATIENCE_S):
            tell(f"running for {seconds} s of at most {most_s:g} s")
            await asyncio.sleep(1)


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
    if execution.ended in _RAISED_BY:
        typer.echo(_RAISED_BY[execution.ended], err=True)


def _print_left_out(execution: Execution) -> None:
    if execution.dropped and execution.ended is not Ended.OUTPUT:
        typer.secho(f"{shown_size(execution.dropped)} of output beyond the limit are not shown", fg="yellow", err=True)
    for skipped in execution.skipped:
        typer.secho(f"left out {shown_name(skipped.name)}: {skipped.reason}", fg="yellow", err=True)
