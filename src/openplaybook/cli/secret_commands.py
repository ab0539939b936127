"""`openplaybook secrets` and `identity`: what tools need to know and nobody may read, and the key that signs tokens."""

import os
import sys
from base64 import b64encode
from typing import Annotated

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import AsJson, DataDir, settings_of
from openplaybook.jsonvalues import JsonObject, as_list, as_object

secrets_app = typer.Typer(help="Store secrets for tools, encrypted.", no_args_is_help=True)
identity_app = typer.Typer(help="Manage the key with which the server signs tokens for tools.", no_args_is_help=True)

SecretNameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="Full name of the secret: projects/PROJECT/secrets/SECRET.")
]


@secrets_app.command("set")
def set_secret(name: SecretNameArgument, data_dir: DataDir = None) -> None:
    """Store a value as the newest version of a secret, and print that version's name.

    The value comes from standard input. On a terminal, the command asks for it and does not show it.
    """
    from openplaybook.cli.access import server_api

    _check_name(name)
    value = _value()
    with server_api(data_dir=data_dir) as api:
        added = api.post(f"v1/{name}:addVersion", {"payload": {"data": b64encode(value).decode("ascii")}})
    typer.echo(added["name"])


@secrets_app.command("list")
def list_secrets(
    project: Annotated[str, typer.Argument(metavar="[PROJECT]", help="Only secrets of this project.")] = "-",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """List secrets and their versions. Values are never shown."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.output import print_json, print_rows

    with server_api(data_dir=data_dir) as api:
        listed = api.get(f"v1/projects/{project.removeprefix('projects/')}/secrets")
    secrets = [as_object(secret) for secret in as_list(listed.get("secrets"))]
    if as_json:
        print_json({"secrets": secrets})
    elif secrets:
        print_rows([row for secret in secrets for row in _rows(secret)])


@secrets_app.command("delete")
def delete_secret(
    name: SecretNameArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Delete a secret with all its versions."""
    from openplaybook.cli.access import server_api

    _check_name(name)
    if not yes and not typer.confirm(f"Delete {name} with all its versions?"):
        raise CommandError("nothing was deleted")
    with server_api(data_dir=data_dir) as api:
        api.delete(f"v1/{name}")


@secrets_app.command("reseal")
def reseal_secrets(data_dir: DataDir = None) -> None:
    """Encrypt everything again with the first master key, so that older keys can be removed.

    Stop the server first.
    """
    import asyncio

    from openplaybook.server.offline_data import reseal

    count = asyncio.run(reseal(settings_of(data_dir=data_dir), os.environ))
    typer.echo(f"records encrypted again: {count}")


@identity_app.callback()
def identity() -> None:
    """Manage the key with which the server signs tokens for tools."""


@identity_app.command("rotate")
def rotate(data_dir: DataDir = None) -> None:
    """Create a new key to sign the tokens of service agents.

    Services can verify tokens of the old key for two more days. Stop the server first; while it runs, it creates a new
    key every 90 days.
    """
    import asyncio

    from openplaybook.server.offline_data import rotate_signing_key

    typer.echo(f"signing with {asyncio.run(rotate_signing_key(settings_of(data_dir=data_dir), os.environ))}")


def _check_name(name: str) -> None:
    from openplaybook.resources.errors import InvalidName
    from openplaybook.resources.secret_names import SecretName

    try:
        SecretName.parse(name)
    except InvalidName as error:
        raise CommandError(
            f"{name!r} is not the name of a secret; write projects/PROJECT/secrets/SECRET", exit_code=2
        ) from error


def _value() -> bytes:
    """The secret in UTF-8. A line break at its end is what `echo` and editors put there."""
    if sys.stdin.isatty():
        return str(typer.prompt("Value", hide_input=True)).encode()
    typed = sys.stdin.buffer.read()
    value = typed.rstrip(b"\r\n")
    if value != typed:
        typer.echo("removed the line break at the end", err=True)
    return value


def _rows(secret: JsonObject) -> list[tuple[str, str]]:
    versions = [as_object(version) for version in as_list(secret.get("versions"))]
    return [(str(version["name"]), str(version.get("createTime", ""))) for version in versions]
