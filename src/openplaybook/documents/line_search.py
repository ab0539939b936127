"""The lines of members in the text of a document. YAML is read for it: for a child process, where it is foreign."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

import yaml

from openplaybook.documents.json_text import looks_like_json

_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\]"]|[^\s"{}\[\],:]++')
_FLAT = r'(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+")*+'
_NEXT_BRACKET = re.compile(rf'(?:[^"{{}}\[\]]++|"(?:[^"\\]++|\\.)*+"|\{{{_FLAT}\}}|\[{_FLAT}\])*+[{{}}\[\]]', re.DOTALL)
"""What stands up to a bracket outside of texts, and the bracket; objects and arrays that hold no others are passed."""


class _Kind(Enum):
    OBJECT = auto()
    ARRAY = auto()
    END = auto()
    SCALAR = auto()


@dataclass(frozen=True, slots=True)
class _Event:
    kind: _Kind
    value: str
    line: int


@dataclass(slots=True)
class _Frame:
    """An object or array that is open."""

    path: str
    is_object: bool
    key: str | None = None
    count: int = 0

    def child(self) -> str:
        """The path of the value that comes now."""
        return f"{self.path}.{self.key}" if self.is_object else f"{self.path}[{self.count}]"


def lines_of(text: str, wanted: Iterable[str]) -> dict[str, int]:
    """The lines of the wanted paths and of what leads to them, as far as the text can be read."""
    steps = {path[: match.start()] for path in wanted for match in re.finditer(r"[.\[]", path)}
    beginnings = (steps | set(wanted)) - {"$"}
    if looks_like_json(text):
        return _until_all(_members(_JsonEvents(text), beginnings), len(beginnings))
    events = _YamlEvents(text)
    try:
        return _until_all(_members(events, beginnings), len(beginnings))
    finally:
        events.close()


def _until_all(members: Iterator[tuple[str, int]], wanted: int) -> dict[str, int]:
    """What is found, up to the last of the `wanted` paths: the rest of the text need not be read."""
    lines: dict[str, int] = {}
    for path, line in members:
        lines[path] = line
        if len(lines) == wanted:
            break
    return lines


class _Events(Protocol):
    """What stands in a text, in order."""

    def __iter__(self) -> Iterator[_Event]: ...

    def __next__(self) -> _Event: ...

    def skip(self) -> None:
        """Go past the end of the object or array that has just begun."""
        ...


def _members(events: _Events, beginnings: set[str]) -> Iterator[tuple[str, int]]:
    """Path and line of every member and item whose path is one of `beginnings`."""
    frames: list[_Frame] = []
    for event in events:
        if event.kind is _Kind.END:
            if frames:
                frames.pop()
            continue
        frame = frames[-1] if frames else None
        if frame is not None and frame.is_object and frame.key is None:
            frame.key = event.value
            member = frame.child()
            if member in beginnings:
                yield member, event.line
            continue
        path = "$" if frame is None else frame.child()
        if frame is not None:
            if not frame.is_object and path in beginnings:
                yield path, event.line
            frame.key = None
            frame.count += 1
        if event.kind is not _Kind.SCALAR:
            if path in beginnings or path == "$":
                frames.append(_Frame(path, event.kind is _Kind.OBJECT))
            else:
                events.skip()


class _JsonEvents:
    """What stands in a JSON text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1
        self._counted = 0
        """Where the line was counted to."""

    def __iter__(self) -> "_JsonEvents":
        return self

    def __next__(self) -> _Event:
        match = _TOKEN.search(self._text, self._at)
        if match is None or match[0] == '"':
            # A text without an end is none of JSON's: what follows cannot be told apart.
            raise StopIteration
        self._at = match.end()
        self._line += self._text.count("\n", self._counted, match.start())
        self._counted = match.start()
        token = match[0]
        if token in ("{", "["):
            return _Event(_Kind.OBJECT if token == "{" else _Kind.ARRAY, "", self._line)
        if token in ("}", "]"):
            return _Event(_Kind.END, "", self._line)
        return _Event(_Kind.SCALAR, _unquoted(token), self._line)

    def skip(self) -> None:
        """Go past the end of the object or array that has just begun."""
        depth = 1
        while depth:
            match = _NEXT_BRACKET.match(self._text, self._at)
            if match is None:
                self._at = len(self._text)
                return
            self._at = match.end()
            depth += 1 if self._text[self._at - 1] in "{[" else -1


def _unquoted(token: str) -> str:
    if "\\" not in token:
        return token.strip('"')
    try:
        return str(json.loads(token))
    except ValueError:
        return token


class _YamlEvents:
    """What the parser meets in a YAML text; it ends where the text is malformed."""

    def __init__(self, text: str) -> None:
        self._parser = yaml.CSafeLoader(text)

    def __iter__(self) -> "_YamlEvents":
        return self

    def __next__(self) -> _Event:
        while (event := self._next()) is not None:
            line = event.start_mark.line + 1
            if isinstance(event, yaml.ScalarEvent):
                return _Event(_Kind.SCALAR, event.value, line)
            if isinstance(event, yaml.MappingStartEvent):
                return _Event(_Kind.OBJECT, "", line)
            if isinstance(event, yaml.SequenceStartEvent):
                return _Event(_Kind.ARRAY, "", line)
            if isinstance(event, yaml.CollectionEndEvent):
                return _Event(_Kind.END, "", line)
            if isinstance(event, yaml.AliasEvent):
                return _Event(_Kind.SCALAR, "", line)
        raise StopIteration

    def skip(self) -> None:
        """Go past the end of the object or array that has just begun."""
        depth = 1
        while depth and (event := self._next()) is not None:
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1

    def close(self) -> None:
        """Let the parser's memory go."""
        self._parser.dispose()

    def _next(self) -> yaml.Event | None:
        try:
            event = self._parser.get_event()
        except yaml.YAMLError:
            return None
        return None if isinstance(event, yaml.DocumentEndEvent) else event
