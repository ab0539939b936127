"""A file of a package as lines to compare: what its author wrote, in an order that does not depend on who wrote it."""

from collections.abc import Iterator
from hashlib import sha256

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps_line
from openplaybook.packages.errors import MalformedFile
from openplaybook.packages.resource_files import read_object

_NOT_AUTHORED = frozenset({"createTime", "updateTime", "tokenCount", "etag", "projectNumber"})
"""Members of a resource that the side it lives on gives it."""
_DERIVED = frozenset({"actions", "actionSchemas", "schemas", "sharedSchemas"})
"""Members of a tool that follow from its specification."""


def lines_of(path: str, content: bytes) -> tuple[str, ...]:
    """The lines of a file. JSON is told apart from other texts by its ending; bytes that are no text are one line."""
    if path.endswith(".json"):
        try:
            return tuple(_object(_authored(path, read_object(path, content)), ""))
        except MalformedFile:
            # A file that the package only keeps may be anything.
            pass
    try:
        return tuple(content.decode().split("\n"))
    except UnicodeDecodeError:
        return (f"{len(content)} bytes, SHA-256 {sha256(content).hexdigest()}",)


def _authored(path: str, resource: JsonObject) -> JsonObject:
    left_out = _NOT_AUTHORED | _DERIVED if path.startswith("tools/") else _NOT_AUTHORED
    return {key: value for key, value in resource.items() if key not in left_out}


def _object(value: JsonObject, margin: str) -> Iterator[str]:
    # What is said of an object itself goes before what is within it: a step's text before its steps.
    for key in sorted(value, key=lambda key: (isinstance(value[key], (dict, list)), key)):
        yield from _member(f"{margin}{key}:", value[key], margin)


def _member(head: str, value: JsonValue, margin: str) -> Iterator[str]:
    """What stands behind a key or a dash: on its line where it is one line, else beneath it."""
    if isinstance(value, dict) and value:
        yield head
        yield from _object(as_object(value), f"{margin}  ")
    elif isinstance(value, list) and value:
        yield head
        for item in as_list(value):
            yield from _item(item, f"{margin}  ")
    elif isinstance(value, str) and "\n" in value:
        yield f"{head} |"
        yield from (f"{margin}  {line}" for line in value.split("\n"))
    else:
        yield f"{head} {dumps_line(value)}"


def _item(item: JsonValue, margin: str) -> Iterator[str]:
    if not isinstance(item, dict) or not item:
        yield from _member(f"{margin}-", item, margin)
        return
    for at, line in enumerate(_object(as_object(item), f"{margin}  ")):
        yield line if at else f"{margin}- {line.lstrip()}"
