"""Where things stand in a package, which file is what, and how names become file names.

As exports show: ASCII letters, digits, blank, `_`, `-` and `.` stand for themselves, every other byte of the
UTF-8 form is percent-encoded with lower-case hexadecimal digits.

Who asks for JSON rather than for an archive gets a package as one object, contents by path. A file of JSON is the
object that it is, any other file its text: `{"playbooks/Desk/Desk.json": {"goal": "…"}, "tools/Pets/schema.yaml":
"openapi: …"}`.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.packages.errors import DuplicateName, MalformedFile
from openplaybook.packages.resource_files import read_object, write_object
from openplaybook.resources.tool_kinds import TextPlace, ToolMessage, tool_kinds

AGENT = "agent.json"
PLAYBOOKS = "playbooks"
EXAMPLES = "examples"
TOOLS = "tools"
SCHEMA = "schema.yaml"
GENERATIVE_SETTINGS = "generativeSettings"
FLOWS = "flows"
INTENTS = "intents"
TEST_CASES = "testCases"

_SPECIAL = re.compile(rb"[^A-Za-z0-9 _.\-]")


def encode_name(name: str) -> str:
    """The file name of a display name; `decode_name` is its inverse."""
    encoded = _SPECIAL.sub(lambda match: b"%%%02x" % match[0][0], name.encode())
    text = encoded.decode("ascii")
    return text.replace(".", "%2e") if text in (".", "..") else text


def decode_name(file_name: str) -> str:
    """The display name of a file name, without its ending; bytes that are not UTF-8 become U+FFFD."""
    return unquote(file_name, errors="replace")


def resource_path(folder: str, stem: str) -> str:
    """The main file of a resource that has a folder of its own."""
    return f"{folder}/{stem}/{stem}.json"


def example_path(playbook_stem: str, stem: str) -> str:
    """An example's file."""
    return f"{PLAYBOOKS}/{playbook_stem}/{EXAMPLES}/{stem}.json"


def schema_path(tool_stem: str) -> str:
    """The file of a tool's document."""
    return f"{TOOLS}/{tool_stem}/{SCHEMA}"


def document_of(tool: JsonObject) -> tuple[str, TextPlace]:
    """The field of a tool (JSON form), and the place in it of the document that is in a file beside the tool.

    Of a tool that has no such field, those of the first kind that has a document.
    """
    known = [field for field in tool_kinds().fields(ToolMessage.TOOL) if field.texts]
    field = next((field for field in known if field.name in tool), known[0])
    return field.name, field.texts[0]


def settings_path(language_code: str) -> str:
    """The file of generative settings in one language."""
    return f"{GENERATIVE_SETTINGS}/{encode_name(language_code)}.json"


@dataclass(frozen=True, slots=True)
class PlaybookFiles:
    """The files of one playbook."""

    main: str
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolFiles:
    """The files of one tool."""

    main: str
    schema: str | None
    """Its OpenAPI schema; None when there is none beside it."""


@dataclass(frozen=True, slots=True)
class AgentContents:
    """All paths of a package, sorted by what they are."""

    playbooks: tuple[PlaybookFiles, ...]
    tools: tuple[ToolFiles, ...]
    settings: tuple[str, ...]
    others: tuple[str, ...] = ()


def stem_of(path: str) -> str:
    """A file's name without folder and `.json`."""
    return path.rsplit("/", 1)[-1].removesuffix(".json")


def sort_files(paths: Collection[str]) -> AgentContents:
    """Tell the files of a package apart by their paths."""
    playbooks = tuple(_playbook(folder, inside) for folder, inside in _folders(paths, PLAYBOOKS))
    tools = tuple(_tool(folder, inside) for folder, inside in _folders(paths, TOOLS))
    settings = tuple(
        path for path in paths if path.startswith(f"{GENERATIVE_SETTINGS}/") and path.count("/") == 1 and _is_json(path)
    )
    used = {AGENT, *settings}
    for playbook in playbooks:
        used.update((playbook.main, *playbook.examples))
    for tool in tools:
        used.update(path for path in (tool.main, tool.schema) if path)
    return AgentContents(playbooks, tools, settings, tuple(path for path in paths if path not in used))


def flow_files(paths: Iterable[str]) -> list[str]:
    """The main files of flows."""
    return _main_files(paths, FLOWS)


def intent_files(paths: Iterable[str]) -> list[str]:
    """The main files of intents."""
    return _main_files(paths, INTENTS)


def _main_files(paths: Iterable[str], top: str) -> list[str]:
    expected = ((f"{folder}/{folder.rsplit('/', 1)[-1]}.json", inside) for folder, inside in _folders(paths, top))
    return [path for path, inside in expected if path in inside]


def _folders(paths: Iterable[str], top: str) -> list[tuple[str, list[str]]]:
    """The folders right below `top` that hold files, each with all of its files."""
    folders: dict[str, list[str]] = {}
    for path in paths:
        parts = path.split("/")
        if parts[0] == top and len(parts) > 2:
            folders.setdefault(f"{top}/{parts[1]}", []).append(path)
    return list(folders.items())


def _playbook(folder: str, inside: list[str]) -> PlaybookFiles:
    within = f"{folder}/{EXAMPLES}/"
    examples = [
        path for path in inside if path.startswith(within) and "/" not in path[len(within) :] and _is_json(path)
    ]
    return PlaybookFiles(_main(folder, inside), tuple(examples))


def _tool(folder: str, inside: list[str]) -> ToolFiles:
    schema = f"{folder}/{SCHEMA}"
    return ToolFiles(_main(folder, inside), schema if schema in inside else None)


def _main(folder: str, inside: list[str]) -> str:
    """The file of the resource itself: named like its folder, or the only one there."""
    expected = f"{folder}/{folder.rsplit('/', 1)[-1]}.json"
    if expected in inside:
        return expected
    candidates = [path for path in inside if path.count("/") == folder.count("/") + 1 and _is_json(path)]
    if not candidates:
        raise MalformedFile(folder, f"lacks its file {expected}")
    if len(candidates) > 1:
        raise DuplicateName(folder, f"holds several JSON files and none is {expected}")
    return candidates[0]


def _is_json(path: str) -> bool:
    return path.endswith(".json")


def to_one_file(files: Mapping[str, bytes]) -> bytes:
    """The JSON object of files that are all texts."""
    return write_object(
        {path: read_object(path, files[path]) if path.endswith(".json") else files[path].decode() for path in files}
    )


def from_one_file(content: bytes) -> dict[str, bytes]:
    """The files in a JSON object; one without `agent.json` is a playbook's own file. Raises `MalformedFile`."""
    value = read_object("the JSON object", content)
    if AGENT in value:
        return {path: _file(path, member) for path, member in value.items()}
    title = str(value.get("displayName") or "Playbook")
    main = resource_path(PLAYBOOKS, encode_name(title))
    return {AGENT: write_object({"startPlaybook": title}), main: write_object({**value, "displayName": title})}


def _file(path: str, value: JsonValue) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, dict) and path.endswith(".json"):
        return write_object(as_object(value))
    raise MalformedFile(path, "is neither a text nor the JSON object of a .json file")
