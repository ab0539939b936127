"""From a file to a `Script`, or to an error that names file, line and path of everything wrong in it."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import yaml
import yaml12
from pydantic import ValidationError

from openplaybook.jsonvalues import JsonValue, as_list, as_object, loads, number_of
from openplaybook.models.errors import ModelNotConfigured
from openplaybook.models.scripted.script import Script

Location: TypeAlias = tuple[str | int, ...]

_PLAIN_TAG = "tag:yaml.org,2002:"
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def read_script(path: Path) -> tuple[Script, "Lines"]:
    """The script in `path` and the lines of its members.

    A name ending in `.json` is read as JSON, everything else as YAML 1.2. Raises `ModelNotConfigured`.
    """
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise ModelNotConfigured(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ModelNotConfigured(f"{path}: not UTF-8 at byte {error.start}") from None
    try:
        value, lines = _parsed(text, is_json=path.suffix == ".json")
    except (ValueError, yaml.YAMLError) as error:
        raise ModelNotConfigured(f"{path}: {error}") from None
    if lines.problems:
        raise ModelNotConfigured(_report(path, lines.problems))
    try:
        return Script.model_validate(value), lines
    except ValidationError as error:
        problems = [_problem(lines.place(detail["loc"]), detail["type"], detail["msg"]) for detail in error.errors()]
        raise ModelNotConfigured(_report(path, problems)) from None


class Lines:
    """Where the members of a document stand."""

    def __init__(self, root: yaml.Node | None) -> None:
        self.problems: list[str] = []
        """What a reader of values does not see: keys given twice, and tags."""
        self._lines: dict[Location, int] = {(): 1}
        self._seen: set[int] = set()
        if root is not None:
            self._walk(root, ())

    def line(self, location: Location) -> int:
        """The line, counted from 1, of a member or of the nearest one around it."""
        while location not in self._lines:
            location = location[:-1]
        return self._lines[location]

    def place(self, location: Location) -> str:
        """`line 3, $.rules[0].reply`."""
        return f"line {self.line(location)}, {json_path(location)}"

    def _walk(self, node: yaml.Node, location: Location) -> None:
        # An alias is the same node again; it keeps the place of its anchor.
        if id(node) in self._seen:
            return
        self._seen.add(id(node))
        if not node.tag.startswith(_PLAIN_TAG):
            self.problems.append(f"{self.place(location)}: tags such as {node.tag} are not allowed")
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                self._member((*location, str(key.value)), key, value)
        elif isinstance(node, yaml.SequenceNode):
            for index, value in enumerate(node.value):
                self._member((*location, index), value, value)

    def _member(self, location: Location, marked: yaml.Node, value: yaml.Node) -> None:
        if location in self._lines:
            self.problems.append(f"line {marked.start_mark.line + 1}, {json_path(location)}: given twice")
            return
        self._lines[location] = marked.start_mark.line + 1
        self._walk(value, location)


def with_exact_numbers(value: JsonValue, node: yaml.Node | None) -> JsonValue:
    """A value that was read from a document's `node`, with the numbers that are written there: the reader makes doubles
    of long ones. Raises `ValueError` for one beyond what is taken."""
    otherwise: JsonValue = value
    if isinstance(value, float) and isinstance(node, yaml.ScalarNode):
        return number_of(node.value) if _NUMBER.fullmatch(node.value) else value
    if isinstance(value, list) and isinstance(node, yaml.SequenceNode):
        return [with_exact_numbers(*each) for each in zip(as_list(value), node.value, strict=True)]
    if isinstance(value, dict) and isinstance(node, yaml.MappingNode) and len(as_object(value)) == len(node.value):
        pairs = zip(as_object(value).items(), node.value, strict=True)
        return {key: with_exact_numbers(item, written) for (key, item), (_, written) in pairs}
    return otherwise


def json_path(location: Location) -> str:
    """`("rules", 0, "reply")` as `$.rules[0].reply`."""
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)


def _parsed(text: str, *, is_json: bool) -> tuple[JsonValue, Lines]:
    if is_json:
        value = loads(text)
        # Valid JSON holds tabs only between its tokens, where YAML refuses them.
        return value, Lines(_nodes(text.replace("\t", " ")))
    value: JsonValue = yaml12.parse_yaml(text)
    root = _nodes(text)
    return with_exact_numbers(value, root), Lines(root)


def _nodes(text: str) -> yaml.Node | None:
    return yaml.SafeLoader(text).get_single_node()


def _problem(place: str, kind: str, message: str) -> str:
    return f"{place}: " + ("no such member" if kind == "extra_forbidden" else message.removeprefix("Value error, "))


def _report(path: Path, problems: Sequence[str]) -> str:
    return f"{path}: " + "; ".join(problems)
