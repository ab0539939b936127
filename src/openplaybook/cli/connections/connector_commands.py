"""`openplaybook connectors`: what systems can be reached, and what a connection to each needs."""

from typing import TYPE_CHECKING, Annotated

import typer

from openplaybook.cli.errors import ApiError, CommandError
from openplaybook.cli.options import AsJson, DataDir
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

if TYPE_CHECKING:
    from openplaybook.cli.api_client import ApiClient

connectors_app = typer.Typer(help="List the kinds of systems that connections can reach.", no_args_is_help=True)

_CONNECTORS = "projects/local/locations/global/providers/gcp/connectors"


@connectors_app.command("list")
def list_connectors(
    words: Annotated[str, typer.Argument(metavar="[WORDS]", help="Only those in whose title these are.")] = "",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """List the kinds of systems: id, title, engine, and what the connector is tested against."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.output import print_json, print_rows

    with server_api(data_dir=data_dir) as api:
        found = [_connector_json(each) for each in api.list(f"v1/{_CONNECTORS}", "connectors")]
    chosen = [each for each in found if words.casefold() in f"{each['title']} {each['id']}".casefold()]
    if as_json:
        print_json({"connectors": chosen})
        return
    header = ["ID", "TITLE", "ENGINE", "TESTED AGAINST"]
    print_rows([header, *([str(each[key]) for key in ("id", "title", "engine", "evidence")] for each in chosen)])


def _connector_json(connector: JsonObject) -> JsonObject:
    labels = as_object(connector.get("labels"))
    operations: list[JsonValue] = [*str(labels.get("operations", "")).split()]
    return {
        "id": str(connector["name"]).rpartition("/")[2],
        "title": connector.get("displayName", ""),
        "engine": labels.get("engine", ""),
        "evidence": labels.get("evidence", ""),
        "operations": operations,
        "description": connector.get("description", ""),
    }


@connectors_app.command("show")
def show_connector(
    connector: Annotated[str, typer.Argument(metavar="ID", help="Id of the connector, such as postgresql.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Show what a connection to such a system needs."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.connections.connection_form import option_line, option_lines
    from openplaybook.cli.connections.system_place import place_lines
    from openplaybook.cli.output import print_json, print_rows

    with server_api(data_dir=data_dir) as api:
        version = connector_version(api, connector)
    if as_json:
        print_json(version)
        return
    typer.secho(f"{version.get('displayName')}  {version['name']}", bold=True)
    print_rows([_row(option_line(as_object(each))) for each in as_list(version.get("configVariableTemplates"))])
    print_rows([_row(each) for each in place_lines(version)])
    for kind in map(as_object, as_list(version.get("authConfigTemplates"))):
        typer.echo(f"--auth {kind.get('authType', 'AUTH_TYPE_UNSPECIFIED')}  {kind.get('displayName', '')}")
        print_rows([_row(line) for line in option_lines(kind)])


def _row(line: tuple[str, str, bool]) -> list[str]:
    option, about, is_required = line
    return [f"  {option}", "required" if is_required else "", about]


def connector_version(api: "ApiClient", connector: str) -> JsonObject:
    """The newest version of a connector, by its id, with its templates. Raises `CommandError`."""
    try:
        versions = list(api.list(f"v1/{_CONNECTORS}/{connector}/versions", "connectorVersions"))
    except ApiError as error:
        raise CommandError(f"{error}; `openplaybook connectors list` shows which there are", exit_code=2) from error
    return api.get(f"v1/{versions[0]['name']}", view="CONNECTOR_VERSION_VIEW_FULL")
