"""All that examples and declarations teach about one thing the model may call."""

from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from openplaybook.models.base import Declaration, DeclarationKind, Effect
from openplaybook.models.offline.knowledge.learned_answers import AnswerTemplate
from openplaybook.models.offline.knowledge.recital import Recital
from openplaybook.models.offline.knowledge.term_weights import Postings, Terms
from openplaybook.models.offline.language.lexicon import CHANGING_ACTS, READING_ACTS, STOP_WORDS
from openplaybook.models.offline.language.tokenizer import Reading, identifier_words, key_of, keys, read
from openplaybook.models.offline.slots.proposals import EXAMPLE, LIKE_EXAMPLE, Proposal
from openplaybook.models.offline.slots.slot_lessons import Lesson, lesson_for
from openplaybook.models.offline.slots.slot_schema import Path, slots_of

_MOST_DESCRIBED, _FIRST_WORDS = 300, 3

Places = tuple[tuple[int, int, str], ...]
"""Where slots' values stand in an utterance: start, end, dotted path."""


@dataclass(frozen=True, slots=True)
class ExampleUtterance:
    """A user's utterance that led to a call in an example."""

    reading: Reading
    places: Places
    example: str


@dataclass(frozen=True, slots=True)
class FollowingCall:
    """What an example did next after a call: the next call, and where its arguments came from."""

    after: str
    name: str
    sources: tuple[tuple[Path, str, Path], ...]
    """Argument path, `argument` or `result` of the call before, path there."""


@dataclass
class Book:
    """One declaration and its lessons; grown while examples are read, then left alone."""

    declaration: Declaration
    lessons: list[Lesson]
    samples: list[ExampleUtterance] = field(default_factory=list[ExampleUtterance])
    sample_terms: list[Terms] = field(default_factory=list[Terms])
    """The samples' weighted terms, in the same order."""
    recitals: list[Recital] = field(default_factory=list[Recital])
    """The examples' utterances and what they gave, to be known again word by word."""
    answers: list[AnswerTemplate] = field(default_factory=list[AnswerTemplate])
    steps: list[FollowingCall] = field(default_factory=list[FollowingCall])
    """What examples did directly after this call."""
    cues: frozenset[str] = frozenset()
    """Keys of the words with which the instructions say when it is meant."""
    ends: bool = False
    """Whether an example was over, its goal reached, after this call."""
    gives_up: str = ""
    """State in which an example ended after this call had failed; empty where none did."""
    confirmation: AnswerTemplate | None = None
    """How an example asked for a yes before calling."""

    def recited(self, reading: Reading, today: date) -> list[Proposal]:
        """The values of an example whose own words these are; nothing where they are no example's."""
        for recital in self._recitals_in(reading):
            values = recital.said_again(reading, today)
            if values is not None:
                place = ((0, len(reading.text)),)
                source = EXAMPLE if recital.tells or recital.is_same(reading) else LIKE_EXAMPLE
                return [Proposal(self.paths[path].slot, value, place, source, 2.0) for path, value in values.items()]
        return []

    def _recitals_in(self, reading: Reading) -> list[Recital]:
        """Those that these words may say again."""
        by_word = self._recitals_by_word
        numbers = {number for token in reading.words for number in by_word.get(token.text.casefold(), ())}
        return [self.recitals[number] for number in sorted(numbers)]

    @cached_property
    def _recitals_by_word(self) -> dict[str, list[int]]:
        """Their numbers by one word that each of them has beside its values."""
        numbers: dict[str, list[int]] = {}
        for number, recital in enumerate(self.recitals):
            numbers.setdefault(recital.mark, []).append(number)
        return numbers

    @property
    def name(self) -> str:
        """The declaration's model-facing name."""
        return self.declaration.name

    @cached_property
    def postings(self) -> Postings:
        """The samples by their terms, once these are known."""
        return Postings(self.sample_terms)

    @cached_property
    def paths(self) -> dict[Path, Lesson]:
        """Lessons by the path of their slot."""
        return {lesson.slot.path: lesson for lesson in self.lessons}

    @cached_property
    def title(self) -> frozenset[str]:
        """Keys of the words of its own name."""
        words = identifier_words(self.declaration.action or self.declaration.name)
        return frozenset(key_of(word) for word in words if len(word) > 1)

    @property
    def takes_any_words(self) -> bool:
        """Whether it takes the user's words as they stand, such as a question or code: they fill no slots of it."""
        return takes_any_words(self.declaration)

    @cached_property
    def is_careful(self) -> bool:
        """Whether calling it may change something, so that it is not called on a hint."""
        return self.declaration.kind is DeclarationKind.TOOL and self.declaration.effect is not Effect.READS

    @property
    def only_looks(self) -> bool:
        """Whether a question alone may call it: it changes nothing, or is its client's and speaks of no change."""
        return not self.is_careful or (self.declaration.effect is Effect.CLIENT and not self.acts)

    @cached_property
    def acts(self) -> frozenset[str]:
        """Keys of the words that say what it does: the verbs of its name, its description and its examples; none where
        it takes questions, whatever they are about."""
        if self.declaration.as_question is not None:
            return frozenset()
        name = [key_of(word) for word in identifier_words(self.declaration.action or self.declaration.name)]
        described = [token.key for token in read(self.declaration.description[:_MOST_DESCRIBED]).words]
        example_keys = {token.key for sample in self.samples for token in sample.reading.words}
        if READING_ACTS.intersection((*name[:1], *described[:1])):
            name, described = [word for word in name if word in CHANGING_ACTS], []
        if any(word in CHANGING_ACTS | READING_ACTS for word in name[1:]):
            # What comes first is what it is done to: `pets_create`.
            del name[0]
        verbs = {*name[:1], *described[:1], *(CHANGING_ACTS & {*name, *described[:_FIRST_WORDS], *example_keys})}
        return frozenset(verb for verb in verbs if verb not in READING_ACTS and verb not in STOP_WORDS)

    @cached_property
    def about(self) -> frozenset[str]:
        """Keys of the words that name and describe it, and with which instructions say when it is meant."""
        return keys(self.declaration.description) | self.title | self.cues

    @cached_property
    def parameter_keys(self) -> frozenset[str]:
        """Keys of the words that name its parameters."""
        return frozenset(key for lesson in self.lessons for key in lesson.slot.name_keys)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Keys of its name, description and examples' utterances."""
        return self.about | {token.key for sample in self.samples for token in sample.reading.words}


def open_book(declaration: Declaration) -> Book:
    """A book that knows only the declaration."""
    slots = () if takes_any_words(declaration) else slots_of(declaration.input_schema)
    return Book(declaration, [lesson_for(slot) for slot in slots])


def takes_any_words(declaration: Declaration) -> bool:
    """Whether a function takes the user's words as they stand."""
    return declaration.as_question is not None or declaration.claims is not None
