"""What a server says on standard output when it is ready."""

import typer

from openplaybook import __version__
from openplaybook.server.lifecycle import RunningServer
from openplaybook.server.stores import place_of


async def announce(running: RunningServer) -> None:
    """Where the server is and what it runs on; printed once it takes requests."""
    typer.echo(f"OpenPlaybook {__version__} is ready.\n")
    print_facts(running)


def print_facts(running: RunningServer, *more: tuple[str, str]) -> None:
    """The server's addresses and parts, and `more` facts beneath them."""
    facts = [
        ("REST", running.settings.public_url or running.http),
        ("gRPC", running.grpc),
        ("Model", running.settings.model),
        ("Data", place_of(running.settings) or str(running.settings.data_dir)),
        *more,
    ]
    for name, value in facts:
        typer.echo(f"  {name:<6} {value}")
