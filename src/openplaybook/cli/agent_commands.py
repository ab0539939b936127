"""`openplaybook agents`: list, import, export, validate, convert, compare and delete agents."""

from pathlib import Path
from typing import Annotated

import typer

from openplaybook.cli import conversion_command, deletion_command, sync_commands, validation_command
from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import AgentName, AsJson, DataDir, PackageOutput

app = typer.Typer(help="List, import, export, validate, convert, compare and delete agents.", no_args_is_help=True)

DEFAULT_LOCATION = "projects/local/locations/global"


@app.command("list")
def list_agents(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List all agents and apps: where their conversations start, and their last change.

    For a Dialogflow CX agent, that is the last change of a playbook: the API has no other time.
    """
    from openplaybook.cli.access import server_api
    from openplaybook.cli.agent_overview import HEAD, overview
    from openplaybook.cli.output import print_json, print_rows
    from openplaybook.cli.resource_lookup import every_agent

    with server_api(data_dir=data_dir) as api:
        overviews = [overview(api, agent) for agent in every_agent(api)]
    if as_json:
        print_json({"agents": [each.to_json() for each in overviews]})
    elif overviews:
        print_rows([HEAD, *(each.row() for each in overviews)])
    else:
        typer.echo("there are no agents and no apps; openplaybook doctor shows the data directory", err=True)


@app.command("import")
def import_agent(
    path: Annotated[
        Path,
        typer.Argument(metavar="PACKAGE", help="Zip file or folder of an export, with agent.json or app.json in it."),
    ],
    location: Annotated[
        str | None, typer.Option(help="Location of the new agent or app.", show_default=DEFAULT_LOCATION)
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Update the agent or app with the same display name.")
    ] = False,
    agent: Annotated[
        str | None,
        typer.Option(metavar="AGENT", help="With --replace: the one to update, by full name or display name."),
    ] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Create an agent or app from an export, or update one with --replace.

    Standard error lists what is kept but not run, what is missing, and what does not work yet; and it says of every
    playbook whether it runs, needs a model, or depends on parts that are not run here. Exports contain no secrets,
    so tools may lack theirs. With --json, the list is in `notes`, and the verdicts are in `playbooks`.

    With --replace, the agent keeps its full name, its conversations, the versions of playbooks and tools that remain,
    and secrets inside tools, unless the export would send them elsewhere. The command shows what changed. If nothing
    differs, nothing is written.
    """
    from openplaybook.cli.access import server_api
    from openplaybook.cli.agent_findings import faults
    from openplaybook.cli.agent_import import print_import, print_import_json, replace_agent
    from openplaybook.cli.package_transfer import import_package, read_package_file
    from openplaybook.cli.resource_lookup import check_location

    if replace and location is not None:
        raise CommandError("--location is for new agents; with --replace name the agent with --agent", exit_code=2)
    if agent is not None and not replace:
        raise CommandError("--agent requires --replace", exit_code=2)
    check_location(location or DEFAULT_LOCATION)
    package = read_package_file(path)
    with server_api(data_dir=data_dir) as api:
        if replace:
            imported, differences = replace_agent(api, package, agent, called=_title_of(path))
        else:
            imported = import_package(api, package, location or DEFAULT_LOCATION, called=_title_of(path))
            differences = None
        to_fix = list(faults(api, imported.name))
    (print_import_json if as_json else print_import)(imported, to_fix, differences)


@app.command("export")
def export_agent(
    agent: AgentName,
    output: PackageOutput = None,
    data_dir: DataDir = None,
) -> None:
    """Export an agent for Dialogflow CX, or an app for CX Agent Studio."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.package_output import write_package
    from openplaybook.cli.package_transfer import export_package, package_file_name
    from openplaybook.cli.resource_lookup import find_agent

    with server_api(data_dir=data_dir) as api:
        resource = find_agent(api, agent)
        package = export_package(api, str(resource["name"]))
    write_package(package, output, package_file_name(str(resource["displayName"])))


app.command()(validation_command.validate)
app.command()(conversion_command.convert)
app.command()(sync_commands.diff)
app.command()(sync_commands.pull)
app.command()(sync_commands.push)
app.command()(deletion_command.delete)


def _title_of(path: Path) -> str:
    """What an agent is called whose package does not say: the name of its folder or its file."""
    place = path.resolve()
    return place.name if place.is_dir() else place.stem
