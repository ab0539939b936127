"""Short answers: all that the user said is the value."""

import re

from openplaybook.models.offline.language.lexicon import word_set
from openplaybook.models.offline.language.small_talk import NO, YES, kind_of
from openplaybook.models.offline.language.tokenizer import fold, key_of
from openplaybook.models.offline.slots.proposals import Proposal
from openplaybook.models.offline.slots.slot_lessons import Lesson
from openplaybook.models.offline.slots.slot_schema import Slot
from openplaybook.models.offline.slots.slot_values import fits
from openplaybook.models.offline.slots.value_contexts import is_listing

_LONGEST_ANSWER = 6
_LONGEST_TEXT = 60
_OPEN = frozenset(
    key_of(word)
    for word in word_set(
        """reason message note notes comment comments description text body details problem issue feedback
        complaint remark question content motif grund nachricht notiz kommentar beschreibung anmerkung motivo
        mensaje nota comentario descripción raison commentaire remarque"""
    )
)
"""Words of the names of parameters that take whole sentences."""
_ARTICLES = frozenset(
    ("the", "for", "at", "on", "in", "um", "am", "that is", "that's", "this is", "it is", "it's", "its")
)
LEAD_INS = (
    "it is",
    "it's",
    "its",
    "that is",
    "that's",
    "this is",
    "my name is",
    "the name is",
    "his name is",
    "her name is",
    "its name is",
    "name is",
    "i am",
    "i'm",
    "call it",
    "it is called",
    "it's called",
    "i would like",
    "i'd like",
    "i want",
    "let's say",
    "make it",
    "the",
    "for",
    "at",
    "on",
    "in",
    "um",
    "am",
    "es ist",
    "das ist",
    "er heißt",
    "sie heißt",
)
"""Openings of a short answer that are no part of the value."""
_WORD = re.compile(r"\S+")
_PLEASE = re.compile(r"[\s,]+(?:please|bitte)$", re.IGNORECASE)
_AROUND = " \t\r\n.!,"
_QUOTES = "\"'“”„«»"


def short_answer(lesson: Lesson, text: str) -> list[Proposal]:
    """All that the user said, as the value: for words that no recogniser knows."""
    slot, kind = lesson.slot, kind_of(text)
    if slot.type == "boolean" and kind in (YES, NO):
        return [Proposal(slot, kind == YES, ((0, len(text)),), "short_answer", 1.0)]
    if slot.type != "string" or slot.options or "format" in slot.schema or kind or "?" in text:
        return []
    is_open = takes_sentences(slot)
    start, end = _bare(text, is_open=is_open)
    value = text[start:end]
    lacks_digits = lesson.wants_digits and not any(map(str.isdigit, value))
    if (
        not value
        or lacks_digits
        or len(value.split()) > (_LONGEST_TEXT if is_open else _LONGEST_ANSWER)
        or not fits(slot, value)
    ):
        return []
    places = _listed(text, start, end) if slot.is_array else ((start, end),)
    words = [text[first:last] for first, last in places]
    return [Proposal(slot, words if slot.is_array else value, places, "short_answer", 1.0)]


def takes_sentences(slot: Slot) -> bool:
    """Whether a slot is for whole sentences, such as a reason."""
    return bool(slot.name_keys & _OPEN)


def says_what_is_open(key: str) -> bool:
    """Whether a word, by its key, only names what whole sentences are asked for: "the reason"."""
    return key in _OPEN


def _bare(text: str, *, is_open: bool) -> tuple[int, int]:
    """Where the value stands in a short answer: without lead-in, `please` and punctuation around it."""
    start = 0
    ends = [match.end() for match in _WORD.finditer(text)]
    for phrase in LEAD_INS:
        words = len(phrase.split())
        if is_open and phrase in _ARTICLES:
            continue
        if len(ends) > words and fold(text[: ends[words - 1]]) == fold(phrase):
            start = max(start, ends[words - 1])
    end = len(text.rstrip(_AROUND))
    if match := _PLEASE.search(text, start, end):
        end = match.start()
    while start < end and (text[start].isspace() or text[start] in _QUOTES):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in f",.{_QUOTES}"):
        end -= 1
    return start, end


def _listed(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """The places of the items of a list: `a, b and c`."""
    places: list[tuple[int, int]] = []
    position = begin = start
    for word in text[start:end].replace(",", " , ").split():
        at = text.index(word, position)
        if is_listing(word):
            places.append((begin, at))
            begin = at + len(word)
        position = at + len(word)
    places.append((begin, end))
    trimmed = [_trimmed(text, first, last) for first, last in places]
    return tuple(place for place in trimmed if place[0] < place[1])


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())
