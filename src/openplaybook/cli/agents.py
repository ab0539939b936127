"""`openplaybook agents`: list, import, export, validate, convert, compare and delete agents."""

from pathlib import Path
from typing import Annotated

import typer

from openplaybook.cli import conversion, deletion, sync, validation
from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import AgentName, AsJson, DataDir, PackageOutput

app = typer.Typer(help="List, import, export, validate, convert, compare and delete agents.", no_args_is_help=True)

DEFAULT_LOCATION = "projects/local/locations/global"


@app.command("list")
def list_agents(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List every agent of the server, and every app: where it starts, and when it was changed.

    Of an agent of Dialogflow CX the time is that of the playbook changed last: the API has no other.
    """
    from openplaybook.cli.access import server_api
    from openplaybook.cli.agent_overview import HEAD, overview
    from openplaybook.cli.naming import every_agent
    from openplaybook.cli.output import print_json, print_rows

    with server_api(data_dir=data_dir) as api:
        found = [overview(api, agent) for agent in every_agent(api)]
    if as_json:
        print_json({"agents": [each.to_json() for each in found]})
    elif found:
        print_rows([HEAD, *(each.row() for each in found)])


@app.command("import")
def import_agent(
    path: Annotated[
        Path,
        typer.Argument(metavar="PACKAGE", help="A zip file, or a folder, with agent.json or app.json in it."),
    ],
    location: Annotated[
        str | None, typer.Option(help="Where the new agent is to live.", show_default=DEFAULT_LOCATION)
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Change the agent, or the app, that has the package's display name.")
    ] = False,
    agent: Annotated[
        str | None,
        typer.Option(metavar="AGENT", help="With --replace: change this one, known by full name or display name."),
    ] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make a new agent, or a new app, from an exported package; or bring one up to it.

    What is kept but not run, what is missing and what does not work yet is told on standard error: packages hold no
    secrets, so tools may lack theirs. With --json all of it stands beside the agent, under `notes`.

    With --replace, the agent keeps its full name, its conversations, the versions of playbooks and tools that remain,
    and secrets inside tools, unless the export would send them elsewhere. The command shows what changed. If nothing
    differs, nothing is written.
    """
    from openplaybook.cli.access import server_api
    from openplaybook.cli.import_report import print_import, print_import_json
    from openplaybook.cli.naming import check_location
    from openplaybook.cli.packages import faults, import_package, read_package_file
    from openplaybook.cli.replacement import replace_agent

    if replace and location is not None:
        raise CommandError("--location is for new agents; with --replace name the agent with --agent", exit_code=2)
    if agent is not None and not replace:
        raise CommandError("--agent goes with --replace", exit_code=2)
    check_location(location or DEFAULT_LOCATION)
    package = read_package_file(path)
    with server_api(data_dir=data_dir) as api:
        if replace:
            imported, differences = replace_agent(api, package, agent, called=_title_of(path))
        else:
            imported = import_package(api, package, location or DEFAULT_LOCATION, called=_title_of(path))
            differences = None
        to_mend = list(faults(api, imported.name))
    (print_import_json if as_json else print_import)(imported, to_mend, differences)


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


app.command()(validation.validate)
app.command()(conversion.convert)
app.command()(sync.diff)
app.command()(sync.pull)
app.command()(sync.push)
app.command()(deletion.delete)


def _title_of(path: Path) -> str:
    """What an agent is called whose package does not say: the name of its folder or its file."""
    place = path.resolve()
    return place.name if place.is_dir() else place.stem
