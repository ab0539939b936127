"""A folder that an agent was pulled into, and the record in it of what was pulled."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.packages.errors import MalformedFile
from openplaybook.packages.package_files import file_in
from openplaybook.packages.resource_files import read_object, write_object
from openplaybook.sync.comparable_files import ComparableFiles, read_contents
from openplaybook.sync.errors import LocalChanges, RemoteChanged

RECORD = ".openplaybook/sync.json"
"""Path of the record in the folder; readers of packages pass its folder over."""
_MAX_NAMED = 5


@dataclass(frozen=True, slots=True)
class PullRecord:
    """What an agent was when both sides were last the same."""

    remote: str
    """Its full name there."""
    files: Mapping[str, str]
    """Digests of its files by path (see `ComparableFiles.digests`)."""


def read_record(folder: Path) -> PullRecord | None:
    """What was last pulled into a folder or pushed from it; None where nothing was. Raises `MalformedFile`."""
    try:
        content = (folder / RECORD).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    record = read_object(RECORD, content)
    if not isinstance(record.get("remote"), str) or not isinstance(record.get("files"), dict):
        raise MalformedFile(RECORD, "is not the record of a pull; delete it, and pull again")
    return PullRecord(str(record["remote"]), {path: str(digest) for path, digest in as_object(record["files"]).items()})


def write_record(folder: Path, remote: str, contents: ComparableFiles) -> None:
    """Remember that the folder and the agent there are the same now."""
    record: JsonObject = {"remote": remote, "files": dict(sorted(contents.digests.items()))}
    path = folder / RECORD
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(write_object(record))


def check_remote(pulled: PullRecord | None, remote: str, there: ComparableFiles) -> None:
    """Raise `RemoteChanged` where the agent there is not what was pulled from it."""
    if pulled is None or pulled.remote != remote or pulled.files == there.digests:
        return
    changed = _changed(pulled.files, there.digests)
    raise RemoteChanged(
        f"{remote} was changed since it was pulled ({_listed(changed)}); "
        "pull it again, or push with --force to undo that"
    )


def check_local(folder: Path, remote: str, incoming: ComparableFiles) -> None:
    """Raise `LocalChanges` where a pull would undo what was done in the folder."""
    pulled = read_record(folder)
    if pulled is None:
        if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
            raise LocalChanges(f"{folder} exists, but was not pulled; --force writes into it")
        return
    if pulled.remote != remote:
        raise LocalChanges(f"{folder} was pulled from {pulled.remote}; --force replaces it with {remote}")
    here = read_contents(folder, remote).digests
    at_stake = {*pulled.files, *incoming.files}
    changed = [path for path in _changed(pulled.files, here) if path in at_stake]
    undone = [path for path in changed if here.get(path) != incoming.digests.get(path)]
    if undone:
        raise LocalChanges(f"{folder} was changed since the pull ({_listed(undone)}); --force undoes that")


def write_folder(folder: Path, remote: str, contents: ComparableFiles) -> None:
    """Make a folder what was pulled, with its record. Other files in it stay; those of the last pull go.

    Raises `UnsafeArchive` before anything is changed where a file would lie outside of the folder: neither what is
    pulled nor the record is trusted.
    """
    pulled = read_record(folder)
    gone = {path: file_in(folder, path) for path in set(pulled.files if pulled else ()) - set(contents.files)}
    targets = {path: file_in(folder, path) for path in contents.files}
    file_in(folder, RECORD)
    for path, content in contents.files.items():
        file = targets[path]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    for _, file in sorted(gone.items(), reverse=True):
        file.unlink(missing_ok=True)
        _remove_empty(folder, file.parent)
    write_record(folder, remote, contents)


def _remove_empty(folder: Path, within: Path) -> None:
    while within != folder and within.is_dir() and not any(within.iterdir()):
        within.rmdir()
        within = within.parent


def _changed(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    return [path for path in sorted({*before, *after}) if before.get(path) != after.get(path)]


def _listed(paths: list[str]) -> str:
    listed = ", ".join(paths[:_MAX_NAMED])
    return f"{listed} and {len(paths) - _MAX_NAMED} more" if len(paths) > _MAX_NAMED else listed
