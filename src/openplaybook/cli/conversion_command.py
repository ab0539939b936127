"""`openplaybook agents convert`: an agent of Dialogflow CX as an app of CX Agent Studio."""

from pathlib import Path
from typing import Annotated

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import AsJson, DataDir, PackageOutput


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
        agent, _ = read_package(_package(source, data_dir), "projects/-/locations/-/agents/-")
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


def _package(source: str, data_dir: Path | None) -> bytes | Path:
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
