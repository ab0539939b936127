"""The demo agent: its package, its tool, with the address that its pets service really has, its data store, and its
connection."""

import io
import re
import zipfile
from base64 import b64encode
from collections.abc import Iterator, Sequence
from importlib import resources
from importlib.resources.abc import Traversable

from openplaybook.jsonvalues import JsonObject

AGENT_DISPLAY_NAME = "Pets"
"""Display name of the demo agent, as `agent.json` gives it."""

AGENT_LOCATION = "projects/demo/locations/global"
"""Where it is imported."""

PETS_TOOL = "pets"
"""Display name of the tool that calls the service."""

CARE_STORE = f"{AGENT_LOCATION}/collections/default_collection/dataStores/pet-care"
"""Full name of the data store about the care of pets, as the tool `pet_care` names it."""

DATABASE_NAME = "demo-pets"
"""Under which the demo lists the file of its register for connections."""

RECORDS_CONNECTION = f"{AGENT_LOCATION}/connections/pet-records"
"""Full name of the connection to that file, as the tool `pet_records` names it."""

PETS_PORT = 8090
"""Taken when it is free, so that the address stays the same from run to run."""

_SCHEMA_FILE = f"tools/{PETS_TOOL}/schema.yaml"
_SERVER_URL = re.compile(r"http://127\.0\.0\.1:\d+/v1")
"""What stands in the schema: in the file a valid URL, so that the folder can be imported as it is."""
_EPOCH = (1980, 1, 1, 0, 0, 0)


def agent_files(service_url: str) -> dict[str, bytes]:
    """The package's files by path, sorted; the pets tool calls `service_url` (such as `http://127.0.0.1:8090/v1`)."""
    files = dict(sorted(_read(resources.files("openplaybook.demo") / "agent", "")))
    files[_SCHEMA_FILE] = schema_for(service_url, files[_SCHEMA_FILE].decode()).encode()
    return files


def schema_for(service_url: str, schema: str) -> str:
    """The schema of the pets tool, pointed at where the service is now."""
    return _SERVER_URL.sub(service_url, schema)


def agent_package(service_url: str) -> bytes:
    """`agent_files` as a zip in Google's JSON package layout; equal bytes for an equal URL."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        for path, content in agent_files(service_url).items():
            package.writestr(zipfile.ZipInfo(path, _EPOCH), content)
    return buffer.getvalue()


def records_connection() -> JsonObject:
    """`RECORDS_CONNECTION`, as the Connectors API takes it: nothing can be written through it."""
    return {
        "connectorVersion": f"{AGENT_LOCATION}/providers/gcp/connectors/sqlite/versions/1",
        "description": "What the vet has on record of the pets.",
        "configVariables": [
            {"key": "database", "stringValue": DATABASE_NAME},
            {"key": "tables", "stringValue": "vet_records"},
            {"key": "read_only", "boolValue": True},
        ],
    }


def care_documents() -> Sequence[JsonObject]:
    """The documents of `CARE_STORE`, as the Discovery Engine API takes them."""
    pages = sorted(_read(resources.files("openplaybook.demo") / "care", ""))
    return [
        {
            "id": path.removesuffix(".md"),
            "structData": {"uri": path},
            "content": {"mimeType": "text/markdown", "rawBytes": b64encode(text).decode("ascii")},
        }
        for path, text in pages
    ]


def _read(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _read(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry.read_bytes()
