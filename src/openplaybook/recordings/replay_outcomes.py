"""What came of replaying files: for people, for programs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from enum import Enum

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps_line
from openplaybook.recordings.differences import Absent, ReplayDifference
from openplaybook.recordings.form import RecordedTurn, Recording

_SHOWN = 2_000
"""Characters of a value."""


class ReplayVerdict(Enum):
    """What a replay came to."""

    SAME = "same"
    DIFFERENT = "different"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class ReplayOutcome:
    """What came of one file."""

    file: str
    recording: Recording | None = None
    """None where the file could not be replayed."""
    happened: Recording | None = None
    turns: Sequence[Sequence[ReplayDifference]] = field(default_factory=list[Sequence[ReplayDifference]])
    """Of each turn."""
    problem: str = ""
    """Why the file could not be replayed."""
    seconds: float = 0.0

    @property
    def verdict(self) -> ReplayVerdict:
        """The file's own."""
        if self.recording is None:
            return ReplayVerdict.UNREADABLE
        return ReplayVerdict.DIFFERENT if any(self.turns) else ReplayVerdict.SAME

    @property
    def title(self) -> str:
        """What people call it."""
        return self.recording.title if self.recording is not None and self.recording.title else self.file

    def to_json(self) -> JsonObject:
        """For programs."""
        difference_lines: JsonObject = {"file": self.file, "outcome": self.verdict.value}
        if self.recording is None:
            return {**difference_lines, "problem": self.problem}
        turns = [
            {"turn": number, "input": input_of(turn), "differences": [each.to_json() for each in differences]}
            for number, turn, differences in numbered(self)
        ]
        return {**difference_lines, "title": self.title, "turns": turns, "notReplayed": self.recording.not_replayed}


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A line of a report."""

    mark: str
    """`-` for what was recorded, `+` for what happened, `!` for a verdict, else blank."""
    text: str


def numbered(outcome: ReplayOutcome) -> Iterator[tuple[int, RecordedTurn, Sequence[ReplayDifference]]]:
    """The turns of a file that was replayed, counted from 1, with their differences."""
    turns = outcome.recording.turns if outcome.recording is not None else []
    for number, (turn, differences) in enumerate(zip(turns, outcome.turns, strict=True), 1):
        yield number, turn, differences


def input_of(turn: RecordedTurn) -> str:
    """What came in, in a few words."""
    results = [f"{each.tool}.{each.action}" for each in turn.given_results]
    if results:
        return f"result{'s' if len(results) > 1 else ''} of {', '.join(results)}"
    return "session parameters only" if turn.silent else turn.user or f"event {turn.event}"


def report(outcome: ReplayOutcome) -> Iterator[ReportLine]:
    """The differences of a file, turn by turn, for people."""
    name = outcome.file if outcome.title == outcome.file else f"{outcome.file} ({outcome.title})"
    if outcome.recording is None:
        yield ReportLine("!", f"{outcome.verdict.value}  {outcome.problem}")
        return
    turns = len(outcome.turns)
    different = sum(map(bool, outcome.turns))
    of = f"{different} of {turns} turns" if different else f"{turns} turns" if turns != 1 else "1 turn"
    yield ReportLine("!", f"{outcome.verdict.value}  {name}: {of}")
    for number, turn, differences in numbered(outcome):
        if differences:
            yield ReportLine(" ", f"  turn {number}: {_excerpt(input_of(turn))}")
            for each in differences:
                yield from difference_lines(each, "    ")
    for sentence in outcome.recording.not_replayed:
        yield ReportLine(" ", f"  not replayed: {sentence}")


def difference_lines(difference: ReplayDifference, indent: str = "") -> Iterator[ReportLine]:
    """One difference: where it is, what was recorded, what happened; long texts line by line."""
    yield ReportLine(" ", f"{indent}{difference.where}")
    old, new = _lines(difference.expected), _lines(difference.happened)
    for kind, from_old, to_old, from_new, to_new in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (ReportLine(" ", f"{indent}    {line}") for line in old[from_old:to_old])
        else:
            yield from (ReportLine("-", f"{indent}  - {line}") for line in old[from_old:to_old])
            yield from (ReportLine("+", f"{indent}  + {line}") for line in new[from_new:to_new])


def _lines(value: JsonValue | Absent) -> list[str]:
    if isinstance(value, Absent):
        return []
    text = value if isinstance(value, str) else dumps_line(value, sort_keys=True)
    excerpt = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text)} characters)"
    return excerpt.splitlines() or ['""']


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:80]}…"
