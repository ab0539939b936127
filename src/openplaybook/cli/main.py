"""The `openplaybook` command. What a command needs is imported when it runs, so that `--help` answers at once."""

import gc
import os
import sys

import typer

from openplaybook import __version__
from openplaybook.cli import (
    agent_commands,
    code_commands,
    conversation_commands,
    model_commands,
    openapi_commands,
    secret_commands,
    tool_commands,
)
from openplaybook.cli.chat.command import chat
from openplaybook.cli.connections.commands import connections_app
from openplaybook.cli.connections.connector_commands import connectors_app
from openplaybook.cli.connections.consent_command import authorize_connection
from openplaybook.cli.datastores.commands import app as datastores_app
from openplaybook.cli.doctor_command import doctor
from openplaybook.cli.errors import CommandError
from openplaybook.cli.offline.plan_command import plan
from openplaybook.cli.options import SettingsCommand
from openplaybook.cli.output import harmless
from openplaybook.cli.record_command import record
from openplaybook.cli.replay_command import replay
from openplaybook.cli.server_commands import backup, demo, restore, serve
from openplaybook.models.errors import ModelError
from openplaybook.server.errors import ServerError
from openplaybook.storage.errors import StoreError

_YOUNG = 100_000
"""Objects more than before after which Python looks for garbage. Imports make as many, of which none is garbage: by
Python's own measure, looking for it is an eighth of a server's start."""

app = typer.Typer(
    name="openplaybook",
    help="An open, self-hosted runtime for playbook agents and their tools.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command(cls=SettingsCommand)(serve)
app.command()(demo)
app.command()(chat)
app.command()(record)
app.command()(replay)
app.command()(plan)
app.command()(doctor)
app.command()(backup)
app.command()(restore)
app.add_typer(agent_commands.app, name="agents")
app.add_typer(conversation_commands.app, name="conversations")
app.add_typer(tool_commands.app, name="tools")
app.add_typer(datastores_app, name="datastores")
app.add_typer(connectors_app, name="connectors")
connections_app.command("authorize")(authorize_connection)
app.add_typer(connections_app, name="connections")
app.add_typer(code_commands.app, name="code")
app.add_typer(model_commands.app, name="models")
app.add_typer(secret_commands.secrets_app, name="secrets")
app.add_typer(secret_commands.identity_app, name="identity")
app.add_typer(openapi_commands.app, name="openapi")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"openplaybook {__version__}")
        raise typer.Exit


@app.callback()
def openplaybook(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
) -> None:
    """An open, self-hosted runtime for playbook agents and their tools."""
    from openplaybook.resources.tool_kinds import register_when_asked

    context.color = _colour()
    register_when_asked(_register_tool_kinds)


def _colour() -> bool | None:
    """Whether output is coloured; None: where it goes to a terminal. `NO_COLOR` forbids it (no-color.org)."""
    return False if os.environ.get("NO_COLOR") else None


def _register_tool_kinds() -> None:
    from openplaybook.tools.kind_registry import register

    register()


def main() -> None:
    """Run the command line; what stops a command is said in one sentence on standard error."""
    gc.set_threshold(_YOUNG)
    try:
        app()
    except CommandError as error:
        _fail(error, error.exit_code)
    except (ServerError, StoreError, ModelError) as error:
        _fail(error, 1)
    except BrokenPipeError:
        # Whoever read our output has gone; there is nobody to tell.
        sys.stderr.close()
        sys.exit(141)


def _fail(error: Exception, exit_code: int) -> None:
    typer.secho(f"error: {harmless(str(error))}", fg="red", err=True, color=_colour())
    sys.exit(exit_code)
