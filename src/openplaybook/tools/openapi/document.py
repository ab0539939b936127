"""Reading an OpenAPI description: JSON or YAML text to plain values with string keys."""

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import cast

import orjson
import yaml
import yaml12

from openplaybook.jsonvalues import JsonObject, JsonValue, is_deep, loads

_ANCHOR = re.compile(r"(?:^|[\s,\[{:-])&([^\s,\[\]{}]+)", re.MULTILINE)
_ALIAS = re.compile(r"(?:^|[\s,\[{:-])\*([^\s,\[\]{}]+)", re.MULTILINE)
_POSITION = re.compile(r"(?:at byte \d+ )?line (\d+) column (\d+)")
_MAX_NODES = 5_000_000
_MAX_MERGED = 500_000
"""Members of mappings once their merge keys are followed."""

MAX_DEPTH = 200
"""Objects and arrays within each other. Recursion over a description, and writing its schemas as JSON, end there."""

_UNDER_WAY = -1


class UnreadableDocument(Exception):
    """The text is neither JSON nor YAML, or not a description."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        """Counted from 1, where known."""


@dataclass(frozen=True, slots=True)
class Document:
    """A description, read but not judged."""

    root: JsonObject
    version: str
    """What its `openapi` member says, such as `3.0.3`."""


def load_document(text: str) -> Document:
    """The description in `text`; raises `UnreadableDocument`."""
    root = parse(text.removeprefix("\ufeff"))
    if not isinstance(root, dict):
        raise UnreadableDocument("an OpenAPI description is an object with openapi, info and paths; this is not")
    if is_deep(cast(JsonObject, root), MAX_DEPTH):
        raise UnreadableDocument(f"objects and arrays lie within each other in more than {MAX_DEPTH} levels")
    description = cast(JsonObject, root)
    if "swagger" in description:
        raise UnreadableDocument(f"OpenAPI {description['swagger']} is not supported yet; convert it to OpenAPI 3")
    version = str(description.get("openapi", ""))
    if not version.startswith("3."):
        said = f"says {version!r}" if version else "is missing"
        raise UnreadableDocument(f"the member openapi {said}; it must be a version 3.x, such as 3.0.3")
    return Document(description, version)


def parse(text: str) -> JsonValue:
    """The value of a JSON or YAML text, every key a string; raises `UnreadableDocument`."""
    if not text.strip():
        raise UnreadableDocument("the text is empty")
    if text.lstrip()[0] in "{[":
        try:
            return loads(text)
        except orjson.JSONDecodeError as error:
            try:
                return _parse_yaml(text)
            except UnreadableDocument:
                where = f"line {error.lineno} column {error.colno}"
                raise UnreadableDocument(f"the JSON is malformed at {where}: {error.msg}", error.lineno) from error
    return _parse_yaml(text)


def _parse_yaml(text: str) -> JsonValue:
    """YAML 1.2 by the fast parser; by the other one where aliases are used, which the fast one copies out in full."""
    if not _uses_aliases(text):
        try:
            return _plain(yaml12.parse_yaml(text), {})
        except ValueError as error:
            if "recursion limit" in str(error):
                raise UnreadableDocument("the YAML is nested too deeply", _line(str(error))) from error
    try:
        _check_nesting(text)
        loaded: JsonValue = yaml.load(text, Loader=_CoreLoader)
        if _size(loaded, {}) > _MAX_NODES:
            raise UnreadableDocument(f"the YAML's aliases stand for more than {_MAX_NODES:,} values")
        return _plain(loaded, {})
    except yaml.YAMLError as error:
        raise _unreadable_yaml(error) from error
    except RecursionError as error:
        raise UnreadableDocument("the YAML is nested too deeply") from error
    except ValueError as error:
        raise UnreadableDocument(f"the YAML cannot be read: {error}") from error


def _check_nesting(text: str) -> None:
    """Refuse deep nesting before it is loaded: the loader recurses in C, where it ends the process."""
    depth = 0
    for event in _events(text):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise UnreadableDocument("the YAML is nested too deeply")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _events(text: str) -> Iterator[yaml.Event]:
    """What the parser meets, in order; raises `yaml.YAMLError`."""
    parser = _CoreLoader(text)
    try:
        while (event := parser.get_event()) is not None and not isinstance(event, yaml.StreamEndEvent):
            yield event
    finally:
        parser.dispose()


def _uses_aliases(text: str) -> bool:
    if "&" not in text or "*" not in text:
        return False
    return not set(_ANCHOR.findall(text)).isdisjoint(_ALIAS.findall(text))


class _CoreLoader(yaml.CSafeLoader):
    """PyYAML with the words of YAML 1.2: dates are text, and so are `on`, `off`, `yes` and `no`.

    Merge keys (`<<`) are taken, each member once: copied as often as it is named, it would double with each merge.
    """

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._merged = 0

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Put the members in that a mapping takes over from others; raises `yaml.YAMLError` when they are too many."""
        before = len(node.value)
        super().flatten_mapping(node)
        if len(node.value) > before:
            node.value = list({_identity(key): (key, value) for key, value in node.value}.values())
        self._merged += len(node.value)
        if self._merged > _MAX_MERGED:
            raise yaml.YAMLError(f"its merge keys stand for more than {_MAX_MERGED:,} members")


def _identity(key: yaml.Node) -> Hashable:
    """Equal for keys that are written alike."""
    return (key.tag, key.value) if isinstance(key, yaml.ScalarNode) else id(key)


def _text(loader: _CoreLoader, node: yaml.ScalarNode) -> str:
    return str(node.value)


def _boolean(loader: _CoreLoader, node: yaml.ScalarNode) -> bool | str:
    word = str(node.value)
    return word.lower() == "true" if word.lower() in ("true", "false") else word


_CoreLoader.add_constructor("tag:yaml.org,2002:timestamp", _text)
_CoreLoader.add_constructor("tag:yaml.org,2002:bool", _boolean)


def _plain(value: JsonValue, known: dict[int, JsonValue]) -> JsonValue:
    """`value` with string keys and without tags; a shared part stays shared."""
    if isinstance(value, yaml12.Yaml):
        return _plain(value.value, known)
    identity = id(value)
    if isinstance(value, dict):
        if identity not in known:
            source = cast(dict[Hashable, JsonValue], value)
            known[identity] = {_key(key): _plain(item, known) for key, item in source.items()}
        return known[identity]
    if isinstance(value, list):
        if identity not in known:
            known[identity] = [_plain(item, known) for item in cast(list[JsonValue], value)]
        return known[identity]
    if isinstance(value, int) and not isinstance(value, bool) and not -(2**63) <= value < 2**64:
        return float(value)
    return value if isinstance(value, str | int | float) or value is None else str(value)


def _key(key: Hashable) -> str:
    """A mapping key as JSON would have it: the unquoted status 200 becomes "200"."""
    if isinstance(key, str):
        return key
    if isinstance(key, bool):
        return "true" if key else "false"
    return "null" if key is None else str(key)


def _size(value: JsonValue, known: dict[int, int]) -> int:
    """Values in `value` when every shared part is counted as often as it is used; raises `UnreadableDocument`."""
    identity = id(value)
    if isinstance(value, dict):
        children = list(cast(JsonObject, value).values())
    elif isinstance(value, list):
        children = cast(list[JsonValue], value)
    else:
        return 1
    if identity not in known:
        known[identity] = _UNDER_WAY
        known[identity] = 1 + sum(_size(child, known) for child in children)
    if known[identity] == _UNDER_WAY:
        raise UnreadableDocument("the YAML holds an alias to something it is itself a part of")
    return known[identity]


def _unreadable_yaml(error: yaml.YAMLError) -> UnreadableDocument:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        line, column = error.problem_mark.line + 1, error.problem_mark.column + 1
        reason = " ".join(part for part in (error.context, error.problem) if part)
        return UnreadableDocument(f"the YAML is malformed at line {line} column {column}: {reason}", line)
    return UnreadableDocument(f"the YAML is malformed: {str(error).partition(chr(10))[0]}", _line(str(error)))


def _line(message: str) -> int | None:
    match = _POSITION.search(message)
    return int(match[1]) if match else None
