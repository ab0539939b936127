"""Finding where a value of an example stands in the words around it."""

import re
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.offline.language.tokenizer import Reading, singular
from openplaybook.models.offline.slots.slot_values import spoken
from openplaybook.models.offline.spans.typed_span import Span, SpanKind

_NORMALISED = frozenset((SpanKind.NUMBER, SpanKind.DATE, SpanKind.TIME))


@dataclass(frozen=True, slots=True)
class ValuePlace:
    """Where a value stands in an utterance."""

    start: int
    end: int
    is_plural: bool = False
    """The words have the plural of the value."""


def place_of(value: JsonValue, reading: Reading, spans: tuple[Span, ...]) -> ValuePlace | None:
    """Where the scalar `value` stands: as written, in another spelling of a number or date, or as a plural."""
    if isinstance(value, bool) or value is None:
        return None
    text = spoken(value)
    if match := find_words(text, reading.text):
        return ValuePlace(*match)
    for span in spans:
        if span.kind in _NORMALISED and (span.value == value or span.value == text):
            return ValuePlace(span.start, span.end)
    for token in reading.words:
        if isinstance(value, str) and singular(token.text).casefold() == value.casefold():
            return ValuePlace(token.start, token.end, is_plural=True)
    return None


def find_words(words: str, text: str, begin: int = 0) -> tuple[int, int] | None:
    """Where `words` stand in `text` as whole words, whatever their case."""
    match = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)", re.IGNORECASE).search(text, begin) if words else None
    return match.span() if match else None
