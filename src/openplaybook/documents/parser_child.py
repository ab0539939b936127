"""What a child process does with a foreign text: it judges and restates it, or finds lines in it, within limits."""

import math
import re
import resource
from json import JSONDecodeError
from typing import Final

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.json_text import load_json, looks_like_json
from openplaybook.documents.line_search import lines_of
from openplaybook.documents.yaml_text import parse_yaml
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, dumps_indented, loads

READ: Final = "read"
"""Judge a text: the answer is empty for JSON, its value as JSON for YAML."""

RESTATE: Final = "restate"
"""Restate a YAML text as JSON, and refuse what JSON has no form for."""

FIND_LINES: Final = "find lines"
"""Find the lines of members: the answer has them by path."""

ANSWERED: Final = b"A"
REFUSED: Final = b"R"
"""First byte of an answer; after this one comes `{message, line}`."""

_MIB = 1024 * 1024
_NOT_FINITE = re.compile(r"[.](?:inf|nan)", re.IGNORECASE)
_OBJECT, _ARRAY, _PART = 232, 88, 60
"""Bytes that an object, an array and each part of them take in CPython, the length of texts apart."""


def task(job: bytearray) -> bytes:
    """The answer to a job: a line of JSON that says what to do, and the text."""
    end = job.index(b"\n")
    order, text = loads(memoryview(job)[:end]), memoryview(job)[end + 1 :]
    try:
        return ANSWERED + _DONE_BY[order["do"]](text, order)
    except UnreadableDocument as error:
        return REFUSED + dumps({"message": str(error), "line": error.line})


def _read(data: memoryview, order: JsonObject) -> bytes:
    if looks_like_json(bytes(data[:1000]).decode("utf-8", "ignore")) and _is_json(data, order["value_memory"]):
        return b""
    output = _as_json(parse(_decoded(data)))
    _weigh(output, order["value_memory"])
    return output


def parse(text: str) -> JsonValue:
    """The value of a JSON or YAML text, every key a string; raises `UnreadableDocument`.

    YAML's `.inf` and `.nan` become texts, as its dates do: JSON has no such numbers.
    """
    if not text or text.isspace():
        raise UnreadableDocument("the text is empty")
    if not looks_like_json(text):
        return _from_yaml(text)
    try:
        return load_json(text)
    except JSONDecodeError as error:
        try:
            return _from_yaml(text)
        except UnreadableDocument:
            where = f"line {error.lineno} column {error.colno}"
            raise UnreadableDocument(f"the JSON is malformed at {where}: {error.msg}", error.lineno) from error


def _from_yaml(text: str) -> JsonValue:
    value = parse_yaml(text)
    return _with_words(value, {}) if _NOT_FINITE.search(text) else value


def _with_words(value: JsonValue, shared: dict[int, JsonValue]) -> JsonValue:
    """`value` with words for numbers that are not finite; what aliases share stays shared."""
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    if not isinstance(value, dict | list):
        return value
    identity = id(value)  # pyright: ignore[reportUnknownArgumentType]
    if identity not in shared:
        if isinstance(value, dict):
            shared[identity] = {key: _with_words(item, shared) for key, item in as_object(value).items()}
        else:
            shared[identity] = [_with_words(item, shared) for item in as_list(value)]
    return shared[identity]


def _restated(data: memoryview, order: JsonObject) -> bytes:
    value = parse_yaml(_decoded(data))
    try:
        output = dumps_indented(value).encode()
    except ValueError as error:
        raise UnreadableDocument(f"it contains a value that JSON cannot express: {error}") from error
    _weigh(output, order["value_memory"])
    return output


def _is_json(data: memoryview, memory: int) -> bool:
    """Whether it is JSON that fits into the memory: the server reads it once more by itself. Raises
    `UnreadableDocument`."""
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (min(memory, limits[1]), limits[1]))
    try:
        load_json(data)
    except JSONDecodeError:
        return False
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)
    return True


def _as_json(value: JsonValue) -> bytes:
    try:
        return dumps(value)
    except TypeError as error:
        # Nothing else is left to be refused in plain values.
        raise UnreadableDocument("the text contains half of a surrogate pair") from error


def _lines(data: memoryview, order: JsonObject) -> bytes:
    return dumps(lines_of(_decoded(data), [str(path) for path in as_list(order["wanted"])]))


_DONE_BY = {READ: _read, RESTATE: _restated, FIND_LINES: _lines}


def _decoded(data: memoryview) -> str:
    try:
        return bytes(data).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableDocument("the text contains half of a surrogate pair") from error


def _weigh(data: bytes, value_memory: int) -> None:
    """Refuse JSON whose value takes too much memory; commas and brackets in its texts make the estimate a high one."""
    parts = _OBJECT * data.count(b"{") + _ARRAY * data.count(b"[") + _PART * data.count(b",")
    if parts + len(data) > value_memory:
        raise UnreadableDocument(f"its values take more than {value_memory // _MIB} MB of memory")
