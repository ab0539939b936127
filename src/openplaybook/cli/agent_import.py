"""`openplaybook agents import`: an agent of the server becomes what a package holds, and what is said of an import."""

from collections.abc import Sequence

import typer

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.errors import CommandError
from openplaybook.cli.output import harmless, print_json
from openplaybook.cli.package_report import print_differences, show_notes, show_verdicts
from openplaybook.cli.package_transfer import Imported, export_package, replace_package
from openplaybook.cli.resource_lookup import find_agent_to_replace
from openplaybook.jsonvalues import JsonObject, as_object, loads
from openplaybook.packages.errors import PackageError
from openplaybook.packages.package_formats import APP
from openplaybook.sync.comparable_files import ComparableFiles, read_contents
from openplaybook.sync.file_comparison import FileDifference, compare


def replace_agent(
    api: ApiClient, package: bytes, agent: str | None, called: str
) -> tuple[Imported, Sequence[FileDifference]]:
    """Bring an agent, or an app, up to the package: `agent`, else the one that has the package's display name.

    A package that has none is `called` so. Gives the agent, and what is different from what it was; where nothing is,
    nothing was written. Raises `CommandError`; then nothing has changed.
    """
    contents = _contents(package)
    try:
        resource = find_agent_to_replace(api, agent or _display_name(contents) or called, of_app=contents.format is APP)
    except CommandError as error:
        hint = "" if agent else "; name one with --agent, or create a new one without --replace"
        raise CommandError(f"{error}{hint}", exit_code=error.exit_code) from error
    name = str(resource["name"])
    before = _contents(export_package(api, name), name)
    if not compare(before.lines, _contents(package, name).lines):
        return Imported(resource, []), ()
    imported = replace_package(api, package, name)
    return imported, compare(before.lines, _contents(export_package(api, name), name).lines)


def _display_name(contents: ComparableFiles) -> str:
    """As the root file has it; that of an app may be JSON or YAML, and is JSON when it is written our way."""
    return str(as_object(loads(contents.files[contents.format.roots[0]])).get("displayName") or "")


def _contents(package: bytes, name: str = "") -> ComparableFiles:
    try:
        return read_contents(package, name)
    except PackageError as error:
        raise CommandError(str(error)) from error


def print_import(imported: Imported, to_fix: Sequence[str], differences: Sequence[FileDifference] | None) -> None:
    """What an import made, with all that is to be told; `differences` where it changed what was there."""
    show_notes(imported.notes)
    for fault in to_fix:
        typer.echo(harmless(f"to fix: {fault}"), err=True)
    show_verdicts(imported.playbooks)
    if differences is None:
        typer.echo(imported.name)
        return
    if differences:
        print_differences(differences)
    typer.echo(f"{imported.name}: {'changed' if differences else 'nothing to change'}")


def print_import_json(imported: Imported, to_fix: Sequence[str], differences: Sequence[FileDifference] | None) -> None:
    """The same for programs."""
    members: JsonObject = {
        **imported.resource,
        "notes": imported.notes,
        "playbooks": imported.playbooks,
        "toMend": list(to_fix),
    }
    if differences is not None:
        members["differences"] = [each.as_json() for each in differences]
    print_json(members)
