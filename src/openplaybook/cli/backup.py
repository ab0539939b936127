"""`openplaybook backup` and `restore`: the server's data in one file, and back."""

from pathlib import Path
from typing import Annotated

import typer

from openplaybook.cli.options import DataDir, settings_of
from openplaybook.cli.progress import progress

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup, a .tar.gz file.")]


def backup(
    file: BackupFile,
    with_master_key: Annotated[
        bool, typer.Option("--with-master-key", help="Put the master key in: who has the file can open all secrets.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Write all data into a file, as they are at one moment; a server that runs goes on."""
    from openplaybook.server.backups.saving import back_up

    with progress() as tell:
        manifest = back_up(settings_of(data_dir=data_dir), file, with_key=with_master_key, force=force, tell=tell)
    typer.echo(f"{file}: {file.stat().st_size:,} bytes, schema {manifest.schema}, {manifest.created}")
    if not manifest.has_key:
        typer.echo("The master key is not in it. Keep that apart: without it secrets cannot be opened.", err=True)


def restore(
    file: BackupFile,
    force: Annotated[bool, typer.Option("--force", help="Replace data that are there; they are kept aside.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Make the data what they were when the backup was taken. No server may run on them meanwhile."""
    import asyncio

    from openplaybook.server.backups.restoring import restore as put_back

    settings = settings_of(data_dir=data_dir)
    done = asyncio.run(put_back(settings, file, force=force))
    typer.echo(f"{settings.data_dir}: the data of {done.manifest.created}")
    if done.aside is not None:
        typer.echo(f"The data of before are in {done.aside}.")
    if done.objection:
        typer.echo(f"The server will not start yet: {done.objection}", err=True)
