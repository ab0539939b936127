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


@dataclass(frozen=True, slots=True)
class Antecedents:
    """The things that were last spoken of, as named values: the latest result first, then what was asked for."""

    members: Sequence[tuple[Path, JsonValue]]
    needs_pronoun: bool = True
    """Whether only a pronoun points at them; else any words may be about them."""

    def proposals(self, book: Book, words: RecognisedWords, taken: Iterable[Proposal]) -> list[Proposal]:
        """Values for needed slots that nothing in the words gives, for a pronoun that stands for the thing."""
        taken = list(taken)
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

    def _value(self, slot: Slot) -> JsonValue:
        exact = [value for path, value in self.members if path and path[-1] == slot.name]
        alike = [
            value
            for path, value in self.members
            if path and slot.name_keys.intersection(map(key_of, identifier_words(path[-1])))
        ]
        return next((value for value in exact + alike if not slot.is_array and fits(slot, value)), None)
