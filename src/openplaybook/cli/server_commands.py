"""`openplaybook serve`, `demo`, `backup` and `restore`: servers that run until they are stopped, and their data."""

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openplaybook import __version__
from openplaybook.cli.options import DataDir, Flags, settings_of, with_settings
from openplaybook.cli.output import progress
from openplaybook.server.settings import SETTINGS, Settings, load_settings

if TYPE_CHECKING:
    from openplaybook.cli.demo_server import RunningDemo
    from openplaybook.server.lifecycle import RunningServer

_DEMO_DEFAULTS = {"log_level": "warning"}
"""A line for each request would bury what a person is told."""


BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup, a .tar.gz file.")]


@with_settings(*SETTINGS)
def serve(flags: Flags) -> None:
    """Run the server: the API over REST and gRPC.

    Every option can also be set as a variable OPENPLAYBOOK_… or in openplaybook.toml.
    """
    from openplaybook.server.lifecycle import run

    run(load_settings(flags, os.environ), _announce)


@with_settings("host", "port", "grpc_port", "data_dir", "model", "sqlite_files", "log_level", defaults=_DEMO_DEFAULTS)
def demo(flags: Flags) -> None:
    """Run the demo agent and the pets service that it calls.

    The agent keeps a register of pets. Its tool calls a real HTTP service on this machine.
    """
    from openplaybook.cli.demo_server import run_demo

    run_demo(load_settings(flags, os.environ, defaults=_DEMO_DEFAULTS), _announce_demo)


def backup(
    file: BackupFile,
    with_master_key: Annotated[
        bool,
        typer.Option("--with-master-key", help="Include the master key: whoever has the file can read all secrets."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Back up all data to a file. The server can keep running."""
    from openplaybook.server.backups.backup_writer import back_up

    with progress() as tell:
        manifest = back_up(settings_of(data_dir=data_dir), file, with_key=with_master_key, force=force, tell=tell)
    typer.echo(f"{file}: {file.stat().st_size:,} bytes, schema {manifest.schema}, {manifest.created}")
    if not manifest.has_key:
        typer.echo(
            "The master key is not in the backup. Keep it separately: without it, secrets cannot be read.", err=True
        )


def restore(
    file: BackupFile,
    force: Annotated[bool, typer.Option("--force", help="Replace existing data; they are moved aside.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Restore all data from a backup. Stop the server first."""
    import asyncio

    from openplaybook.server.backups.restoration import restore as put_back

    settings = settings_of(data_dir=data_dir)
    done = asyncio.run(put_back(settings, file, force=force))
    typer.echo(f"{settings.data_dir}: restored to {done.manifest.created}")
    if done.aside is not None:
        typer.echo(f"The previous data are in {done.aside}.")
    if done.objection:
        typer.echo(f"The server will not start yet: {done.objection}", err=True)


async def _announce(server: "RunningServer") -> None:
    typer.echo(f"OpenPlaybook {__version__} is ready.\n")
    _print_facts(server)


def _announce_demo(running: "RunningDemo") -> None:
    typer.echo(f'OpenPlaybook {__version__} with the demo agent "{running.title}" is ready.\n')
    _print_facts(running.server, ("Agent", running.agent), ("Pets", f"{running.pets_service}/v1/pets"))
    body = '{"queryInput": {"text": {"text": "show me pet 3"}, "languageCode": "en"}}'
    typer.echo("\nTalk to it in another terminal:\n")
    # The command as the user started it.
    command = shlex.quote(sys.argv[0]) if sys.argv[0].endswith("openplaybook") else "openplaybook"
    typer.echo(f"  {command} chat {running.title}{_data_dir_option(running.server.settings)}")
    typer.echo(f"  curl -s {running.server.http}/v3/{running.agent}/sessions/1:detectIntent -d '{body}'")


def _print_facts(server: "RunningServer", *more: tuple[str, str]) -> None:
    """Print the server's addresses and parts, and `more` facts beneath them."""
    from openplaybook.console.site import ROOT
    from openplaybook.server.stores import place_of

    settings = server.settings
    address = settings.public_url or server.http
    facts = [
        ("Console", f"{address.rstrip('/')}{ROOT}/"),
        ("REST", address),
        ("gRPC", server.grpc),
        ("Model", settings.model),
        ("Data", place_of(settings) or str(settings.data_dir)),
        *more,
    ]
    for name, value in facts:
        typer.echo(f"  {name:<7} {value}")


def _data_dir_option(settings: Settings) -> str:
    """What leads a command to this data directory; nothing where it goes there anyway."""
    usual = load_settings({}, os.environ).data_dir
    return "" if settings.data_dir == usual else f" --data-dir {shlex.quote(str(settings.data_dir))}"
