"""Where things stand in an app's package, as exports and Google's `cxas` command have it, and which file is what.

A resource has a folder named after it, with a file of the same name in JSON or YAML. Long texts are files of their
own: the resource has the file's path from the root in place of the text.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from openplaybook.packages.errors import DuplicateName, MalformedFile
from openplaybook.packages.package_formats import APP as APP_FORMAT

APP = "app"
"""Stem of the root file, and the key of the app itself where resources are named by their place below it."""
AGENTS = "agents"
TOOLS = "tools"
TOOLSETS = "toolsets"
EXAMPLES = "examples"
GUARDRAILS = "guardrails"
COLLECTIONS = (AGENTS, TOOLS, TOOLSETS, EXAMPLES, GUARDRAILS)
ENVIRONMENT = "environment.json"
ENDINGS = (".json", ".yaml", ".yml")
"""Of files that hold a resource; the first that is there counts."""

_UNSAFE = re.compile(r"[^A-Za-z0-9_\-]+")
_TEXT_PATH = re.compile(r"(?:[\w .\-]+/)*[\w .\-]+\.(?:txt|py|yaml|yml|json|md)")
_MOST_CHARACTERS = 100
_ENDINGS_OF_TEXTS = {"pythonCode": ".py", "openApiSchema": ".yaml"}


def stem_of(path: str) -> str:
    """A file's name without folder and ending."""
    return path.rsplit("/", 1)[-1].rpartition(".")[0]


def safe_stem(name: str) -> str:
    """The file name of a display name; empty when nothing of it can stand in one."""
    return _UNSAFE.sub("_", name)[:_MOST_CHARACTERS].strip("_")


def looks_like_path(text: str) -> bool:
    """Whether a text may be the path of a file that holds the text meant."""
    return len(text) < 500 and _TEXT_PATH.fullmatch(text) is not None


def text_path(folder: str, place: tuple[str | int, ...]) -> str:
    """The usual file of the text at a place in a resource.

    `beforeModelCallbacks[0].pythonCode` is in `before_model_callbacks/before_model_callbacks_01/python_code.py`.
    """
    parts: list[str] = []
    for part in place:
        parts.append(re.sub("([A-Z])", r"_\1", part).lower() if isinstance(part, str) else f"{parts[-1]}_{part + 1:02}")
    path = "/".join([folder, *parts] if folder else parts)
    return path + _ENDINGS_OF_TEXTS.get(str(place[-1]), ".txt")


@dataclass(frozen=True, slots=True)
class AppContents:
    """The files of resources, sorted by what they are."""

    app: str
    """The root file."""
    resources: dict[str, tuple[str, ...]]
    """By collection, the main files of its resources."""


def sort_files(paths: Collection[str]) -> AppContents:
    """Tell the files of a package apart by their paths. Raises `PackageError` for a folder of unclear meaning."""
    app = next(root for root in APP_FORMAT.roots if root in paths)
    return AppContents(app, {collection: _resources(collection, paths) for collection in COLLECTIONS})


def _resources(collection: str, paths: Collection[str]) -> tuple[str, ...]:
    """Main files of the resources in a collection: one in each folder, or right below the collection."""
    folders: dict[str, list[str]] = {}
    files: list[str] = []
    for path in paths:
        parts = path.split("/")
        if parts[0] == collection and len(parts) > 2:
            folders.setdefault(f"{collection}/{parts[1]}", []).append(path)
        elif parts[0] == collection and len(parts) == 2 and path.endswith(ENDINGS):
            files.append(path)
    mains = (_main(folder, inside) for folder, inside in folders.items())
    return tuple(sorted([*files, *mains]))


def _main(folder: str, inside: list[str]) -> str:
    """The file of the resource itself: named like its folder, or the only one there that may be one."""
    name = folder.rsplit("/", 1)[-1]
    expected = [path for ending in ENDINGS if (path := f"{folder}/{name}{ending}") in inside]
    if expected:
        return expected[0]
    depth = folder.count("/") + 1
    candidates = [path for path in inside if path.count("/") == depth and path.endswith(ENDINGS)]
    if not candidates:
        raise MalformedFile(folder, f"lacks its file {name}.json or {name}.yaml")
    if len(candidates) > 1:
        raise DuplicateName(folder, f"holds several files of a resource and none is {name}.json or {name}.yaml")
    return candidates[0]
