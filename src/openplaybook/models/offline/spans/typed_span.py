"""What a recogniser finds."""

from dataclasses import dataclass
from enum import Enum

from openplaybook.jsonvalues import JsonValue


class SpanKind(Enum):
    """The kind of thing that stands in the words."""

    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    EMAIL = "email"
    URL = "url"
    PHONE = "phone"
    CODE = "code"
    """Letters and digits mixed, such as an order number `AB-1234`."""
    ADDRESS = "address"
    """A street with a number."""
    QUOTED = "quoted"
    NAME = "name"
    """A run of capitalised words."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of an utterance that may be a value."""

    start: int
    """Offset in the utterance, in characters."""
    end: int
    kind: SpanKind
    value: JsonValue
    """Normalised: int or float, ISO date, `HH:MM`, else the text."""
    text: str
    """As the user wrote it; for something quoted, without the marks."""
    is_weak: bool = False
    """May well be something else, such as "one" or a capitalised German noun: needs a hint beside it."""
    measure: str = ""
    """What a number counts or measures: `%`, `sum` for a piece of arithmetic, else the word; it identifies nothing."""
    past: JsonValue = None
    """For a day whose year or week the words leave open: the latest such day before today, in the form of `value`."""

    def overlaps(self, start: int, end: int) -> bool:
        """Whether it shares a character with `[start, end)`."""
        return self.start < end and start < self.end


def plain_i(text: str) -> str:
    """`text` with the Turkish letters `ı` and `İ` as i, offsets unchanged: a pattern that ignores case takes them for
    an i, so what it finds must have one."""
    return text.translate(_TURKISH)


_TURKISH = str.maketrans("ıİ", "iI")
