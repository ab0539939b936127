"""What differs between two agents, file by file, in words and lines that a person reads."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from enum import Enum

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.dialogflow.agent_layout import decode_name

_CONTEXT = 2
"""Lines shown around a change."""
_MAX_LINES = 5_000
"""Changed lines that are set against each other; comparing takes time by their square."""


class FileChange(Enum):
    """What became of a file."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class FileDifference:
    """One file that is not the same on both sides."""

    change: FileChange
    resource: str
    """Which resource the file belongs to, by display names: `playbooks/Desk/examples/Greeting`."""
    file: str
    """Its path in the package."""
    lines: tuple[str, ...] = ()
    """Of a changed file, a unified diff without its head; of others nothing."""

    @property
    def title(self) -> str:
        """The resource, and which of its files it is where it is not the one of that name."""
        name = self.file.rpartition("/")[2]
        is_main = name.endswith(".json") and decode_name(name.removesuffix(".json")) == self.resource.rpartition("/")[2]
        return self.resource if is_main else f"{self.resource} ({decode_name(name)})"

    def as_json(self) -> JsonObject:
        """The difference as `--json` shows it."""
        return {
            "change": self.change.value,
            "resource": self.resource,
            "file": self.file,
            "lines": list(self.lines),
        }


def compare(before: Mapping[str, Sequence[str]], after: Mapping[str, Sequence[str]]) -> list[FileDifference]:
    """Every file, as lines by path, that the two sides do not have alike, in order of paths."""
    return [
        _difference(path, before.get(path), after.get(path))
        for path in sorted({*before, *after})
        if before.get(path) != after.get(path)
    ]


def resource_of(path: str) -> str:
    """The resource that a file of a package belongs to, by display names.

    `tools/Pets/schema.yaml` belongs to `tools/Pets`, as `tools/Pets/Pets.json` does.
    """
    parts = path.removesuffix(".json").split("/")
    # Folders are of a kind and of a resource by turns; what is odd in the end is a file of the last resource.
    return "/".join(map(decode_name, parts[: max(len(parts) // 2 * 2, 1)]))


def _difference(path: str, before: Sequence[str] | None, after: Sequence[str] | None) -> FileDifference:
    if before is None or after is None:
        return FileDifference(FileChange.ADDED if before is None else FileChange.REMOVED, resource_of(path), path)
    return FileDifference(FileChange.CHANGED, resource_of(path), path, tuple(_unified(before, after)))


def _unified(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    if max(len(before), len(after)) - _same_ends(before, after) > _MAX_LINES:
        yield f"{len(before)} lines became {len(after)} others"
        return
    diff = unified_diff(before, after, n=_CONTEXT, lineterm="")
    yield from (line for at, line in enumerate(diff) if at > 1)


def _same_ends(before: Sequence[str], after: Sequence[str]) -> int:
    """How many lines are the same at the beginning and at the end together."""
    shorter = min(len(before), len(after))
    first = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    last = next((at for at in range(shorter - first) if before[-1 - at] != after[-1 - at]), shorter - first)
    return first + last
