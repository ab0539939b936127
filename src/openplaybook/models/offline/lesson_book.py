"""All that examples and declarations teach about one thing the model may call."""

from dataclasses import dataclass, field
from functools import cached_property

from openplaybook.models.base import Declaration
from openplaybook.models.offline.answers import AnswerTemplate
from openplaybook.models.offline.lessons import Lesson, lesson_for
from openplaybook.models.offline.schema import Path, slots_of
from openplaybook.models.offline.text import Reading, identifier_words, key_of, keys
from openplaybook.models.offline.weights import Terms

Places = tuple[tuple[int, int, str], ...]
"""Where slots' values stand in an utterance: start, end, dotted path."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A user's utterance that led to a call in an example."""

    reading: Reading
    places: Places
    example: str


@dataclass(frozen=True, slots=True)
class Step:
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
    samples: list[Sample] = field(default_factory=list[Sample])
    sample_terms: list[Terms] = field(default_factory=list[Terms])
    """The samples' weighted terms, in the same order."""
    answers: list[AnswerTemplate] = field(default_factory=list[AnswerTemplate])
    steps: list[Step] = field(default_factory=list[Step])
    """What examples did directly after this call."""
    ends: bool = False
    """Whether an example was over, its goal reached, after this call."""
    gives_up: str = ""
    """State in which an example ended after this call had failed; empty where none did."""
    confirmation: AnswerTemplate | None = None
    """How an example asked for a yes before calling."""

    @property
    def name(self) -> str:
        """The declaration's model-facing name."""
        return self.declaration.name

    @cached_property
    def paths(self) -> dict[Path, Lesson]:
        """Lessons by the path of their slot."""
        return {lesson.slot.path: lesson for lesson in self.lessons}

    @cached_property
    def title(self) -> frozenset[str]:
        """Keys of the words of its own name."""
        words = identifier_words(self.declaration.action or self.declaration.name)
        return frozenset(key_of(word) for word in words if len(word) > 1)

    @cached_property
    def about(self) -> frozenset[str]:
        """Keys of the words that name and describe it."""
        return keys(self.declaration.description) | self.title

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
    return Book(declaration, [lesson_for(slot) for slot in slots_of(declaration.input_schema)])
