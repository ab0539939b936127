"""`openplaybook connections`: connections to systems, set up, looked at and used."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias
from urllib.parse import quote

import typer

from openplaybook.cli.errors import ApiError, CommandError
from openplaybook.cli.options import AsJson, DataDir
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, loads

if TYPE_CHECKING:
    from openplaybook.cli.api_client import ApiClient
    from openplaybook.cli.connections.given_values import GivenValues

connections_app = typer.Typer(help="Create, test, use and delete connections to systems.", no_args_is_help=True)

LOCATION = "projects/local/locations/global"
_NAMES_ONLY = "ENTITY_TYPE_VIEW_BASIC"

ConnectionName: TypeAlias = Annotated[
    str, typer.Argument(metavar="NAME", help=f"Full name of the connection, or its id in {LOCATION}.")
]


@connections_app.command("create")
def create_connection(
    name: ConnectionName,
    connector: Annotated[
        str, typer.Option("--connector", metavar="ID", help="Kind of system, such as postgresql.", show_default=False)
    ] = "",
    pairs: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="May be repeated.")] = None,
    secrets: Annotated[
        list[str] | None,
        typer.Option(
            "--secret",
            metavar="KEY[=VERSION]",
            help="A secret: the full name of a version, or @FILE; without one it is asked for, or read from standard "
            "input, a line each. May be repeated.",
        ),
    ] = None,
    auth: Annotated[str, typer.Option(metavar="KIND", help="How to log in.", show_default="by what is given")] = "",
    override: Annotated[
        bool, typer.Option("--override", help="Let tools bring the credential of the end user instead.")
    ] = False,
    file: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="JSON of a connection, as `connections show --json` prints it; other options change its values.",
        ),
    ] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Create a connection, look whether its system answers, and print its full name."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.connections.connection_form import changed_json, connection_json
    from openplaybook.cli.connections.connector_commands import connector_version
    from openplaybook.cli.connections.given_values import given_values
    from openplaybook.cli.output import print_json

    full = full_name(name)
    location, _, id = full.rpartition("/connections/")
    given = given_values(full, pairs or [], secrets or [])
    if bool(connector) == (file is not None) or (file is not None and auth):
        raise CommandError("give either --connector, with --auth where there are several, or --from", exit_code=2)
    with server_api(data_dir=data_dir) as api:
        if file is None:
            version = connector_version(api, connector)
            connection = connection_json(version, given, auth, takes_override=override)
        else:
            connection = _told_by(file)
            version = api.get(f"v1/{connection['connectorVersion']}", view="CONNECTOR_VERSION_VIEW_FULL")
            connection |= changed_json(connection, version, given) if given.keys else {}
            connection |= {"authOverrideEnabled": True} if override else {}
        _refuse_existing(api, full)
        _keep_secrets(api, full, given)
        operation = api.post(f"v1/{location}/connections?connectionId={id}", connection)
        made = api.finished(operation, version="v1")
    if as_json:
        print_json(made)
        return
    typer.echo(full)
    say_status(as_object(made.get("status")))


@connections_app.command("update")
def update_connection(
    name: ConnectionName,
    pairs: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="May be repeated.")] = None,
    secrets: Annotated[
        list[str] | None, typer.Option("--secret", metavar="KEY[=VERSION]", help="As for create. May be repeated.")
    ] = None,
    override: Annotated[
        bool | None, typer.Option("--override/--no-override", help="Whether tools may bring another credential.")
    ] = None,
    suspend: Annotated[
        bool | None, typer.Option("--suspend/--resume", help="Whether no call is made until it is resumed.")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Change values of a connection, and look whether its system answers. What is not given stays."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.connections.connection_form import changed_json
    from openplaybook.cli.connections.given_values import given_values

    full = full_name(name)
    given = given_values(full, pairs or [], secrets or [])
    flags: JsonObject = {} if override is None else {"authOverrideEnabled": override}
    flags |= {} if suspend is None else {"suspended": suspend}
    if not given.keys and not flags:
        raise CommandError("give what is to be changed: --set, --secret, --override, --suspend", exit_code=2)
    with server_api(data_dir=data_dir) as api:
        connection = api.get(f"v1/{full}")
        version = api.get(f"v1/{connection['connectorVersion']}", view="CONNECTOR_VERSION_VIEW_FULL")
        changed = {**(changed_json(connection, version, given) if given.keys else {}), **flags}
        _keep_secrets(api, full, given)
        operation = api.patch(f"v1/{full}", changed, updateMask=",".join(changed))
        made = api.finished(operation, version="v1")
    typer.echo(full)
    say_status(as_object(made.get("status")))


_SERVERS = ("name", "createTime", "updateTime", "status", "etag")
"""Members of a connection that its server says."""


def _told_by(file: Path) -> JsonObject:
    """The connection that a file holds, or the answer of `connections show`. Raises `CommandError`."""
    try:
        value = as_object(loads(file.read_bytes()))
    except (OSError, ValueError) as error:
        raise CommandError(f"--from {file}: {error}", exit_code=2) from error
    connection = as_object(value.get("connection")) or value
    if not isinstance(connection.get("connectorVersion"), str):
        raise CommandError(f"--from {file} must hold a connection as JSON, with its connectorVersion", exit_code=2)
    return {member: each for member, each in connection.items() if member not in _SERVERS}


def _keep_secrets(api: "ApiClient", connection: str, given: "GivenValues") -> None:
    """Keep the secrets that are typed, piped in, or in files."""
    from openplaybook.cli.connections.given_values import keep_secret

    for key in given.asked:
        keep_secret(api, connection, key, _asked(key, is_alone=len(given.asked) == 1))
    for key, value in given.read.items():
        keep_secret(api, connection, key, value)


def _refuse_existing(api: "ApiClient", name: str) -> None:
    """Before its secrets are kept: they would be those of the connection that is there."""
    try:
        api.get(f"v1/{name}")
    except ApiError as error:
        if error.status != "NOT_FOUND":
            raise
        return
    raise CommandError(f"there is a connection {name} already; delete it first, or choose another name")


def _asked(key: str, *, is_alone: bool) -> str:
    """A secret: typed, or from standard input, of which each has a line and one that is alone has all."""
    if sys.stdin.isatty():
        return str(typer.prompt(key, hide_input=True, err=True))
    value = (sys.stdin.read() if is_alone else sys.stdin.readline()).rstrip("\r\n")
    if not value:
        raise CommandError(f"--secret {key}: standard input has no line for it", exit_code=2)
    return value


@connections_app.command("list")
def list_connections(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List all connections: full name, connector, state."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.output import print_json, print_rows

    with server_api(data_dir=data_dir) as api:
        found = list(api.list("v1/projects/-/locations/-/connections", "connections"))
    if as_json:
        print_json({"connections": found})
    elif found:
        print_rows([[str(each["name"]), _connector_id(each), _state(each)] for each in found])


@connections_app.command("show")
def show_connection(name: ConnectionName, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show what a connection can do: entity types with their fields, actions."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.connections.connection_form import value_words
    from openplaybook.cli.output import harmless, print_json

    full = full_name(name)
    with server_api(data_dir=data_dir) as api:
        connection = api.get(f"v1/{full}")
        if not as_json:
            typer.secho(f"{full}  ({_connector_id(connection)}, {_state(connection)})", bold=True)
            typer.echo(harmless(f"  {'  '.join(value_words(connection))}"))
        types = list(api.list(f"v2/{full}/entityTypes", "types"))
        names = [str(each["name"]) for each in api.list(f"v2/{full}/entityTypes", "types", view=_NAMES_ONLY)]
        actions = list(api.list(f"v2/{full}/actions", "actions"))
    if as_json:
        print_json({"connection": connection, "entityTypes": types, "actions": actions})
        return
    for each in types:
        operations = ", ".join(str(operation).lower() for operation in as_list(each.get("operations")))
        typer.secho(f"  {harmless(str(each['name']))}  {operations}", fg="cyan")
        fields = [as_object(field) for field in as_list(each.get("fields"))]
        told = (f"{field['name']} {field.get('dataType', '')}{' key' if field.get('key') else ''}" for field in fields)
        typer.echo(harmless(f"    {', '.join(told)}"))
    for each in sorted(set(names) - {str(each["name"]) for each in types}):
        typer.echo(harmless(f"  {each}  (the system does not describe it)"))
    for each in actions:
        typer.secho(harmless(f"  {each['name']}"), fg="cyan", nl=False)
        typer.echo(harmless(f"  {each.get('description', '')}"))
        if parameters := _parameters(each):
            typer.echo(harmless(f"    {parameters}"))


def _parameters(action: JsonObject) -> str:
    required = as_list(as_object(action.get("inputJsonSchema")).get("required"))
    parameters = [as_object(each) for each in as_list(action.get("inputParameters"))]
    told = (
        f"{each['name']} {each.get('dataType', '')}{' required' * (each['name'] in required)}" for each in parameters
    )
    return ", ".join(told)


@connections_app.command("test")
def look_at_connection(name: ConnectionName, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Look whether the system answers and takes the credential. Exit code 1 when not."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.output import print_json

    with server_api(data_dir=data_dir) as api:
        status = api.get(f"v2/{full_name(name)}:checkStatus")
    if as_json:
        print_json(status)
    else:
        say_status(status)
    raise typer.Exit(0 if status.get("state") == "ACTIVE" else 1)


@connections_app.command("refresh")
def refresh_connection(name: ConnectionName, data_dir: DataDir = None) -> None:
    """Read again what entity types and fields the system has, as after a change of its tables."""
    from openplaybook.cli.access import server_api

    full = full_name(name)
    with server_api(data_dir=data_dir) as api:
        api.completed(api.post(f"v1/{full}/connectionSchemaMetadata:refresh", {}), version="v1")
    typer.echo(full)


@connections_app.command("call")
def call_connection(
    name: ConnectionName,
    operation: Annotated[str, typer.Argument(help="Such as list_Customer, or an action: ExecuteCustomQuery.")],
    input_json: Annotated[str, typer.Option("--input", help="Arguments as JSON.")] = "{}",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Send nothing: show what would be sent.")] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Call an operation as a connector tool does, and show what comes back."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.output import harmless, json_text, print_json

    arguments = _arguments(input_json)
    tool = f"{full_name(name)}/tools/{quote(operation, safe='')}"
    with server_api(data_dir=data_dir) as api:
        answer = api.post(f"v2/{tool}:execute", {"parameters": arguments, "dryRun": dry_run})
    if as_json:
        print_json(answer)
        return
    metadata = {key: as_object(value).get("value") for key, value in as_object(answer.get("metadata")).items()}
    for sent in map(as_object, as_list(metadata.get("wouldBeSent"))):
        typer.secho(harmless(f"→ {sent.get('method')} {sent.get('address')}"), fg="cyan")
        typer.echo(harmless(str(sent.get("request", ""))))
    if note := metadata.get("note"):
        typer.secho(harmless(str(note)), fg="yellow", err=True)
    if not dry_run:
        typer.echo(json_text(answer.get("result", {}), indented=True))


@connections_app.command("delete")
def delete_connection(
    name: ConnectionName,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Delete a connection; tools that use it stay, and their calls fail."""
    from openplaybook.cli.access import server_api

    full = full_name(name)
    if not yes and not typer.confirm(f"Delete {full}?"):
        raise CommandError("nothing was deleted")
    with server_api(data_dir=data_dir) as api:
        api.completed(api.delete(f"v1/{full}"), version="v1")


def full_name(name: str) -> str:
    """The full name of a connection, of which the id may be given alone."""
    if "/" not in name:
        return f"{LOCATION}/connections/{name}"
    if "/connections/" not in name:
        raise CommandError(f"{name!r} is neither an id nor projects/P/locations/L/connections/C", exit_code=2)
    return name


def _arguments(text: str) -> JsonObject:
    try:
        value: JsonValue = loads(text)
    except ValueError as error:
        raise CommandError(f"--input is not JSON: {error}", exit_code=2) from error
    if not isinstance(value, dict):
        raise CommandError('--input must be a JSON object, such as {"entityId": "3"}', exit_code=2)
    return as_object(value)


def _connector_id(connection: JsonObject) -> str:
    return str(connection.get("connectorVersion", "")).partition("/connectors/")[2].partition("/")[0]


def _state(connection: JsonObject) -> str:
    return str(as_object(connection.get("status")).get("state", ""))


def say_status(status: JsonObject) -> None:
    """Say on standard error what came of a look at a system."""
    from openplaybook.cli.output import harmless

    state = str(status.get("state", ""))
    typer.secho(state, fg="green" if state == "ACTIVE" else "red", err=True)
    if description := status.get("description"):
        typer.echo(harmless(str(description)), err=True)
