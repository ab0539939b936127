"""What the examples of a playbook teach about one slot."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from openplaybook.jsonvalues import JsonValue, as_list
from openplaybook.models.offline.language.tokenizer import Reading, WordToken, read
from openplaybook.models.offline.slots.slot_schema import Slot
from openplaybook.models.offline.slots.slot_values import fits
from openplaybook.models.offline.slots.value_contexts import Taught

_MOST_VALUES = 500
_MOST_WORDS = 2
_LONGEST_DESCRIPTION = 1000
_NAMING = re.compile(
    r"\b(?:such as|for example|e\.\s?g\.|one of|either|zum beispiel|z\.\s?b\.)[,:]?\s+(?P<list>[^.;:()\n]+)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r",|\s(?:and|or|und|oder)\s", re.IGNORECASE)


@dataclass(slots=True)
class Lesson:
    """Contexts, known values and questions of one slot; grown while examples are read, then left alone."""

    slot: Slot
    taught: list[Taught] = field(default_factory=list[Taught])
    known: dict[tuple[str, ...], JsonValue] = field(default_factory=dict[tuple[str, ...], JsonValue])
    """Values by the keys of their words: the schema's options and what examples showed."""
    _firsts: set[str] = field(default_factory=set[str])
    """The first words of those."""
    question: str = ""
    """How an example asks for it."""

    def know(self, value: JsonValue) -> None:
        """Remember a value; numbers and the like are recognised by their type instead."""
        for item in as_list(value) or [value]:
            words = value_keys(item) if isinstance(item, str) and len(self.known) < _MOST_VALUES else ()
            if words and fits(self.slot, item):
                self.known.setdefault(words, item)
                self._firsts.add(words[0])

    @property
    def wants_digits(self) -> bool:
        """Whether every value that was shown has a digit, so that words alone will not do."""
        return bool(self.taught) and all(lesson.has_digits for lesson in self.taught)

    @property
    def is_plural(self) -> bool:
        """Whether the examples take the singular of a plural the user said."""
        return any(lesson.is_plural for lesson in self.taught)

    def find_known(self, reading: Reading) -> Iterable[tuple[int, int, JsonValue]]:
        """Where known values stand in an utterance: start, end, value; the longest first at each place."""
        if not self.known:
            return
        words, folded = reading.words, reading.folded
        longest = max(map(len, self.known))
        if self._firsts.isdisjoint(folded):
            return
        for first in range(len(words)):
            if folded[first] not in self._firsts:
                continue
            for count in range(min(longest, len(words) - first), 0, -1):
                value = self.known.get(folded[first : first + count])
                if value is not None:
                    yield words[first].start, words[first + count - 1].end, value
                    break


def lesson_for(slot: Slot) -> Lesson:
    """A lesson that knows what the schema lists, gives as examples, or names in its description ("such as a or b")."""
    lesson = Lesson(slot)
    for value in slot.options or (*as_list(slot.schema.get("examples")), *_named_in(slot.description)):
        lesson.know(value)
    return lesson


def _named_in(description: str) -> Iterator[str]:
    for match in _NAMING.finditer(description[:_LONGEST_DESCRIPTION]):
        for item in _BETWEEN.split(match["list"]):
            value = item.strip(" `'\"“”…")
            if value and len(value.split()) <= _MOST_WORDS:
                yield value


def value_keys(value: str) -> tuple[str, ...]:
    """The words of a value as they are compared: lower case, singular, underscores and dashes as blanks."""
    return read(value.replace("_", " ").replace("-", " ")).folded


def cue_strength(slot: Slot, reading: Reading, start: int, end: int) -> float:
    """How clearly the words just before or behind `[start, end)` speak of the slot: from 0 to 1 by the
    clearest word, and a little more for each further word of its name.

    The name counts more than the description, and the nearer word more than the farther.
    """
    before, behind = _beside(reading, start, end)
    weights, score = slot.cue_weights, 0.0
    for distance, key in enumerate(before):
        if key in weights:
            score = max(score, weights[key] - 0.15 * distance)
    for distance, key in enumerate(behind):
        if key in weights:
            score = max(score, weights[key] - 0.1 - 0.15 * distance)
    # "last name" speaks of the last name more clearly than of the first.
    named = slot.name_keys.intersection(before)
    return score + _FURTHER * (len(named) - 1) if len(named) > 1 else score


@lru_cache(maxsize=512)
def _beside(reading: Reading, start: int, end: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The keys of the words before a place, the nearest first, and of those behind it: up to the next number, whose
    own words stand beyond."""
    before, behind = reversed(reading.words_before(start, 4)), reading.words_from(end, 2)
    return tuple(_up_to_a_number(before)), tuple(_up_to_a_number(behind))


def _up_to_a_number(tokens: Iterable[WordToken]) -> Iterator[str]:
    for token in tokens:
        if token.is_number:
            return
        yield token.key


_FURTHER = 0.2
"""What each further word of a slot's name adds."""
