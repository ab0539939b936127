"""`openplaybook serve` and `demo`: servers that run until they are stopped, and what they say when they are ready."""

import os
import shlex
import sys
from typing import TYPE_CHECKING

import typer

from openplaybook import __version__
from openplaybook.cli.options import Flags, with_settings
from openplaybook.server.settings import SETTINGS, Settings, load_settings

if TYPE_CHECKING:
    from openplaybook.cli.demo_server import RunningDemo
    from openplaybook.server.lifecycle import RunningServer

_DEMO_DEFAULTS = {"log_level": "warning"}
"""A line for each request would bury what a person is told."""


@with_settings(*SETTINGS)
def serve(flags: Flags) -> None:
    """Run the server: the API over REST and gRPC.

    Every option can also be set as a variable OPENPLAYBOOK_… or in openplaybook.toml.
    """
    from openplaybook.server.lifecycle import run

    run(load_settings(flags, os.environ), _announce)


@with_settings("host", "port", "grpc_port", "data_dir", "model", "log_level", defaults=_DEMO_DEFAULTS)
def demo(flags: Flags) -> None:
    """Run the demo agent and the pets service that it calls.

    The agent keeps a register of pets. Its tool calls a real HTTP service on this machine.
    """
    from openplaybook.cli.demo_server import run_demo

    run_demo(load_settings(flags, os.environ, defaults=_DEMO_DEFAULTS), _announce_demo)


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
    from openplaybook.server.stores import place_of

    settings = server.settings
    facts = [
        ("REST", settings.public_url or server.http),
        ("gRPC", server.grpc),
        ("Model", settings.model),
        ("Data", place_of(settings) or str(settings.data_dir)),
        *more,
    ]
    for name, value in facts:
        typer.echo(f"  {name:<6} {value}")


def _data_dir_option(settings: Settings) -> str:
    """What leads a command to this data directory; nothing where it goes there anyway."""
    usual = load_settings({}, os.environ).data_dir
    return "" if settings.data_dir == usual else f" --data-dir {shlex.quote(str(settings.data_dir))}"
