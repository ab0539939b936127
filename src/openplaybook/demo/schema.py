"""The demo agent's package, with the address that its pets service really has."""

import io
import zipfile
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

AGENT_DISPLAY_NAME = "Pets"
"""Display name of the demo agent, as `agent.json` gives it."""

_SCHEMA_FILE = "tools/pets/schema.yaml"
_WRITTEN_URL = "http://127.0.0.1:8090/v1"
"""The server URL that stands in the schema file; a valid one, so that the folder can be imported as it is."""
_EPOCH = (1980, 1, 1, 0, 0, 0)


def agent_files(service_url: str) -> dict[str, bytes]:
    """The package's files by path, sorted; the pets tool calls `service_url` (such as `http://127.0.0.1:8090/v1`)."""
    files = dict(sorted(_read(resources.files("openplaybook.demo") / "agent", "")))
    schema = files[_SCHEMA_FILE].decode()
    files[_SCHEMA_FILE] = schema.replace(f"'{_WRITTEN_URL}'", f"'{service_url}'").encode()
    return files


def agent_package(service_url: str) -> bytes:
    """`agent_files` as a zip in Google's JSON package layout; equal bytes for an equal URL."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        for path, content in agent_files(service_url).items():
            package.writestr(zipfile.ZipInfo(path, _EPOCH), content)
    return buffer.getvalue()


def _read(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _read(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry.read_bytes()
