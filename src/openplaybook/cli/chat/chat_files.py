"""Files that come back: those that tools gave (`output_files`), and images that the agent shows."""

import base64
import binascii
import mimetypes
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from openplaybook.cli.safe_files import save_file, shown_name, shown_size
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_DATA_URL = re.compile(r"data:(image/[\w.+-]+);base64,(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file as it came."""

    name: str
    """As whoever made it called it: anything."""
    data: bytes = field(repr=False)
    is_image: bool = False

    def told(self) -> str:
        """`[image figure_1.png 23 KB]`."""
        kind = "image" if self.is_image else "file"
        return f"[{kind} {shown_name(self.name)} {shown_size(len(self.data))}]"


@dataclass(frozen=True, slots=True)
class ReceivedFile:
    """A file, and where it lies."""

    given: SentFile
    path: Path | None
    """None where files are not saved."""

    def line(self) -> str:
        """`[image figure_1.png 23 KB] → plots/figure_1.png`."""
        told = self.given.told()
        return told if self.path is None else f"{told} → {shown_name(str(self.path))}"

    def to_json(self) -> JsonObject:
        """The same for programs; `path` only where it was saved."""
        told: JsonObject = {"name": self.given.name, "bytes": len(self.given.data), "image": self.given.is_image}
        return told if self.path is None else {**told, "path": str(self.path)}


class FileInbox:
    """The files of a conversation, each taken once a turn and saved where a folder is given."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._taken: set[tuple[str, bytes]] = set()

    def take(self, given: Iterable[SentFile]) -> Sequence[ReceivedFile]:
        """Those that have not come in this turn yet. Raises `CommandError` where one cannot be saved."""
        return [self._arrived(each) for each in given if self._is_new(each)]

    def end_turn(self) -> None:
        """What comes from now on is new."""
        self._taken.clear()

    def _is_new(self, given: SentFile) -> bool:
        mark = (given.name, sha256(given.data).digest())
        known = mark in self._taken
        self._taken.add(mark)
        return not known

    def _arrived(self, given: SentFile) -> ReceivedFile:
        return ReceivedFile(given, save_file(self.folder, given.name, given.data) if self.folder is not None else None)


def files_of(output: JsonObject | None) -> Iterator[SentFile]:
    """The files in a tool's output, as the code interpreter gives them; empty placeholders are none."""
    for holder in (output or {}).values():
        for item in map(as_object, as_list(as_object(holder).get("output_files"))):
            name, data = item.get("name"), _decoded(item.get("contents"))
            if isinstance(name, str) and name and data is not None:
                yield SentFile(name, data, is_image=(mimetypes.guess_type(name)[0] or "").startswith("image/"))


def images_of(message: JsonObject) -> Iterator[SentFile]:
    """The images that a message holds as data; those at an address are not fetched."""
    for card in as_list(as_object(message.get("payload")).get("richContent")):
        for item in map(as_object, as_list(card)):
            found = _DATA_URL.fullmatch(str(item.get("rawUrl", ""))) if item.get("type") == "image" else None
            data = _decoded(found[2]) if found is not None else None
            if data is not None:
                yield SentFile(str(item.get("accessibilityText") or "image"), data, is_image=True)


def without_contents(output: JsonObject | None) -> JsonObject | None:
    """A tool's output to be shown: files by their names alone."""
    return None if output is None else {name: _files_named(value) for name, value in output.items()}


def _files_named(value: JsonValue) -> JsonValue:
    members = as_object(value)
    if "output_files" not in members:
        return value
    names = [as_object(item).get("name") for item in as_list(members["output_files"])]
    return {**members, "output_files": [name for name in names if name]}


def _decoded(contents: JsonValue) -> bytes | None:
    if not isinstance(contents, str):
        return None
    try:
        return base64.b64decode(contents, validate=True)
    except (binascii.Error, ValueError):
        return None
