"""Agents as packages, through the public API: create and restore, export."""

import io
import json
import re
import zipfile
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path

from openplaybook.cli.api import Api
from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject, as_list, as_object

_AGENT_FILE = "agent.json"
_FAULTS = frozenset({"ERROR", "WARNING"})


def read_package_file(path: Path) -> bytes:
    """The package at `path` as a zip; a folder is packed. Raises `CommandError` when it cannot be read."""
    try:
        if not path.is_dir():
            package = path.read_bytes()
            if not zipfile.is_zipfile(io.BytesIO(package)):
                raise CommandError(f"{path} is neither a folder nor a zip file")
            return package
        if not (path / _AGENT_FILE).is_file():
            raise CommandError(f"{path} is no package: it has no {_AGENT_FILE}")
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
            for file in sorted(entry for entry in path.rglob("*") if entry.is_file()):
                package.write(file, file.relative_to(path))
        return buffer.getvalue()
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from error


def import_package(api: Api, package: bytes, location: str) -> JsonObject:
    """A new agent with the package's content. Nothing stays behind when the package cannot be restored."""
    described = _agent_of(package)
    agent = api.post(
        f"v3/{location}/agents",
        {
            "displayName": described.get("displayName") or "Imported agent",
            "defaultLanguageCode": described.get("defaultLanguageCode") or "en",
            "timeZone": described.get("timeZone") or "Etc/UTC",
        },
    )
    name = agent["name"]
    try:
        api.finished(api.post(f"v3/{name}:restore", {"agentContent": b64encode(package).decode()}))
    except CommandError:
        api.delete(f"v3/{name}")
        raise
    return api.get(f"v3/{name}")


def faults(api: Api, agent: str) -> Iterator[str]:
    """What keeps parts of an agent (full name) from working, each with the resource it is in.

    Packages hold no secrets, so tools of a new agent often lack theirs.
    """
    result = api.get(f"v3/{agent}/validationResult")
    for entry in map(as_object, as_list(result.get("flowValidationResults"))):
        for message in map(as_object, as_list(entry.get("validationMessages"))):
            if message.get("severity") in _FAULTS:
                names = [str(as_object(name).get("displayName")) for name in as_list(message.get("resourceNames"))]
                yield f"{', '.join(names)}: {message.get('detail')}"


def export_package(api: Api, agent: str) -> bytes:
    """The agent (full name) as a package."""
    response = api.finished(api.post(f"v3/{agent}:export", {"dataFormat": "JSON_PACKAGE"}))
    return b64decode(str(response["agentContent"]))


def package_file_name(display_name: str) -> str:
    """A file name that shows the agent's name and is legal everywhere."""
    return (re.sub(r"[^\w.-]+", "_", display_name).strip("._") or "agent") + ".zip"


def _agent_of(package: bytes) -> JsonObject:
    """The package's `agent.json`; what else may be wrong with the package is the server's to say."""
    try:
        with zipfile.ZipFile(io.BytesIO(package)) as archive:
            return as_object(json.loads(archive.read(_AGENT_FILE)))
    except zipfile.BadZipFile as error:
        raise CommandError(f"the package cannot be unpacked: {error}") from error
    except KeyError as error:
        raise CommandError(f"the package has no {_AGENT_FILE} at its top level") from error
    except ValueError as error:
        raise CommandError(f"the package's {_AGENT_FILE} is not JSON: {error}") from error
