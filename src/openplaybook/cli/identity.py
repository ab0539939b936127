"""`openplaybook identity`: who the server is to the services that tools call."""

import typer

from openplaybook.cli.options import DataDir

app = typer.Typer(help="Manage the key with which the server signs tokens for tools.", no_args_is_help=True)


@app.callback()
def identity() -> None:
    """Manage the key with which the server signs tokens for tools."""


@app.command("rotate")
def rotate(data_dir: DataDir = None) -> None:
    """Create a new key to sign the tokens of service agents.

    Services can verify tokens of the old key for two more days. Stop the server first; while it runs, it creates a new
    key every 90 days.
    """
    import asyncio
    import os

    from openplaybook.cli.options import settings_of
    from openplaybook.server.configured_credentials import rotate_signing_key

    typer.echo(f"signing with {asyncio.run(rotate_signing_key(settings_of(data_dir=data_dir), os.environ))}")
