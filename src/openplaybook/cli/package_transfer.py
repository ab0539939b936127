"""Agents and apps as packages, through the public API: import, export."""

import io
import re
import zipfile
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.errors import CommandError
from openplaybook.cli.resource_lookup import is_app
from openplaybook.jsonvalues import JsonObject, as_list, as_object, loads
from openplaybook.packages.errors import NotAPackage
from openplaybook.packages.package_formats import APP, DIALOGFLOW, at_root, format_of

if TYPE_CHECKING:
    # What reports are made of takes long to import.
    from openplaybook.packages.report import NoteJson

_ROOTS = (*DIALOGFLOW.roots, *APP.roots)
_MOST_NAMED = 5
_HIDDEN = frozenset({".git", "__MACOSX", ".openplaybook"})


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import made."""

    resource: JsonObject
    """The agent, or the app."""
    notes: "list[NoteJson]"
    """What the server noticed."""
    playbooks: list[JsonObject] = field(default_factory=list[JsonObject])
    """What comes of each playbook here (see `turns.agent.verdicts.PlaybookVerdict.as_json`)."""

    @property
    def name(self) -> str:
        """Its full name."""
        return str(self.resource["name"])


def read_package_file(path: Path) -> bytes:
    """The package at `path` as a zip; a folder is packed. Raises `CommandError` when it cannot be read."""
    try:
        if not path.is_dir():
            package = path.read_bytes()
            if not zipfile.is_zipfile(io.BytesIO(package)):
                hint = f"; give the folder that it is in: {path.parent}" if path.name in _ROOTS else ""
                raise CommandError(f"{path} is neither a folder nor a zip file{hint}")
            return package
        return _packed(path)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from error


def import_package(api: ApiClient, package: bytes, location: str, called: str = "Imported agent") -> Imported:
    """A new agent, or a new app, with the package's content. Nothing stays behind when the package is refused.

    Some of Dialogflow's exports do not say what their agent is called: then it is `called` so.
    """
    root, described = _root_of(package)
    if root in APP.roots:
        return _import_app(api, package, location)
    agent = api.post(
        f"v3/{location}/agents",
        {
            "displayName": described.get("displayName") or called,
            "defaultLanguageCode": described.get("defaultLanguageCode") or "en",
            "timeZone": described.get("timeZone") or "Etc/UTC",
        },
    )
    name = str(agent["name"])
    try:
        return _restore_agent(api, package, name)
    except CommandError:
        api.delete(f"v3/{name}")
        raise


def replace_package(api: ApiClient, package: bytes, name: str) -> Imported:
    """The agent, or the app, of that full name with the package's content in place of its own, all of it or nothing.

    Raises `CommandError`; then it is as it was.
    """
    if is_app(name):
        location, _, id_ = name.partition("/apps/")
        return _import_app(api, package, location, id_)
    return _restore_agent(api, package, name, keepVersions=True)


def _import_app(api: ApiClient, package: bytes, location: str, id_: str = "") -> Imported:
    """Into the app of that id, which loses what it had; without one, into a new app."""
    request: JsonObject = {"appContent": b64encode(package).decode()}
    if id_:
        request |= {"appId": id_, "importOptions": {"conflictResolutionStrategy": "OVERWRITE"}}
    operation = api.completed(api.post(f"v1beta/{location}/apps:importApp", request))
    return Imported(api.get(f"v1beta/{as_object(operation.get('response'))['name']}"), *_notes_and_verdicts(operation))


def _restore_agent(api: ApiClient, package: bytes, name: str, **how: bool) -> Imported:
    content = b64encode(package).decode()
    operation = api.completed(api.post(f"v3/{name}:restore", {"agentContent": content, **how}))
    return Imported(api.get(f"v3/{name}"), *_notes_and_verdicts(operation))


def export_package(api: ApiClient, agent: str) -> bytes:
    """The agent, or the app (full name), as a package."""
    if is_app(agent):
        response = api.finished(api.post(f"v1beta/{agent}:exportApp", {"exportFormat": "JSON"}))
        return b64decode(str(response["appContent"]))
    response = api.finished(api.post(f"v3/{agent}:export", {"dataFormat": "JSON_PACKAGE"}))
    return b64decode(str(response["agentContent"]))


def package_file_name(display_name: str) -> str:
    """A file name that shows the agent's name and is legal everywhere."""
    return (re.sub(r"[^\w.-]+", "_", display_name).strip("._") or "agent") + ".zip"


def package_files(folder: Path) -> dict[str, Path]:
    """The files of a folder that belong to its package, by their paths in it, in order."""
    return {
        file.relative_to(folder).as_posix(): file
        for file in sorted(folder.rglob("*"))
        if file.is_file() and not _HIDDEN & set(file.relative_to(folder).parts)
    }


def _packed(folder: Path) -> bytes:
    files = package_files(folder)
    try:
        at_root(dict.fromkeys(files, b""))
    except NotAPackage as error:
        below = sorted({str(file.parent) for file in files.values() if file.name in _ROOTS})
        hint = f"; below it there are packages: {', '.join(below[:_MOST_NAMED])}" if below else ""
        raise CommandError(f"{folder} is not an export: it has no {' and no '.join(_ROOTS[:2])}{hint}") from error
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as package:
        for path, file in files.items():
            package.write(file, path)
    return buffer.getvalue()


def _notes_and_verdicts(operation: JsonObject) -> "tuple[list[NoteJson], list[JsonObject]]":
    """Notes and verdicts in the metadata of an import: members of a Struct, or of a message of their own."""
    metadata = as_object(operation.get("metadata"))
    members = as_object(metadata.get("value", metadata))
    notes, playbooks = (list(map(as_object, as_list(members.get(field)))) for field in ("notes", "playbooks"))
    return cast("list[NoteJson]", notes), playbooks


def _root_of(package: bytes) -> tuple[str, JsonObject]:
    """Name and contents of the root file; those of an app are not looked into. What else may be wrong with the
    package is the server's to say."""
    try:
        with zipfile.ZipFile(io.BytesIO(package)) as archive:
            paths = [path for path in archive.namelist() if path.split("/", 1)[0] not in _HIDDEN]
            files = {path: b"" for path in paths if not path.endswith("/")}
            rooted = at_root(files)
            root = format_of(rooted).root_in(rooted) or ""
            if root in APP.roots:
                return root, {}
            folder = "" if root in files else f"{paths[0].split('/', 1)[0]}/"
            return root, as_object(loads(archive.read(folder + root)))
    except zipfile.BadZipFile as error:
        raise CommandError(f"the package cannot be unpacked: {error}") from error
    except NotAPackage as error:
        raise CommandError(
            f"the package has no {DIALOGFLOW.roots[0]} and no {APP.roots[0]} at its top level"
        ) from error
    except ValueError as error:
        raise CommandError(f"the package's {DIALOGFLOW.roots[0]} is not JSON: {error}") from error
