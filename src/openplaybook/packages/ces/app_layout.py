"""Where things stand in an app's package, as exports and Google's `cxas` command have it.

A resource has a folder named after it, with a file of the same name in JSON or YAML. Long texts are files of their
own: the resource has the file's path from the root in place of the text.
"""

import re

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
        parts.append(_snake(part) if isinstance(part, str) else f"{parts[-1]}_{part + 1:02}")
    path = "/".join([folder, *parts] if folder else parts)
    return path + _ENDINGS_OF_TEXTS.get(str(place[-1]), ".txt")


def _snake(key: str) -> str:
    return re.sub(r"([A-Z])", r"_\1", key).lower()
