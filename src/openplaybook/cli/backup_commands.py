"""`openplaybook backup` and `restore`: the server's data in one file, and back."""

from pathlib import Path
from typing import Annotated

import typer

from openplaybook.cli.options import DataDir, settings_of
from openplaybook.cli.output import progress

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup, a .tar.gz file.")]


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
