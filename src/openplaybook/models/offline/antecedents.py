"""Words that point back: "it", "that one"."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.language.lexicon import PRONOUNS
from openplaybook.models.offline.language.tokenizer import identifier_words, key_of
from openplaybook.models.offline.slots.proposals import Proposal, RecognisedWords
from openplaybook.models.offline.slots.slot_schema import Path, Slot
from openplaybook.models.offline.slots.slot_values import fits

_SCORE = 0.5
_PICKED = 1.0
_NAMING = ("name", "title", "displayName", "display_name", "label")
"""Members that say what a thing is called, whatever a slot calls it."""


@dataclass(frozen=True, slots=True)
class PickedThing:
    """One of the things that were found, which the words pick by its number."""

    members: Sequence[tuple[Path, JsonValue]]
    start: int
    end: int
    """Where these words stand, in characters."""

    def covers(self, proposal: Proposal) -> bool:
        """Whether a value is no more than the words that pick."""
        return any(start < self.end and self.start < end for start, end in proposal.places)


@dataclass(frozen=True, slots=True)
class Antecedents:
    """The things that were last spoken of, as named values: the latest result first, then what was asked for."""

    members: Sequence[tuple[Path, JsonValue]]
    needs_pronoun: bool = True
    """Whether only a pronoun points at them; else any words may be about them."""
    picked: PickedThing | None = None
    """What the words pick by its number; it goes before all others."""

    def proposals(self, book: Book, words: RecognisedWords, taken: Iterable[Proposal]) -> list[Proposal]:
        """Values for needed slots that nothing in the words gives, for a pronoun that stands for the thing, or words
        that pick one."""
        taken = list(taken)
        if self.picked is not None:
            return self._of_picked(book, self.picked, taken)
        pronoun = next((token for token in words.reading.words if token.text.casefold() in PRONOUNS), None)
        if pronoun is None and not self.needs_pronoun:
            pronoun = next(iter(words.reading.words), None)
        if pronoun is None:
            return []
        filled = {proposal.slot.path for proposal in taken}
        place = ((pronoun.start, pronoun.end),)
        proposals: list[Proposal] = []
        for lesson in book.lessons:
            slot = lesson.slot
            value = self._value(slot) if slot.always_required and slot.path not in filled else None
            if value is not None:
                proposals.append(Proposal(slot, value, place, "conversation", _SCORE))
        return proposals

    def unpicked(self, proposals: Iterable[Proposal]) -> tuple[Proposal, ...]:
        """Those that are more than the words that pick a thing."""
        picked = self.picked
        return tuple(one for one in proposals if picked is None or not picked.covers(one))

    def _of_picked(self, book: Book, picked: PickedThing, taken: Iterable[Proposal]) -> list[Proposal]:
        filled = {proposal.slot.path for proposal in taken}
        slots = [lesson.slot for lesson in book.lessons if lesson.slot.always_required]
        values = {slot.path: _value_of(picked.members, slot) for slot in slots if slot.path not in filled}
        free = [slot for slot in slots if slot.type == "string" and slot.path in values and not slot.options]
        if free and not any(value is not None for value in values.values()):
            # What it is called is the first text that is needed: of a room, the room's name.
            names = [value for path, value in picked.members if path and path[-1] in _NAMING]
            values[free[0].path] = next((value for value in names if fits(free[0], value)), None)
        place = ((picked.start, picked.end),)
        return [
            Proposal(slot, values[slot.path], place, "conversation", _PICKED)
            for slot in slots
            if values.get(slot.path) is not None
        ]

    def _value(self, slot: Slot) -> JsonValue:
        return _value_of(self.members, slot)


def _value_of(members: Sequence[tuple[Path, JsonValue]], slot: Slot) -> JsonValue:
    exact = [value for path, value in members if path and path[-1] == slot.name]
    alike = [
        value
        for path, value in members
        if path and slot.name_keys.intersection(map(key_of, identifier_words(path[-1])))
    ]
    return next((value for value in exact + alike if not slot.is_array and fits(slot, value)), None)
