"""Files of a package that hold a resource, in JSON or in YAML: read strictly, JSON written as Google writes it (two
blanks a level, UTF-8)."""

import json

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.parser_process import yaml_as_json
from openplaybook.documents.yaml_output import to_yaml
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps_indented, number_of
from openplaybook.packages.errors import MalformedFile

MAX_DEPTH = 100
"""Levels of objects and lists in a file; protobuf takes no more in a message."""


def read_text(file: str, content: bytes) -> str:
    """A file's text; `MalformedFile` with the place of the first byte that is not UTF-8."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise MalformedFile(file, "is not UTF-8", line, column) from error


def read_object(file: str, content: bytes) -> JsonObject:
    """The JSON object that a file is; `MalformedFile` otherwise, and for what `read_json` refuses."""
    value = read_json(file, content)
    if not isinstance(value, dict):
        raise MalformedFile(file, "is JSON, but not an object", 1, 1)
    return as_object(value)


def read_json(file: str, content: bytes) -> JsonValue:
    """The JSON value that a file is; `MalformedFile` otherwise.

    What could not be kept as it is, is refused: numbers of more than 4,000 digits, NaN and infinities, halves of
    surrogate pairs, keys given twice, and more than `MAX_DEPTH` levels.
    """
    text = read_text(file, content).removeprefix("\ufeff")
    try:
        value = json.loads(
            text,
            parse_int=number_of,
            parse_float=number_of,
            parse_constant=_refuse_constant,
            object_pairs_hook=_unique_keys,
        )
        if _is_deeper(value, MAX_DEPTH):
            raise MalformedFile(file, f"is nested deeper than {MAX_DEPTH} levels")
        dumps_indented(value).encode()
    except json.JSONDecodeError as error:
        raise MalformedFile(file, f"is not JSON: {error.msg}", error.lineno, error.colno) from error
    except UnicodeEncodeError as error:
        raise MalformedFile(file, "contains half of a surrogate pair") from error
    except RecursionError as error:
        raise MalformedFile(file, f"is nested deeper than {MAX_DEPTH} levels") from error
    except ValueError as error:
        raise MalformedFile(file, f"is not JSON: {error}") from error
    return value


def write_object(value: JsonObject) -> bytes:
    """The file of a JSON object."""
    return dumps_indented(value).encode() + b"\n"


def _is_deeper(value: JsonValue, limit: int) -> bool:
    """Whether objects and lists are nested in more than `limit` levels."""
    level: list[JsonValue] = [value]
    for _ in range(limit + 1):
        level = [inner for outer in level for inner in (*as_object(outer).values(), *as_list(outer))]
        if not level:
            return False
    return True


def _refuse_constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is not a JSON number")


def _unique_keys(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    members = dict(pairs)
    if len(members) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in members if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} is given twice in one object")
    return members


def read_document(file: str, content: bytes) -> JsonObject:
    """The object that a file is, by its ending. Blocks. Raises `MalformedFile` with the line, and `WorkError`."""
    if file.endswith(".json"):
        return read_object(file, content)
    text = read_text(file, content).removeprefix("\ufeff")
    try:
        restated = yaml_as_json(text)
    except UnreadableDocument as error:
        raise MalformedFile(file, f"is not YAML: {error}", error.line) from error
    if not restated.startswith(b"{"):
        raise MalformedFile(file, "is YAML, but not a mapping", 1, 1)
    # What YAML allows and packages do not is told as for a JSON file.
    return read_object(file, restated)


def write_document(file: str, value: JsonObject) -> bytes:
    """The file of a resource, in the form that its ending says."""
    if file.endswith(".json"):
        return write_object(value)
    return to_yaml(value).encode()
