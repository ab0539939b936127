"""Recordings as YAML: written, also in a process of its own, and read back."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

import yaml
import yaml12
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from openplaybook.documents.yaml_output import decimal_text
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, is_large, loads
from openplaybook.models.scripted.script_file import Lines, with_exact_numbers
from openplaybook.recordings.errors import UnreadableRecording
from openplaybook.recordings.form import VERSION, Recording
from openplaybook.workers.child_processes import ChildProcesses

_HEAD = """\
# A recorded conversation with an agent: what was said, what the model decided, what the tools answered.
# `openplaybook replay FILE` runs it against the agent of today and shows what is different.
# Secrets are not in it: [redacted] stands in their place, and, as [any] does, for whatever is there in a replay.
"""

_MOST_BYTES = 50_000_000
_MAX_KEPT = 1_000
"""Characters of a text whose style is remembered."""
_MOST_LEVELS = 200
"""Collections within each other."""
_AT_ONCE = 50_000
"""Characters that are written where they are met."""
_SECONDS = 20.0
"""Time that a process has to write a recording."""
_Loader = yaml.CSafeLoader

WRITERS = ChildProcesses(f"{__name__}:write", most=1, memory=1024 * 1024 * 1024)
"""Processes that write long recordings: YAML is written character by character, and nothing else runs meanwhile."""


def write_recording(recording: Recording) -> str:
    """The recording as YAML, members in a fixed order, so that equal conversations give equal texts."""
    return yaml_of(document_of(recording))


def write_in_process(recording: Recording) -> str:
    """As `write_recording`; blocks. Raises `WorkError` where a long one takes too long."""
    document = document_of(recording)
    if not is_large(document, _AT_ONCE):
        return yaml_of(document)
    return WRITERS.run(dumps(document), seconds=_SECONDS).decode()


def write(job: bytearray) -> bytes:
    """What a process does."""
    return yaml_of(loads(memoryview(job))).encode()


def document_of(recording: Recording) -> JsonObject:
    """The recording as values, members in a fixed order, what is as usual left out."""
    return {"recording": recording.recording, **recording.model_dump(exclude_defaults=True)}


def yaml_of(document: JsonObject) -> str:
    """The YAML of such values. Takes seconds for some millions of characters."""
    text = yaml.dump(
        document,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=1_000_000,
    )
    return _HEAD + text


def read_recording(path: Path) -> Recording:
    """The recording in a file. Raises `UnreadableRecording`, naming file, line and path of every mistake."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UnreadableRecording(f"{path}: is larger than {_MOST_BYTES:,} bytes")
        text = path.read_text("utf-8")
    except OSError as error:
        raise UnreadableRecording(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UnreadableRecording(f"{path}: not UTF-8 at byte {error.start}") from error
    try:
        return parse_recording(text)
    except UnreadableRecording as error:
        raise UnreadableRecording(f"{path}: {error}") from error


def parse_recording(text: str) -> Recording:
    """The recording of a YAML text. Raises `UnreadableRecording`, naming line and path of every mistake."""
    try:
        _check(text)
        root = _Loader(text).get_single_node()
        lines = Lines(root)
        value: JsonValue = with_exact_numbers(yaml12.parse_yaml(text), root)
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        raise UnreadableRecording(f"is no YAML: {_mistake(error)}") from error
    if lines.problems:
        raise UnreadableRecording("; ".join(lines.problems))
    if not isinstance(value, dict) or "recording" not in value:
        raise UnreadableRecording(f"is no recording: it has no member `recording: {VERSION}`")
    _check_version(value["recording"], lines)
    try:
        return Recording.model_validate(value)
    except ValidationError as error:
        raise UnreadableRecording("; ".join(_problems(error, lines))) from error


def _check_version(version: JsonValue, lines: Lines) -> None:
    """A newer form comes before its members: what is unknown in it is no mistake of its writer."""
    if isinstance(version, int) and version > VERSION:
        where = lines.place(("recording",))
        raise UnreadableRecording(
            f"{where}: the recording has form {version}, and this version of OpenPlaybook reads form {VERSION} only; "
            "use a newer version, or record the conversation again"
        )


def _mistake(error: Exception) -> str:
    """What is wrong with a text that is no YAML, in one line."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        mark = error.problem_mark
        return f"line {mark.line + 1}, column {mark.column + 1}: {error.problem}"
    return str(error)


def _events(text: str) -> Iterator[yaml.Event]:
    """What the parser meets, in order. Raises `yaml.YAMLError`."""
    parser = _Loader(text)
    try:
        while (event := parser.get_event()) is not None and not isinstance(event, yaml.StreamEndEvent):
            yield event
    finally:
        parser.dispose()


def _check(text: str) -> None:
    """Refuse what must not be built: aliases, of which a few lines can stand for more than the memory holds, and deep
    nesting, since the loader recurses in C, where it ends the process."""
    levels = 0
    for event in _events(text):
        if isinstance(event, yaml.AliasEvent):
            raise UnreadableRecording("aliases (*NAME) are not allowed")
        if isinstance(event, yaml.CollectionStartEvent):
            levels += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            levels -= 1
        if levels > _MOST_LEVELS:
            raise UnreadableRecording(f"more than {_MOST_LEVELS} levels lie within each other")


def _problems(error: ValidationError, lines: Lines) -> list[str]:
    # The name of a step's kind is a part of pydantic's location, but of no path in the file.
    return [f"{lines.place(_in_file(problem['loc']))}: {_sentence(problem)}" for problem in error.errors()]


def _sentence(problem: ErrorDetails) -> str:
    """What pydantic says, without what only means something in this program."""
    if problem["type"] == "extra_forbidden":
        return "no such member"
    return problem["msg"].removeprefix("Value error, ").partition(" or instance of ")[0]


def _in_file(location: tuple[str | int, ...]) -> tuple[str | int, ...]:
    parts: list[str | int] = []
    for position, part in enumerate(location):
        is_kind = position > 1 and location[position - 2] == "steps" and isinstance(part, str)
        if not is_kind:
            parts.append(part)
    return tuple(parts)


class _Dumper(yaml.SafeDumper):
    """Long texts as blocks, no anchors, and quotes wherever the two versions of YAML would read something else."""

    def ignore_aliases(self, data: object) -> bool:
        return True


_PLAIN = re.compile(r"[A-Za-z_$/][\w $/.,!?'()-]*")


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return yaml.ScalarNode("tag:yaml.org,2002:str", text, style=_style(text))


def _style(text: str) -> str | None:
    if "\n" in text:
        return "|"
    is_plain = _is_plain_kept(text) if len(text) <= _MAX_KEPT else _is_plain(text)
    return None if is_plain else '"'


def _is_plain(text: str) -> bool:
    return bool(_PLAIN.fullmatch(text)) and yaml12.parse_yaml(text) == text


_is_plain_kept = lru_cache(8192)(_is_plain)


def _decimal(dumper: yaml.SafeDumper, number: Decimal) -> yaml.ScalarNode:
    return yaml.ScalarNode("tag:yaml.org,2002:float", decimal_text(number))


_Dumper.add_representer(Decimal, _decimal)
_Dumper.add_representer(str, _text)
