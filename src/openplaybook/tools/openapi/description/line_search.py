"""The lines of members in the text of a document. YAML is read for it: for a child process, where it is foreign."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

import yaml

from openplaybook.tools.openapi.description.json_text import looks_like_json

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s"{}\[\],:]+')


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

    path: str | None
    """None where nothing is looked for."""
    is_object: bool
    key: str | None = None
    count: int = 0

    def child(self) -> str | None:
        """The path of the value that comes now."""
        if self.path is None:
            return None
        return f"{self.path}.{self.key}" if self.is_object else f"{self.path}[{self.count}]"


def lines_of(text: str, wanted: Iterable[str]) -> dict[str, int]:
    """The lines of the wanted paths and of what leads to them, as far as the text can be read."""
    beginnings = {path[: match.start()] for path in wanted for match in re.finditer(r"[.\[]", path)} | set(wanted)
    events = _json_events(text) if looks_like_json(text) else _yaml_events(text)
    return dict(_found(events, beginnings))


def _found(events: Iterator[_Event], beginnings: set[str]) -> Iterator[tuple[str, int]]:
    """Path and line of every member whose path is one of `beginnings`."""
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
            if member is not None and member in beginnings:
                yield member, event.line
            continue
        path = "$" if frame is None else frame.child()
        if frame is not None:
            frame.key = None
            frame.count += 1
        if event.kind is not _Kind.SCALAR:
            kept = path if path in beginnings or path == "$" else None
            frames.append(_Frame(kept, event.kind is _Kind.OBJECT))


def _json_events(text: str) -> Iterator[_Event]:
    line, counted = 1, 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        line, counted = line + text.count("\n", counted, match.start()), match.start()
        if token in ("{", "["):
            yield _Event(_Kind.OBJECT if token == "{" else _Kind.ARRAY, "", line)
        elif token in ("}", "]"):
            yield _Event(_Kind.END, "", line)
        else:
            yield _Event(_Kind.SCALAR, _unquoted(token), line)


def _unquoted(token: str) -> str:
    if "\\" not in token:
        return token.strip('"')
    try:
        return str(json.loads(token))
    except ValueError:
        return token


def _yaml_events(text: str) -> Iterator[_Event]:
    """What the parser meets; it ends where the text is malformed."""
    parser = yaml.CSafeLoader(text)
    try:
        while (event := parser.get_event()) is not None and not isinstance(event, yaml.DocumentEndEvent):
            line = event.start_mark.line + 1
            if isinstance(event, yaml.MappingStartEvent):
                yield _Event(_Kind.OBJECT, "", line)
            elif isinstance(event, yaml.SequenceStartEvent):
                yield _Event(_Kind.ARRAY, "", line)
            elif isinstance(event, yaml.CollectionEndEvent):
                yield _Event(_Kind.END, "", line)
            elif isinstance(event, yaml.ScalarEvent):
                yield _Event(_Kind.SCALAR, event.value, line)
            elif isinstance(event, yaml.AliasEvent):
                yield _Event(_Kind.SCALAR, "", line)
    except yaml.YAMLError:
        return
    finally:
        parser.dispose()
