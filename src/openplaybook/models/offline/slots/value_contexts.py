"""Where a value of an example stands in the words around it, and what that teaches: the words before and behind it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.offline.language.tokenizer import SPACED_LETTER, Reading, WordToken, is_unspaced, singular
from openplaybook.models.offline.slots.slot_values import spoken
from openplaybook.models.offline.spans.typed_span import Span, SpanKind

_SPACED_LETTER = re.compile(SPACED_LETTER)
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
    """Where `words` stand in `text` as whole words, whatever their case; of scripts without blanks anywhere."""
    if not words:
        return None
    # To compile the letters of all scripts into each pattern takes a hundred times as long as the rest.
    pattern = re.compile(re.escape(words), re.IGNORECASE)
    while match := pattern.search(text, begin):
        start, end = match.span()
        is_within_before = start > 0 and not is_unspaced(words[0]) and _SPACED_LETTER.match(text, start - 1)
        if not is_within_before and (is_unspaced(words[-1]) or not _SPACED_LETTER.match(text, end)):
            return start, end
        begin = start + 1
    return None


BEGIN, END = "^", "$"
ENOUGH = 0.9
"""From this strength on, a context alone tells a value apart, whatever kind of word it is."""
_NEAR = 4
"""Tokens before and behind a value that are looked at."""
_MARKS = "\"'“”„«»‘’:#"
_CLOSING = frozenset(".!?")
_LISTING = frozenset((",", "&", "and", "or", "und", "oder", "y", "e", "o", "u", "et", "ou"))


@dataclass(frozen=True, slots=True)
class ValueContext:
    """The keys around a value."""

    before: str
    """The key directly before it; `^` at the beginning."""
    further: str
    """The key before that."""
    behind: str
    """The key directly behind; `$` at the end."""
    is_stop_before: bool
    is_stop_further: bool
    is_stop_behind: bool

    def strength(self, other: "ValueContext") -> float:
        """How much of this context `other` repeats: content words count more than function words."""
        score = 0.0
        if self.before == other.before:
            score += _weight(self.before, 0.45, 1.0, is_stop=self.is_stop_before)
            if self.further == other.further:
                score += _weight(self.further, 0.2, 0.5, is_stop=self.is_stop_further)
        if self.behind == other.behind:
            score += _weight(self.behind, 0.25, 0.6, is_stop=self.is_stop_behind)
        return score


def _weight(key: str, stop: float, content: float, *, is_stop: bool) -> float:
    return stop if is_stop or key in (BEGIN, END) or not key[0].isalnum() else content


@lru_cache(maxsize=1024)
def context_at(reading: Reading, start: int, end: int) -> ValueContext:
    """The context of the characters `[start, end)` of an utterance."""
    before = [token for token in reading.tokens_before(start, _NEAR) if token.text not in _MARKS]
    behind = list(reading.tokens_from(end, _NEAR))
    while behind and behind[-1].text in _CLOSING:
        behind.pop()
    left, further = (before[-1] if before else None), (before[-2] if len(before) > 1 else None)
    right = behind[0] if behind else None
    return ValueContext(
        before=left.key if left else BEGIN,
        further=further.key if further else BEGIN,
        behind=right.key if right else END,
        is_stop_before=left is None or left.is_stop,
        is_stop_further=further is None or further.is_stop,
        is_stop_behind=right is None or right.is_stop,
    )


@dataclass(frozen=True, slots=True)
class Taught:
    """One value of an example call and where the user said it."""

    context: ValueContext
    is_plural: bool
    has_digits: bool


def taught_by(reading: Reading, place: ValuePlace) -> Taught:
    """What an aligned value teaches."""
    words = reading.text[place.start : place.end]
    return Taught(context_at(reading, place.start, place.end), place.is_plural, any(map(str.isdigit, words)))


def runs(reading: Reading, forbidden: frozenset[str], longest: int = 3) -> Iterator[tuple[int, int]]:
    """Runs of one to `longest` neighbouring words that could be a free value: `(start, end)` in characters.

    A run holds no function word, no punctuation and no key of `forbidden`, the words an agent uses for
    other things than values.
    """
    tokens = reading.tokens
    for first, token in enumerate(tokens):
        for last in range(first, min(first + longest, len(tokens))):
            if not _may_be_value(tokens[last], forbidden):
                break
            if last == first or tokens[last].text.casefold() not in _IN_TURN:
                yield token.start, tokens[last].end


_IN_TURN = frozenset(("first", "beforehand", "afterwards", "zuerst", "zunächst", "danach", "primero", "antes", "après"))
"""Words behind a value that say when, and are no end of it: "show me order A7 first"."""


def _may_be_value(token: WordToken, forbidden: frozenset[str]) -> bool:
    return token.is_word and not token.is_stop and token.key not in forbidden


def is_listing(between: str) -> bool:
    """Whether the text between two values only lists them: a comma, `and`, `or`, in the languages that are read."""
    words = between.replace(",", " , ").casefold().split()
    return bool(words) and all(word in _LISTING for word in words)
