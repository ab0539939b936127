"""`openplaybook identity`: who the server is to the services that tools call."""

import typer

from openplaybook.cli.options import DataDir

app = typer.Typer(help="Who the server is to the services that tools call.", no_args_is_help=True)


@app.callback()
def identity() -> None:
    """Who the server is to the services that tools call."""


@app.command("rotate")
def rotate(data_dir: DataDir = None) -> None:
    """Sign the tokens of service agents with a new key from now on.

    The old one can still be verified with for two days. No server may run on the data directory meanwhile; one that
    runs makes a new key by itself every 90 days.
    """
    import asyncio
    import os

    from openplaybook.cli.options import settings_of
    from openplaybook.server.identity import rotate_signing_key

    typer.echo(f"signing with {asyncio.run(rotate_signing_key(settings_of(data_dir=data_dir), os.environ))}")
