"""`openplaybook agents`: list, import, export, validate, check, convert, compare and delete agents."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openplaybook.cli import sync_commands
from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import AgentName, AsJson, DataDir, PackageOutput
from openplaybook.jsonvalues import as_list, as_object

if TYPE_CHECKING:
    from openplaybook.cli.api_client import ApiClient

app = typer.Typer(
    help="List, import, export, validate, check, convert, compare and delete agents.", no_args_is_help=True
)

DEFAULT_LOCATION = "projects/local/locations/global"

"""By the severity of a finding, the most urgent first."""
_IN_AGENTS = ("playbooks", "tools", "conversations")
_IN_APPS = ("agents", "tools", "toolsets", "guardrails", "examples", "versions", "deployments", "conversations")
_PAGE = 100
"""Of each kind so many are counted; of more it is told that there are more."""


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


@app.command()
def validate(agent: AgentName, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show what is wrong with an agent or an app: each finding with its resource and its place.

    Exits with 1 if a finding is an error. With --json it prints Google's AgentValidationResult; for an app, its name
    and its findings.
    """
    from openplaybook.cli.access import server_api
    from openplaybook.cli.agent_findings import SEVERITIES, all_findings, counts
    from openplaybook.cli.output import harmless, print_json
    from openplaybook.cli.resource_lookup import find_agent

    with server_api(data_dir=data_dir) as api:
        result, texts = all_findings(api, str(find_agent(api, agent)["name"]))
    if as_json:
        print_json(result)
    else:
        for severity, text in texts:
            typer.echo(harmless(f"{SEVERITIES.get(severity, severity)}: {text}"))
        typer.echo(counts(Counter(severity for severity, _ in texts)))
    if any(severity == "ERROR" for severity, _ in texts):
        raise typer.Exit(1)


@app.command()
def check(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT|PACKAGE",
            help="An agent or app of the server, or a package of one: a zip file, or a folder with agent.json, "
            "app.json or app.yaml in it.",
        ),
    ],
    held_out: Annotated[
        bool,
        typer.Option("--held-out", help="Judge each example without learning from it, as if a user had said it."),
    ] = False,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a JUnit report to this file.")] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Check which examples of an agent's playbooks the offline model would replay, and why it would not.

    Each turn of an example is put to the model where the example has left off: it must make the same calls with the
    same values, and say the same, or the same in words of its own. Nothing is called.

    Exit code 0: all examples are replayed; 1: some are not; 2: the agent cannot be read.
    """
    from openplaybook.cli.offline.rehearsal_report import show, write_junit
    from openplaybook.cli.offline.rehearsal_run import rehearsed
    from openplaybook.cli.options import settings_of

    run = rehearsed(agent, settings_of(data_dir=data_dir), held_out=held_out)
    show(run, as_json=as_json)
    if junit is not None:
        write_junit(junit, run)
    if not all(each.is_replayed for each in run.judged):
        raise typer.Exit(1)


@app.command()
def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE", help="Export of a Dialogflow CX agent, or the name of an agent of this server."
        ),
    ],
    output: PackageOutput = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Convert a Dialogflow CX agent into the export of a CX Agent Studio app.

    Standard error lists what changes its meaning and what is not carried over. With --json, the list goes to standard
    output.
    """
    from openplaybook.cli.output import print_json
    from openplaybook.cli.package_output import write_package
    from openplaybook.cli.package_report import show_notes
    from openplaybook.cli.package_transfer import package_file_name
    from openplaybook.packages.ces.app_writer import write_app
    from openplaybook.packages.conversion.agent_converter import convert_agent
    from openplaybook.packages.dialogflow.agent_reader import read_package
    from openplaybook.packages.errors import PackageError

    if as_json and output == "-":
        raise CommandError("--json and -o - both write to standard output; name a file with -o", exit_code=2)
    try:
        agent, _ = read_package(_dialogflow_package(source, data_dir), "projects/-/locations/-/agents/-")
        app, report = convert_agent(agent)
        package = write_app(app)
    except PackageError as error:
        raise CommandError(str(error)) from error
    notes = [note.as_json() for note in report.notes]
    default = package_file_name(str(app.app["displayName"]))
    if as_json:
        write_package(package, output, default, quiet=True)
        print_json({"app": app.app, "notes": notes})
        return
    show_notes(notes)
    write_package(package, output, default)


app.command()(sync_commands.diff)
app.command()(sync_commands.pull)
app.command()(sync_commands.push)


@app.command()
def delete(
    agent: AgentName,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Delete an agent or app with everything in it, including its conversations. Asks first."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.output import harmless
    from openplaybook.cli.resource_lookup import find_agent, is_app, path_of

    with server_api(data_dir=data_dir) as api:
        resource = find_agent(api, agent)
        name = str(resource["name"])
        title = harmless(f"the {'app' if is_app(name) else 'agent'} {resource.get('displayName')}")
        lost = _joined(_contents(api, name))
        if not yes:
            typer.echo(f"{name}\nDeleting {title} deletes {f'{lost} too' if lost else 'nothing else'}.")
            _confirm_deletion()
        operation = api.delete(path_of(name))
        if is_app(name):
            api.finished(operation)
    typer.echo(f"{name}: {title} is deleted{lost and f', with {lost}'}")


def _title_of(path: Path) -> str:
    """What an agent is called whose package does not say: the name of its folder or its file."""
    place = path.resolve()
    return place.name if place.is_dir() else place.stem


def _dialogflow_package(source: str, data_dir: Path | None) -> bytes | Path:
    from openplaybook.cli.access import server_api
    from openplaybook.cli.package_transfer import export_package
    from openplaybook.cli.resource_lookup import find_agent, is_app

    if Path(source).exists():
        return Path(source)
    with server_api(data_dir=data_dir) as api:
        name = str(find_agent(api, source)["name"])
        if is_app(name):
            raise CommandError(f"{name} is already an app of CX Agent Studio")
        return export_package(api, name)


def _confirm_deletion() -> None:
    try:
        sure = typer.confirm("Delete it for good?")
    except typer.Abort:
        raise CommandError("nothing was deleted: there was no answer; --yes deletes without asking") from None
    if not sure:
        raise CommandError("nothing was deleted")


def _contents(api: "ApiClient", name: str) -> list[str]:
    """What is in an agent or app, counted by kind: `2 playbooks`. Built-in tools belong to the server."""
    from openplaybook.cli.resource_lookup import is_app

    base, kinds = (f"v1beta/{name}", _IN_APPS) if is_app(name) else (f"v3beta1/{name}", _IN_AGENTS)
    counts: list[str] = []
    for kind in kinds:
        page = api.get(f"{base}/{kind}", pageSize=str(_PAGE))
        items = [each for each in as_list(page.get(kind)) if as_object(each).get("toolType") != "BUILTIN_TOOL"]
        more = "more than " if page.get("nextPageToken") else ""
        if items:
            counts.append(f"{more}{len(items)} {kind.removesuffix('s') if len(items) == 1 else kind}")
    return counts


def _joined(parts: list[str]) -> str:
    """`a, b and c`; of no parts the empty text."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
