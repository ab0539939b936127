"""What a call asks for, in every documented spelling of its arguments."""

import base64
import binascii
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, is_number
from openplaybook.sandbox.base import CodeFile
from openplaybook.sandbox.inside.file_transfer import is_safe
from openplaybook.tools.base import Failure

ACTION = "generate_and_execute"
"""The one action, as Dialogflow names it."""
INPUT = f"{ACTION} input"
OUTPUT = f"{ACTION} output"
"""The keys under which Dialogflow has the task and what came of it."""

MAX_QUERY_CHARS = 200_000
MAX_FILES = 32
_LONGEST_MS = 10**9
"""Of a timeout: longer ones are as long as this, since a double does not hold every number."""

_WRAPPERS = (INPUT, "input", "request")


@dataclass(frozen=True, slots=True)
class CodeTask:
    """What is to be done."""

    query: str
    """In words; may hold data, or be code."""
    handles: tuple[str, ...] = ()
    """Handles or names of files of the conversation that it is about; none: all of them."""
    files: tuple[CodeFile, ...] = ()
    """Files that came with the call."""
    timeout_s: float | None = None
    """For each run of code, where the caller says."""


class InvalidTask(ValueError):
    """The arguments of a call are not what the action takes; the message says where and what is allowed."""

    def failure(self) -> Failure:
        """What the caller is told."""
        return Failure("INVALID_ARGUMENTS", str(self))


def read_task(arguments: JsonObject) -> CodeTask:
    """The task that arguments state: `{query, files, timeout}`, bare or under one of the documented wrappers, or a
    wrapper that holds the query alone.

    `timeout` is in milliseconds, as the Vertex AI extension has it; `files` are handles of the conversation's files, or
    `{name, contents}` in base64. Raises `InvalidTask`.
    """
    fields: JsonObject = {}
    for name, value in arguments.items():
        fields |= (as_object(value) or {"query": value}) if name in _WRAPPERS else {name: value}
    query = fields.get("query")
    if not isinstance(query, str) or not query.strip():
        raise InvalidTask("query (generate_and_execute input): is required: a task in words, or Python code")
    if len(query) > MAX_QUERY_CHARS:
        raise InvalidTask(f"query: has {len(query):,} characters, at most {MAX_QUERY_CHARS:,} are allowed")
    unknown = sorted(fields.keys() - {"query", "files", "timeout"})
    if unknown:
        raise InvalidTask(f"{unknown[0]}: is not known; allowed are query, files and timeout")
    handles, files = _files(fields.get("files"))
    return CodeTask(query, handles, files, _timeout_s(fields.get("timeout")))


def _timeout_s(milliseconds: JsonValue) -> float | None:
    if milliseconds is None:
        return None
    if not is_number(milliseconds) or not milliseconds > 0:
        raise InvalidTask("timeout: must be a number of milliseconds above 0")
    return float(min(milliseconds, _LONGEST_MS)) / 1000


def _files(entries: JsonValue) -> tuple[tuple[str, ...], tuple[CodeFile, ...]]:
    """Handles, and files that came along."""
    if entries is not None and not isinstance(entries, list):
        raise InvalidTask("files: must be an array")
    items = as_list(entries)
    if len(items) > MAX_FILES:
        raise InvalidTask(f"files: there are {len(items)}, at most {MAX_FILES} are allowed")
    # An entry that is all empty stands for no file, as in the documented outputs.
    handles = tuple(item for item in items if isinstance(item, str) and item)
    named = [(at, as_object(item)) for at, item in enumerate(items) if not isinstance(item, str)]
    files = tuple(_file(item, f"files[{at}]") for at, item in named if item.get("name") or item.get("contents"))
    names = [file.name for file in files]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidTask(f"files: {twice!r} is given twice")
    return handles, files


def _file(fields: JsonObject, path: str) -> CodeFile:
    name, contents = fields.get("name"), fields.get("contents")
    if not isinstance(name, str) or not is_safe(name):
        raise InvalidTask(f"{path}.name: must be the name of a file, without `..` and leading `/`")
    if not isinstance(contents, str):
        raise InvalidTask(f"{path}.contents: is required: the file in base64")
    try:
        return CodeFile(name, base64.b64decode(contents, validate=True))
    except (binascii.Error, ValueError) as error:
        raise InvalidTask(f"{path}.contents: is not base64: {error}") from error
