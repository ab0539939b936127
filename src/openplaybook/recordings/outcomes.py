"""What came of replaying files: for people, for programs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from enum import Enum

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps_line
from openplaybook.recordings.differences import Absent, Difference
from openplaybook.recordings.form import Recording, Turn

_SHOWN = 2_000
"""Characters of a value."""


class Verdict(Enum):
    """What a replay came to."""

    SAME = "same"
    DIFFERENT = "different"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one file."""

    file: str
    recording: Recording | None = None
    """None where the file could not be replayed."""
    happened: Recording | None = None
    turns: Sequence[Sequence[Difference]] = field(default_factory=list[Sequence[Difference]])
    """Of each turn."""
    problem: str = ""
    """Why the file could not be replayed."""
    seconds: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """The file's own."""
        if self.recording is None:
            return Verdict.UNREADABLE
        return Verdict.DIFFERENT if any(self.turns) else Verdict.SAME

    @property
    def title(self) -> str:
        """What people call it."""
        return self.recording.title if self.recording is not None and self.recording.title else self.file

    def to_json(self) -> JsonObject:
        """For programs."""
        told: JsonObject = {"file": self.file, "outcome": self.verdict.value}
        if self.recording is None:
            return {**told, "problem": self.problem}
        turns = [
            {"turn": number, "input": input_of(turn), "differences": [each.to_json() for each in found]}
            for number, turn, found in numbered(self)
        ]
        return {**told, "title": self.title, "turns": turns, "notReplayed": self.recording.not_replayed}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a report."""

    mark: str
    """`-` for what was recorded, `+` for what happened, `!` for a verdict, else blank."""
    text: str


def numbered(outcome: Outcome) -> Iterator[tuple[int, Turn, Sequence[Difference]]]:
    """The turns of a file that was replayed, counted from 1, with their differences."""
    turns = outcome.recording.turns if outcome.recording is not None else []
    for number, (turn, found) in enumerate(zip(turns, outcome.turns, strict=True), 1):
        yield number, turn, found


def input_of(turn: Turn) -> str:
    """What came in, in a few words."""
    results = [f"{each.tool}.{each.action}" for each in turn.given_results]
    if results:
        return f"result{'s' if len(results) > 1 else ''} of {', '.join(results)}"
    return "session parameters only" if turn.silent else turn.user or f"event {turn.event}"


def report(outcome: Outcome) -> Iterator[Line]:
    """The differences of a file, turn by turn, for people."""
    name = outcome.file if outcome.title == outcome.file else f"{outcome.file} ({outcome.title})"
    if outcome.recording is None:
        yield Line("!", f"{outcome.verdict.value}  {outcome.problem}")
        return
    turns = len(outcome.turns)
    different = sum(map(bool, outcome.turns))
    of = f"{different} of {turns} turns" if different else f"{turns} turns" if turns != 1 else "1 turn"
    yield Line("!", f"{outcome.verdict.value}  {name}: {of}")
    for number, turn, found in numbered(outcome):
        if found:
            yield Line(" ", f"  turn {number}: {_excerpt(input_of(turn))}")
            for each in found:
                yield from told(each, "    ")
    for sentence in outcome.recording.not_replayed:
        yield Line(" ", f"  not replayed: {sentence}")


def told(difference: Difference, indent: str = "") -> Iterator[Line]:
    """One difference: where it is, what was recorded, what happened; long texts line by line."""
    yield Line(" ", f"{indent}{difference.where}")
    old, new = _lines(difference.expected), _lines(difference.happened)
    for kind, from_old, to_old, from_new, to_new in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (Line(" ", f"{indent}    {line}") for line in old[from_old:to_old])
        else:
            yield from (Line("-", f"{indent}  - {line}") for line in old[from_old:to_old])
            yield from (Line("+", f"{indent}  + {line}") for line in new[from_new:to_new])


def _lines(value: JsonValue | Absent) -> list[str]:
    if isinstance(value, Absent):
        return []
    text = value if isinstance(value, str) else dumps_line(value, sort_keys=True)
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text)} characters)"
    return shown.splitlines() or ['""']


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:80]}…"
