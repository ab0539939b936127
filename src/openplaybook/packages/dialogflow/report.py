"""What reading or writing a package has to tell beside its result."""

from dataclasses import dataclass
from enum import Enum


class NoteKind(Enum):
    """What a note is about."""

    KEPT = "KEPT"
    """Kept and written back, and of no effect while the agent runs."""
    MISSING_SECRET = "MISSING_SECRET"
    """A secret that the package does not hold and the agent needs."""
    WITHHELD_SECRET = "WITHHELD_SECRET"
    """A secret that was left out of the package."""
    PROBLEM = "PROBLEM"
    """Something is not as it should be; it was read as well as it could be."""


@dataclass(frozen=True, slots=True)
class Note:
    """One thing to tell."""

    kind: NoteKind
    place: str
    """A file of the package, with a JSON path behind it where that helps."""
    message: str


@dataclass(frozen=True, slots=True)
class Report:
    """All notes of one reading or writing, in the order they were made."""

    notes: tuple[Note, ...] = ()

    def of(self, kind: NoteKind) -> tuple[Note, ...]:
        """The notes of one kind."""
        return tuple(note for note in self.notes if note.kind is kind)


class Notes:
    """Collects notes for a `Report`."""

    def __init__(self) -> None:
        self._notes: list[Note] = []

    def kept(self, place: str, message: str) -> None:
        """Note something that is kept and has no effect."""
        self._notes.append(Note(NoteKind.KEPT, place, message))

    def missing_secret(self, place: str, message: str) -> None:
        """Note a secret that has to be given."""
        self._notes.append(Note(NoteKind.MISSING_SECRET, place, message))

    def withheld_secret(self, place: str, message: str) -> None:
        """Note a secret that was left out."""
        self._notes.append(Note(NoteKind.WITHHELD_SECRET, place, message))

    def problem(self, place: str, message: str) -> None:
        """Note what is not as it should be."""
        self._notes.append(Note(NoteKind.PROBLEM, place, message))

    def report(self) -> Report:
        """Everything noted so far."""
        return Report(tuple(self._notes))
