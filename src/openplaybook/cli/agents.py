"""`openplaybook agents`: import, export and list agents."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import AgentName, AsJson, DataDir

app = typer.Typer(help="Import, export and list agents.", no_args_is_help=True)

DEFAULT_LOCATION = "projects/local/locations/global"


@app.command("list")
def list_agents(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List every agent of the server."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.naming import every_agent
    from openplaybook.cli.output import print_json, print_rows

    with server_api(data_dir=data_dir) as api:
        agents = every_agent(api)
    if as_json:
        print_json({"agents": agents})
    else:
        print_rows([(str(agent["displayName"]), str(agent["name"])) for agent in agents])


@app.command("import")
def import_agent(
    path: Annotated[Path, typer.Argument(metavar="PACKAGE", help="A zip file, or a folder with agent.json in it.")],
    location: Annotated[str, typer.Option(help="Where the agent is to live.")] = DEFAULT_LOCATION,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make a new agent from an exported package.

    What does not work yet is told on standard error: packages hold no secrets, so tools may lack theirs.
    """
    from openplaybook.cli.access import server_api
    from openplaybook.cli.naming import check_location
    from openplaybook.cli.output import harmless, print_json
    from openplaybook.cli.packages import faults, import_package, read_package_file

    check_location(location)
    package = read_package_file(path)
    with server_api(data_dir=data_dir) as api:
        agent = import_package(api, package, location)
        for fault in faults(api, str(agent["name"])):
            typer.echo(harmless(f"to mend: {fault}"), err=True)
    if as_json:
        print_json(agent)
    else:
        typer.echo(agent["name"])


@app.command("export")
def export_agent(
    agent: AgentName,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="File to write; - writes to standard output.", show_default="DISPLAY NAME.zip"
        ),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Write an agent as a package that Dialogflow CX takes."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.naming import find_agent
    from openplaybook.cli.packages import export_package, package_file_name

    with server_api(data_dir=data_dir) as api:
        found = find_agent(api, agent)
        package = export_package(api, str(found["name"]))
    if output == Path("-"):
        sys.stdout.buffer.write(package)
        return
    output = output or Path(package_file_name(str(found["displayName"])))
    try:
        output.write_bytes(package)
    except OSError as error:
        raise CommandError(f"{output} cannot be written: {error.strerror}") from error
    typer.echo(f"{output}: {len(package):,} bytes")
