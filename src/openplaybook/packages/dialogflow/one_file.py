"""A package as one JSON object, for who asks for JSON rather than for an archive: contents by path.

A file of JSON is the object that it is, any other file its text: `{"playbooks/Desk/Desk.json": {"goal": "…"},
"tools/Pets/schema.yaml": "openapi: …"}`.
"""

from collections.abc import Mapping

from openplaybook.jsonvalues import JsonValue, as_object
from openplaybook.packages.dialogflow.agent_layout import AGENT, PLAYBOOKS, encode_name, resource_path
from openplaybook.packages.errors import MalformedFile
from openplaybook.packages.resource_files import read_object, write_object


def to_one_file(files: Mapping[str, bytes]) -> bytes:
    """The JSON object of files that are all texts."""
    return write_object(
        {path: read_object(path, files[path]) if path.endswith(".json") else files[path].decode() for path in files}
    )


def from_one_file(content: bytes) -> dict[str, bytes]:
    """The files in a JSON object; one without `agent.json` is a playbook's own file. Raises `MalformedFile`."""
    value = read_object("the JSON object", content)
    if AGENT in value:
        return {path: _file(path, held) for path, held in value.items()}
    title = str(value.get("displayName") or "Playbook")
    main = resource_path(PLAYBOOKS, encode_name(title))
    return {AGENT: write_object({"startPlaybook": title}), main: write_object({**value, "displayName": title})}


def _file(path: str, value: JsonValue) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, dict) and path.endswith(".json"):
        return write_object(as_object(value))
    raise MalformedFile(path, "is neither a text nor the JSON object of a .json file")
