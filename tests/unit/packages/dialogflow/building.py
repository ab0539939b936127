"""Packages for tests, made from their files."""

import io
import json
import zipfile
from collections.abc import Mapping

from openplaybook.jsonvalues import JsonObject

AGENT = "projects/p/locations/l/agents/a"
FOREIGN = "projects/other/locations/global/agents/5f1c3a52"


def zip_of(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return buffer.getvalue()


def package_of(files: Mapping[str, JsonObject | bytes]) -> bytes:
    """A zip of JSON objects and other files; `agent.json` is added when it is not given."""
    contents: dict[str, JsonObject | bytes] = {"agent.json": {"displayName": "A"}, **files}
    return zip_of(
        {path: value if isinstance(value, bytes) else json.dumps(value).encode() for path, value in contents.items()}
    )


def playbook_file(name: str, resource: JsonObject | None = None) -> tuple[str, JsonObject]:
    return f"playbooks/{name}/{name}.json", {"name": f"id-{name}", "displayName": name, **(resource or {})}


def tool_file(name: str, resource: JsonObject | None = None) -> tuple[str, JsonObject]:
    return f"tools/{name}/{name}.json", {"name": f"id-{name}", "displayName": name, **(resource or {})}


def example_file(playbook: str, name: str, resource: JsonObject | None = None) -> tuple[str, JsonObject]:
    path = f"playbooks/{playbook}/examples/{name}.json"
    return path, {"name": f"id-{name}", "displayName": name, **(resource or {})}
