"""`openplaybook agents`: import, export, convert and list agents."""

from pathlib import Path
from typing import Annotated

import typer

from openplaybook.cli import conversion, sync
from openplaybook.cli.options import AgentName, AsJson, DataDir, PackageOutput

app = typer.Typer(help="Import, export, convert, compare and list agents.", no_args_is_help=True)

DEFAULT_LOCATION = "projects/local/locations/global"


@app.command("list")
def list_agents(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List every agent of the server, and every app."""
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
    path: Annotated[
        Path,
        typer.Argument(metavar="PACKAGE", help="A zip file, or a folder, with agent.json or app.json in it."),
    ],
    location: Annotated[str, typer.Option(help="Where the agent is to live.")] = DEFAULT_LOCATION,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make a new agent, or a new app, from an exported package.

    What is kept but not run, what is missing and what does not work yet is told on standard error: packages hold no
    secrets, so tools may lack theirs. With --json all of it stands beside the agent, under `notes`.
    """
    from openplaybook.cli.access import server_api
    from openplaybook.cli.import_report import show_notes
    from openplaybook.cli.naming import check_location
    from openplaybook.cli.output import harmless, print_json
    from openplaybook.cli.packages import faults, import_package, read_package_file

    check_location(location)
    package = read_package_file(path)
    with server_api(data_dir=data_dir) as api:
        imported = import_package(api, package, location, called=_title_of(path))
        to_mend = list(faults(api, imported.name))
    if as_json:
        print_json({**imported.resource, "notes": imported.notes, "toMend": to_mend})
        return
    show_notes(imported.notes)
    for fault in to_mend:
        typer.echo(harmless(f"to mend: {fault}"), err=True)
    typer.echo(imported.name)


@app.command("export")
def export_agent(
    agent: AgentName,
    output: PackageOutput = None,
    data_dir: DataDir = None,
) -> None:
    """Write an agent as a package that Dialogflow CX takes, or an app as one that CX Agent Studio takes."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.naming import find_agent
    from openplaybook.cli.package_output import write_package
    from openplaybook.cli.packages import export_package, package_file_name

    with server_api(data_dir=data_dir) as api:
        found = find_agent(api, agent)
        package = export_package(api, str(found["name"]))
    write_package(package, output, package_file_name(str(found["displayName"])))


app.command()(conversion.convert)
app.command()(sync.diff)
app.command()(sync.pull)
app.command()(sync.push)


def _title_of(path: Path) -> str:
    """What an agent is called whose package does not say: the name of its folder or its file."""
    place = path.resolve()
    return place.name if place.is_dir() else place.stem
