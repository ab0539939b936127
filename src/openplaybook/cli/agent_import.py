"""`openplaybook agents import --replace`: an agent of the server becomes what a package holds."""

from collections.abc import Sequence

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.errors import CommandError
from openplaybook.cli.package_transfer import Imported, export_package, replace_package
from openplaybook.cli.resource_lookup import find_agent_to_replace
from openplaybook.jsonvalues import as_object, loads
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
    given = _contents(package)
    try:
        found = find_agent_to_replace(api, agent or _display_name(given) or called, of_app=given.format is APP)
    except CommandError as error:
        hint = "" if agent else "; name one with --agent, or create a new one without --replace"
        raise CommandError(f"{error}{hint}", exit_code=error.exit_code) from error
    name = str(found["name"])
    before = _contents(export_package(api, name), name)
    if not compare(before.lines, _contents(package, name).lines):
        return Imported(found, []), ()
    imported = replace_package(api, package, name)
    return imported, compare(before.lines, _contents(export_package(api, name), name).lines)


def _display_name(contents: ComparableFiles) -> str:
    """As the root file has it; that of an app may be JSON or YAML, and is JSON when it is written our way."""
    root = loads(contents.files[contents.format.roots[0]])
    return str(as_object(root).get("displayName") or "")


def _contents(package: bytes, name: str = "") -> ComparableFiles:
    try:
        return read_contents(package, name)
    except PackageError as error:
        raise CommandError(str(error)) from error
