"""`openplaybook agents diff`, `pull` and `push`: agents compared, and taken from and brought to Google."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import AsJson, DataDir

if TYPE_CHECKING:
    from openplaybook.sync.comparable_files import ComparableFiles
    from openplaybook.sync.google_remote import Remote, RemoteOptions

_GOOGLE = "google:"
_SOURCE = "an export, the name of an agent of this server, or google:projects/P/locations/L/agents/A"

Endpoint: TypeAlias = Annotated[
    str,
    typer.Option(
        envvar="OPENPLAYBOOK_GOOGLE_ENDPOINT",
        help="Base URL of the API, instead of Google's.",
        show_default="Google's for the location",
    ),
]
Anonymous: TypeAlias = Annotated[
    bool, typer.Option("--anonymous", envvar="OPENPLAYBOOK_GOOGLE_ANONYMOUS", help="Send no credentials.")
]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Overwrite changes on the other side.")]
RemoteName: TypeAlias = Annotated[
    str, typer.Argument(metavar="google:NAME", help="Full name of the agent or app at Google.")
]


def diff(
    before: Annotated[str, typer.Argument(metavar="A", help=f"One side: {_SOURCE}.")],
    after: Annotated[str, typer.Argument(metavar="B", help="The other side, in the same form.")],
    endpoint: Endpoint = "",
    anonymous: Anonymous = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Show the differences between two agents, or two apps.

    Exit code 0: there are none; 1: there are some; 2: the two cannot be compared.
    """
    from openplaybook.cli.package_report import print_differences
    from openplaybook.sync.comparable_files import read_contents
    from openplaybook.sync.file_comparison import compare

    with _trouble(exit_code=2):
        options = _options(endpoint, anonymous)
        one, other = (read_contents(_package(source, options, data_dir)) for source in (before, after))
        if one.format is not other.format:
            raise CommandError(f"{before} is {one.format.noun}, {after} is {other.format.noun}")
        differences = compare(one.lines, other.lines)
    print_differences(differences, as_json=as_json)
    if differences:
        raise typer.Exit(1)


def pull(
    name: RemoteName,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Folder.", show_default="the id")] = None,
    force: Force = False,
    endpoint: Endpoint = "",
    anonymous: Anonymous = False,
) -> None:
    """Download an agent or app from Google into a folder.

    Pulling again updates the folder. If you changed files there, the command stops unless you add --force.
    """
    from openplaybook.sync.checkout import check_local, write_folder
    from openplaybook.sync.comparable_files import read_contents

    with _trouble():
        remote = _remote(name, _options(endpoint, anonymous))
        folder = output or Path(remote.name.rpartition("/")[2])
        contents = read_contents(_exported(remote), remote.name)
        if not force:
            check_local(folder, remote.name, contents)
        write_folder(folder, remote.name, contents)
    typer.echo(f"{folder}: {len(contents.files):,} files")


def push(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="An export, or the name of an agent of this server.")],
    name: RemoteName,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    force: Force = False,
    endpoint: Endpoint = "",
    anonymous: Anonymous = False,
    data_dir: DataDir = None,
) -> None:
    """Upload an export, or an agent of this server, to an agent at Google. Shows the differences and asks first.

    If the agent changed at Google since the folder was pulled, the command stops unless you add --force.
    """
    from openplaybook.cli.package_report import print_differences, print_missing
    from openplaybook.sync.checkout import check_remote, read_record, write_record
    from openplaybook.sync.comparable_files import read_contents
    from openplaybook.sync.file_comparison import compare

    with _trouble():
        remote = _remote(name, _options(endpoint, anonymous))
        here = read_contents(_package(source, None, data_dir), remote.name)
        there = read_contents(_exported(remote), remote.name)
        if here.format is not there.format:
            raise CommandError(f"{source} is {here.format.noun}, {name} is {there.format.noun}")
        differences = compare(there.lines, here.lines)
        if differences:
            folder = Path(source)
            if not force:
                check_remote(read_record(folder), remote.name, there)
            print_differences(differences)
            if not yes and not typer.confirm(f"Change {remote.name}?"):
                raise CommandError("nothing was changed")
            _send(remote, here)
            if folder.is_dir():
                write_record(folder, remote.name, read_contents(_exported(remote), remote.name))
            print_missing(here.report)
    typer.echo(f"{remote.name}: {'changed' if differences else 'nothing to change'}")


def _options(endpoint: str, anonymous: bool) -> "RemoteOptions":
    from openplaybook.sync.google_remote import RemoteOptions

    return RemoteOptions(endpoint, anonymous)


def _remote(name: str, options: "RemoteOptions") -> "Remote":
    from openplaybook.sync.google_remote import remote_of

    if not name.startswith(_GOOGLE):
        raise CommandError(f"{name!r} is not at Google; write google:projects/P/locations/L/agents/A", exit_code=2)
    return remote_of(name.removeprefix(_GOOGLE), options)


def _package(source: str, options: "RemoteOptions | None", data_dir: Path | None) -> bytes | Path:
    """The package that a word on the command line stands for; without options nothing at Google is meant."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.package_transfer import export_package
    from openplaybook.cli.resource_lookup import find_agent

    if options is not None and source.startswith(_GOOGLE):
        return _exported(_remote(source, options))
    if Path(source).exists():
        return Path(source)
    with server_api(data_dir=data_dir) as api:
        return export_package(api, str(find_agent(api, source)["name"]))


def _exported(remote: "Remote") -> bytes:
    from openplaybook.cli.output import progress

    with progress() as tell:
        return remote.export(tell)


def _send(remote: "Remote", contents: "ComparableFiles") -> None:
    from openplaybook.cli.output import progress

    with progress() as tell:
        remote.replace(contents.archive(), tell)


@contextmanager
def _trouble(exit_code: int = 1) -> Generator[None]:
    """Whatever goes wrong within ends the command with a sentence and this exit code."""
    from openplaybook.models.errors import ModelError
    from openplaybook.packages.errors import PackageError
    from openplaybook.server.errors import ServerError
    from openplaybook.storage.errors import StoreError
    from openplaybook.sync.errors import SyncError

    try:
        yield
    except CommandError as error:
        raise CommandError(str(error), exit_code=max(exit_code, error.exit_code)) from error
    except (SyncError, PackageError, ServerError, StoreError, ModelError) as error:
        raise CommandError(str(error), exit_code=exit_code) from error
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}", exit_code=exit_code) from error
