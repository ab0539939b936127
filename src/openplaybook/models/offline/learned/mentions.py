"""What may be a value: a piece of an utterance, with its kind and its value."""

from dataclasses import dataclass, field
from enum import Enum

from openplaybook.jsonvalues import JsonValue


class MentionKind(Enum):
    """The kind of a piece of an utterance."""

    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    QUOTED = "quoted"
    CODE = "code"
    """Letters with digits, a path, an address of mail or of a page."""
    FORMULA = "formula"
    LITERAL = "literal"
    """A list or an object as programs write it."""
    NAME = "name"
    """A run of capitalised words."""
    PHRASE = "phrase"
    """Words that neither begin nor end with a small one."""
    NUMBERS = "numbers"
    """Numbers joined by commas and "and"."""
    STRINGS = "strings"
    """Other things joined likewise."""


PLAIN_VALUES = frozenset(
    (
        MentionKind.NAME,
        MentionKind.QUOTED,
        MentionKind.NUMBER,
        MentionKind.DATE,
        MentionKind.TIME,
        MentionKind.CODE,
    )
)
"""Kinds of what plainly is some parameter's value."""


@dataclass(frozen=True, slots=True)
class NumberTraits:
    """How a number was written."""

    is_percent: bool = False
    is_money: bool = False
    unit: str = ""
    """What stands at it: `km`, `kg`."""
    is_decimal: bool = False
    is_in_moment: bool = False
    """It is part of a date or a time."""
    is_ordinal: bool = False
    is_words: bool = False
    """It was said in words."""
    is_one: bool = False
    """It was said by "one", "a single", "once" or "half", which often mean something else."""
    is_compound: bool = False
    """It is a measure in two units: "5ft 10in"."""
    is_part: bool = False
    """It is one of the two numbers of such a measure."""
    is_count: bool = False
    """It only counts what is listed behind it: "two numbers, 40 and 50"."""


PLAIN_NUMBER = NumberTraits()


@dataclass(frozen=True, slots=True, eq=False)
class Mention:
    """A piece of an utterance that may be a value. Compared by identity."""

    start: int
    end: int
    kind: MentionKind
    text: str
    """As the user wrote it; for something quoted, without the marks."""
    value: JsonValue = None
    """A number, a list, or what stands between quotes; None where the text is the value."""
    number: NumberTraits = field(default=PLAIN_NUMBER)
    count: int = 0
    """Items of a list."""
    first: int = 0
    """Its first lexeme."""
    last: int = 0
    """Its last lexeme."""

    @property
    def is_list(self) -> bool:
        """Whether its value is a list."""
        return isinstance(self.value, list)

    def overlaps(self, other: "Mention") -> bool:
        """Whether both share a character."""
        return self.start < other.end and other.start < self.end
