"""An example's own words, said again: what the example called, with the user's values where theirs differ."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from openplaybook.jsonvalues import NUMBERS, JsonObject, JsonValue, as_list, as_object
from openplaybook.models.offline.language.tokenizer import Reading, WordToken, read, singular
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.models.offline.slots.slot_values import pick, spoken
from openplaybook.models.offline.slots.value_contexts import find_words
from openplaybook.models.offline.spans.recognition import recognise
from openplaybook.models.offline.spans.typed_span import Span, SpanKind

Spot = tuple[str | int, ...]
"""Where a scalar stands in the arguments, through objects and arrays."""

_MOST_WORDS, _LONGEST_VALUE, _MOST_LEAVES = 80, 6, 60
_FEWEST_BESIDE = 3
"""Function words beside the values that make an utterance one of its own: "I want 2 teapots and 3 mugs"."""
_FEW_DIGITS = 9
_PLAIN_NUMBER = re.compile(r"[1-9][0-9]*")
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?=$|T)")
_POLITE = frozenset(("please", "bitte", "kindly", "thanks", "danke", "gracias", "merci"))
_SPANS = {"date": SpanKind.DATE, "time": SpanKind.TIME, "number": SpanKind.NUMBER}


@dataclass(frozen=True, slots=True)
class Gap:
    """A run of words that gave values."""

    first: int
    """Number of its first word, and behind the last."""
    last: int
    places: tuple[Spot, ...]
    kind: str
    """`date`, `time`, `number`, `plural` or `text`."""


@dataclass(frozen=True, slots=True)
class Recital:
    """An utterance of an example, and what it gave."""

    words: tuple[str, ...]
    """In lower case."""
    holes: tuple[Gap, ...]
    values: Mapping[Path, JsonValue]
    """The values of the slots that it gave."""
    mark: str
    """A word of it that is no value's: without it another is said."""
    tells: bool = True
    """Whether words beside the values tell what is wanted; else other values in them are no more than likely."""

    def is_same(self, reading: Reading) -> bool:
        """Whether these very words are said again, no value changed."""
        return self.words == _content(reading)[1]

    def said_again(self, reading: Reading, today: date) -> Mapping[Path, JsonValue] | None:
        """The slots' values when these words are said again; None when other words are said."""
        if abs(len(reading.words) - len(self.words)) > _LONGEST_VALUE * max(1, len(self.holes)):
            return None
        tokens, words = _content(reading)
        matched = _match(self, words)
        if matched is None:
            return None
        changed: dict[Spot, JsonValue] = {}
        for hole, (first, last) in zip(self.holes, matched, strict=True):
            words = reading.text[tokens[first].start : tokens[last - 1].end]
            for place in hole.places:
                value = _value(words, hole.kind, _at(self.values, place), today)
                if value is None:
                    return None
                changed[place] = value
        return {path: _changed(value, path, changed) for path, value in self.values.items()}


def recital_of(reading: Reading, spans: Sequence[Span], arguments: JsonObject, paths: Sequence[Path]) -> Recital | None:
    """What an example's utterance gave of the slots at `paths`; None when it is too long or gave nothing."""
    if len(reading.words) > _MOST_WORDS:
        return None
    values = {path: value for path in paths if (value := pick(arguments, path)) is not None}
    holes = _holes(reading, spans, [leaf for path, value in values.items() for leaf in _leaves(value, path)])
    tokens, words = _content(reading)
    covered = {number for hole in holes for number in range(hole.first, hole.last)}
    beside = [token for number, token in enumerate(tokens) if number not in covered]
    tells = any(not token.is_stop for token in beside)
    if not values or not (tells or len(beside) >= _FEWEST_BESIDE):
        return None
    return Recital(words, holes, values, max(map(str.casefold, sorted(token.text for token in beside)), key=len), tells)


@lru_cache(maxsize=64)
def _content(reading: Reading) -> tuple[tuple[WordToken, ...], tuple[str, ...]]:
    """The words without "please", and the same in lower case."""
    words = [(token, lower) for token in reading.words if (lower := token.text.casefold()) not in _POLITE]
    return tuple(token for token, _ in words), tuple(lower for _, lower in words)


def told_by(reading: Reading, spans: Sequence[Span], value: JsonValue, path: Path) -> bool:
    """Whether an utterance holds any scalar of a value."""
    return bool(_holes(reading, spans, list(_leaves(value, path))))


def _leaves(value: JsonValue, place: Spot) -> Iterator[tuple[Spot, JsonValue]]:
    if isinstance(value, dict):
        for name, member in as_object(value).items():
            yield from _leaves(member, (*place, name))
    elif isinstance(value, list):
        for number, item in enumerate(as_list(value)):
            yield from _leaves(item, (*place, number))
    elif value is not None and not isinstance(value, bool):
        yield place, value


def _holes(reading: Reading, spans: Sequence[Span], leaves: Sequence[tuple[Spot, JsonValue]]) -> tuple[Gap, ...]:
    gaps: dict[tuple[int, int], Gap] = {}
    for place, value in leaves[:_MOST_LEAVES]:
        free = [hole for hole in _standing(reading, spans, value) if hole[0] not in gaps]
        taken = [hole for hole in _standing(reading, spans, value) if hole[0] in gaps]
        for at, kind in (free or taken)[:1]:
            before = gaps[at].places if at in gaps else ()
            gaps[at] = Gap(*at, (*before, place), kind)
    holes = sorted(gaps.values(), key=lambda hole: hole.first)
    apart = [hole for number, hole in enumerate(holes) if number == 0 or holes[number - 1].last <= hole.first]
    return tuple(apart)


def _standing(reading: Reading, spans: Sequence[Span], value: JsonValue) -> Iterator[tuple[tuple[int, int], str]]:
    """Where a scalar stands, in order: numbers of its first word and behind its last, and how it is written."""
    text, begin = spoken(value), 0
    kind = "number" if isinstance(value, NUMBERS) else "text"
    while match := find_words(text, reading.text, begin):
        yield from _run(reading, *match, kind)
        begin = match[1]
    for span in spans:
        for name, of_kind in _SPANS.items():
            is_day = name == "date" and isinstance(value, str) and _DAY.match(value)
            if span.kind is of_kind and (span.value == value or span.value == text or is_day):
                yield from _run(reading, span.start, span.end, name)
    for token in reading.words:
        if isinstance(value, str) and token.text.casefold() != text.casefold() == singular(token.text).casefold():
            yield from _run(reading, token.start, token.end, "plural")


def _run(reading: Reading, start: int, end: int, kind: str) -> Iterator[tuple[tuple[int, int], str]]:
    inside = [number for number, token in enumerate(_content(reading)[0]) if start <= token.start and token.end <= end]
    if inside:
        yield (inside[0], inside[-1] + 1), kind


def _match(recital: Recital, words: Sequence[str]) -> list[tuple[int, int]] | None:
    """Which words stand in the holes; the shortest run that lets the rest be the same."""
    if len(words) > _MOST_WORDS:
        return None
    begins = {hole.first: hole for hole in recital.holes}
    failed: set[tuple[int, int]] = set()

    def descend(own: int, other: int) -> list[tuple[int, int]] | None:
        while own < len(recital.words) and own not in begins:
            if other >= len(words) or words[other] != recital.words[own]:
                return None
            own, other = own + 1, other + 1
        if own == len(recital.words):
            return [] if other == len(words) else None
        if (own, other) in failed:
            return None
        for last in range(other + 1, min(other + _LONGEST_VALUE, len(words)) + 1):
            rest = descend(begins[own].last, last)
            if rest is not None:
                return [(other, last), *rest]
        failed.add((own, other))
        return None

    return descend(0, 0)


def _value(words: str, kind: str, old: JsonValue, today: date) -> JsonValue:
    """What the words in a hole say; None when they are of another kind than the example's."""
    if kind == "number" and isinstance(old, int) and len(words) <= _FEW_DIGITS and _PLAIN_NUMBER.fullmatch(words):
        return int(words)
    if kind in _SPANS:
        spans = [span for span in recognise(read(words), today) if span.kind is _SPANS[kind]]
        whole = next((span for span in spans if span.end - span.start == len(words)), None)
        if whole is None:
            return None
        if kind == "date" and isinstance(old, str) and isinstance(whole.value, str):
            return whole.value + old[len(whole.value) :]
        if isinstance(old, int) and not isinstance(whole.value, int):
            return None
        return whole.value
    if isinstance(old, str) and words.casefold() == old.casefold():
        return old
    if not isinstance(old, str) or not _has_shape(words, old):
        return None
    return singular(words) if kind == "plural" else words


def _has_shape(words: str, old: str) -> bool:
    """Whether words look like an example's value: a code like a code, and no function words where that had none."""
    if any(map(str.isdigit, old)):
        return any(map(str.isdigit, words)) and len(words.split()) <= len(old.split())
    small = any(token.is_stop for token in read(old).words)
    return small or not any(token.is_stop for token in read(words).words)


def _at(values: Mapping[Path, JsonValue], place: Spot) -> JsonValue:
    path = next(path for path in values if place[: len(path)] == path)
    value: JsonValue = values[path]
    for part in place[len(path) :]:
        value = as_list(value)[part] if isinstance(part, int) else as_object(value)[part]
    return value


def _changed(value: JsonValue, place: Spot, changed: Mapping[Spot, JsonValue]) -> JsonValue:
    if isinstance(value, dict):
        return {name: _changed(member, (*place, name), changed) for name, member in as_object(value).items()}
    if isinstance(value, list):
        return [_changed(item, (*place, number), changed) for number, item in enumerate(as_list(value))]
    return changed.get(place, value)
