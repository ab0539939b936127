"""Files of a conversation: those that the user attaches, and those that come back.

What comes back is what tools gave (`output_files`), and images that the agent shows.
"""

import base64
import binascii
import mimetypes
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from openplaybook.cli.errors import CommandError
from openplaybook.cli.safe_files import save_file, shown_name, shown_size
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

MAX_FILE_BYTES = 16 * 1024 * 1024
"""As the server takes it; a larger file is not even read."""
_DATA_URL = re.compile(r"data:(image/[\w.+-]+);base64,(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ChatAttachment:
    """A file on its way to the agent."""

    name: str
    data: bytes = field(repr=False)

    def to_json(self) -> JsonObject:
        """A member of `queryParams.payload.files`."""
        return {"name": self.name, "contents": base64.b64encode(self.data).decode("ascii")}


def read_attachment(path: Path) -> ChatAttachment:
    """The file at `path`. Raises `CommandError` where it cannot be read, or is too large to be sent."""
    try:
        if not path.expanduser().is_file():
            raise CommandError(f"{path} is not an existing file", exit_code=2)
        with path.expanduser().open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", exit_code=2) from error
    if len(data) > MAX_FILE_BYTES:
        raise CommandError(f"{path} is larger than {MAX_FILE_BYTES:,} bytes, the most for a file", exit_code=2)
    return ChatAttachment(path.name, data)


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file as it came."""

    name: str
    """As whoever made it called it: anything."""
    data: bytes = field(repr=False)
    is_image: bool = False

    def label(self) -> str:
        """`[image figure_1.png 23 KB]`."""
        kind = "image" if self.is_image else "file"
        return f"[{kind} {shown_name(self.name)} {shown_size(len(self.data))}]"


@dataclass(frozen=True, slots=True)
class ReceivedFile:
    """A file, and where it lies."""

    file: SentFile
    path: Path | None
    """None where files are not saved."""

    def line(self) -> str:
        """`[image figure_1.png 23 KB] → plots/figure_1.png`."""
        label = self.file.label()
        return label if self.path is None else f"{label} → {shown_name(str(self.path))}"

    def to_json(self) -> JsonObject:
        """The same for programs; `path` only where it was saved."""
        members: JsonObject = {"name": self.file.name, "bytes": len(self.file.data), "image": self.file.is_image}
        return members if self.path is None else {**members, "path": str(self.path)}


class FileInbox:
    """The files of a conversation, each taken once a turn and saved where a folder is given."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._taken: set[tuple[str, bytes]] = set()

    def take(self, files: Iterable[SentFile]) -> Sequence[ReceivedFile]:
        """Those that have not come in this turn yet. Raises `CommandError` where one cannot be saved."""
        return [
            ReceivedFile(each, None if self.folder is None else save_file(self.folder, each.name, each.data))
            for each in files
            if self._is_new(each)
        ]

    def end_turn(self) -> None:
        """What comes from now on is new."""
        self._taken.clear()

    def _is_new(self, file: SentFile) -> bool:
        mark = (file.name, sha256(file.data).digest())
        known = mark in self._taken
        self._taken.add(mark)
        return not known


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
            match = _DATA_URL.fullmatch(str(item.get("rawUrl", ""))) if item.get("type") == "image" else None
            data = _decoded(match[2]) if match is not None else None
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
