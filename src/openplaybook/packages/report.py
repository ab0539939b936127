"""What reading or writing a package has to tell beside its result."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NotRequired, TypedDict

from openplaybook.jsonvalues import JsonObject

if TYPE_CHECKING:
    # A command that reads or sends a package makes no verdicts; the server does.
    from openplaybook.turns.agent.verdicts import PlaybookVerdict

MOST_TOLD = 500
"""Notes of an import that its operation tells."""


class NoteKind(Enum):
    """What a note is about."""

    KEPT = "KEPT"
    """Kept and written back, and of no effect while the agent runs."""
    MISSING_SECRET = "MISSING_SECRET"
    """A secret that the package does not hold and the agent needs."""
    MISSING_FILE = "MISSING_FILE"
    """A file that the package refers to and does not hold."""
    WITHHELD_SECRET = "WITHHELD_SECRET"
    """A secret that was left out of the package."""
    CHANGED = "CHANGED"
    """Something that means another thing after a conversion."""
    LEFT_OUT = "LEFT_OUT"
    """Something that a conversion does not carry over."""
    PROBLEM = "PROBLEM"
    """Something is not as it should be; it was read as well as it could be."""


class NoteJson(TypedDict):
    """A note as operations and `--json` show it."""

    kind: str
    """Of the names of `NoteKind`."""
    place: str
    message: str
    remedy: NotRequired[str]
    count: NotRequired[int]


@dataclass(frozen=True, slots=True)
class Note:
    """One thing to tell."""

    kind: NoteKind
    place: str
    """A file of the package, with a JSON path behind it where that helps; for what is kept, its folder."""
    message: str
    """One sentence without its full stop."""
    remedy: str = ""
    """The command that mends it; empty where none does."""
    count: int = 0
    """How many resources it is about, where it counts them."""

    def as_json(self) -> NoteJson:
        """The note as operations and `--json` show it; `remedy` and `count` only where there are any."""
        note: NoteJson = {"kind": self.kind.value, "place": self.place, "message": self.message}
        if self.remedy:
            note["remedy"] = self.remedy
        if self.count:
            note["count"] = self.count
        return note


@dataclass(frozen=True, slots=True)
class Report:
    """All notes of one reading or writing, in the order they were made, and verdicts on what was read."""

    notes: tuple[Note, ...] = ()
    playbooks: tuple["PlaybookVerdict", ...] = ()
    """What comes of each playbook that was imported, where that was judged."""

    def of(self, kind: NoteKind) -> tuple[Note, ...]:
        """The notes of one kind."""
        return tuple(note for note in self.notes if note.kind is kind)

    def as_json(self) -> JsonObject:
        """`{"notes": […], "playbooks": […]}`, each only where there are any: the metadata of an import's operation.

        At most `MOST_TOLD` of each, since operations are read again and again while they are waited for; the last note
        says how many there are besides.
        """
        report: JsonObject = {}
        if notes := self._notes_as_json():
            report["notes"] = notes
        if self.playbooks:
            report["playbooks"] = [verdict.as_json() for verdict in self.playbooks[:MOST_TOLD]]
        return report

    def _notes_as_json(self) -> list[NoteJson]:
        notes = [note.as_json() for note in self.notes[:MOST_TOLD]]
        if further := self.notes[MOST_TOLD:]:
            notes.append(_further(further).as_json())
        if (untold := len(self.playbooks) - MOST_TOLD) > 0:
            message = f"there are {untold} more playbooks; what comes of them is not told"
            notes.append(Note(NoteKind.PROBLEM, "", message, count=untold).as_json())
        return notes


def _further(notes: Sequence[Note]) -> Note:
    counted = Counter(note.kind.value for note in notes)
    each = ", ".join(f"{count} of {kind}" for kind, count in counted.items())
    return Note(
        NoteKind.PROBLEM, "", f"there are {len(notes)} more notes, which are not shown: {each}", count=len(notes)
    )


class Notes:
    """Collects notes for a `Report`."""

    def __init__(self, notes: Iterable[Note] = ()) -> None:
        self._notes: list[Note] = list(notes)

    def kept(self, place: str, message: str, count: int = 0) -> None:
        """Note something that is kept and has no effect."""
        self._notes.append(Note(NoteKind.KEPT, place, message, count=count))

    def missing_secret(self, place: str, message: str, remedy: str = "") -> None:
        """Note a secret that has to be given."""
        self._notes.append(Note(NoteKind.MISSING_SECRET, place, message, remedy))

    def missing_file(self, place: str, message: str) -> None:
        """Note a file that is referred to and not there."""
        self._notes.append(Note(NoteKind.MISSING_FILE, place, message))

    def withheld_secret(self, place: str, message: str) -> None:
        """Note a secret that was left out."""
        self._notes.append(Note(NoteKind.WITHHELD_SECRET, place, message))

    def changed(self, place: str, message: str) -> None:
        """Note what a conversion gives another meaning."""
        self._notes.append(Note(NoteKind.CHANGED, place, message))

    def left_out(self, place: str, message: str, count: int = 0) -> None:
        """Note what a conversion does not carry over."""
        self._notes.append(Note(NoteKind.LEFT_OUT, place, message, count=count))

    def problem(self, place: str, message: str) -> None:
        """Note what is not as it should be."""
        self._notes.append(Note(NoteKind.PROBLEM, place, message))

    def report(self) -> Report:
        """Everything noted so far."""
        return Report(tuple(self._notes))
