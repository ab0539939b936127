"""Which file of a package is what."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from openplaybook.packages.dialogflow.agent_layout import (
    AGENT,
    EXAMPLES,
    FLOWS,
    GENERATIVE_SETTINGS,
    PLAYBOOKS,
    SCHEMA,
    TOOLS,
)
from openplaybook.packages.errors import DuplicateName, MalformedFile


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
    others: tuple[str, ...] = field(default=())


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
    expected = ((f"{folder}/{folder.rsplit('/', 1)[-1]}.json", inside) for folder, inside in _folders(paths, FLOWS))
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
