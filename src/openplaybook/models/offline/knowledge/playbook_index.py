"""What the planner knows of a playbook: built once for its declarations and examples, then only read."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import TypeAlias

from openplaybook.models.base import (
    AgentText,
    Declaration,
    DeclarationKind,
    ExampleDialogue,
    ModelTurn,
)
from openplaybook.models.offline.knowledge.episodes import episodes_of
from openplaybook.models.offline.knowledge.instruction_cues import cues_of
from openplaybook.models.offline.knowledge.lesson_book import Book, open_book
from openplaybook.models.offline.knowledge.likeness import calibrated_threshold
from openplaybook.models.offline.knowledge.teacher import teach
from openplaybook.models.offline.knowledge.term_weights import Terms, Weights, learn_weights, terms_of
from openplaybook.models.offline.knowledge.word_exchanges import (
    ShownAnswer,
    WordExchange,
    learn_exchange,
    learn_shown_answer,
    opening_of,
)
from openplaybook.models.offline.language.handover import hands_over
from openplaybook.models.offline.language.lexicon import CHANGING_ACTS, LOOKING
from openplaybook.models.offline.language.local_tables import forms_for
from openplaybook.models.offline.language.tokenizer import fold, last_sentence, read, words_in
from openplaybook.models.offline.learned.tool_features import LearnedTool
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.resources.compiled_forms import InstructionStep

_MOST_KEPT = 32

_FEW_FUNCTIONS, _FEW_ENTRIES, _FEW_CHARACTERS = 32, 500, 50_000
"""Of all declarations, examples and texts of a playbook that is learned in some milliseconds."""


@dataclass(frozen=True, slots=True)
class PlaybookIndex:
    """A playbook, learned."""

    books: dict[str, Book]
    """By the declaration's name; END and CLOSE are not among them, nor those that say themselves what is for them."""
    claiming: dict[str, Book]
    """Those that do, likewise."""
    end: Book | None
    """The function that leaves the playbook, where it is offered."""
    close: Book | None
    """The function that ends the conversation, where it is offered."""
    hands_over: bool
    """Whether the playbook knows of a person who takes over."""
    exchanges: tuple[WordExchange, ...]
    exchange_terms: tuple[Terms, ...]
    shown_answers: tuple[ShownAnswer, ...]
    opening: str
    """The words with which the examples' agents open; empty where none does."""
    questions: Mapping[str, tuple[str, Path]]
    """What the examples' agents ask for values with: the function and slot by the question's last sentence, folded."""
    weights: Weights
    threshold: float
    """Likeness from which on a function is taken to be meant."""
    forbidden: frozenset[str]
    """Keys of words that the agent uses for other things than values."""
    languages: frozenset[str]
    """In which its functions are described and asked for."""
    acts: frozenset[str]
    """Keys of what its functions do, and of looking things up."""
    learned_tools: tuple[LearnedTool, ...]
    """The functions whose parameters words fill, as the learned planner knows them."""
    is_taught: bool
    """Whether an example shows with which words a function is asked for."""

    def known(self, name: str) -> Book | None:
        """What is known of a function that was called."""
        return self.books.get(name) or self.claiming.get(name)


def build_index(turn: ModelTurn) -> PlaybookIndex:
    """Learn the playbook of a turn from its declarations, examples, goal and instructions."""
    books = {declaration.name: open_book(declaration) for declaration in turn.declarations}
    known_names, forms = _known_names(turn), forms_for(turn.language_code)
    for name, cues in cues_of(turn.instructions, turn.declarations).items():
        books[name].cues = cues
    exchanges, shown_answers = list[WordExchange](), list[ShownAnswer]()
    for example in turn.examples:
        for episode in episodes_of(example):
            exchange = learn_exchange(episode, known_names, forms) if not episode.steps else None
            shown = learn_shown_answer(episode)
            exchanges += [] if exchange is None else [exchange]
            shown_answers += [] if shown is None else [shown]
            teach(episode, books, known_names, forms)
    end, close = (
        next((book for book in books.values() if book.declaration.kind is kind), None)
        for kind in (DeclarationKind.END, DeclarationKind.CLOSE)
    )
    claiming = {name: book for name, book in books.items() if book.declaration.claims is not None}
    callable_books = {name: book for name, book in books.items() if book not in (end, close) and name not in claiming}
    # What takes any question tells nothing of the words that others are asked for by.
    telling_books = [book for book in callable_books.values() if not book.takes_any_words]
    weights = learn_weights([*map(_keys_of, telling_books), *({t.key for t in s.reading.words} for s in exchanges)])
    for book in callable_books.values():
        book.sample_terms = [terms_of(sample.reading, weights, sample.places) for sample in book.samples]
    return PlaybookIndex(
        books=callable_books,
        claiming=claiming,
        end=end,
        close=close,
        hands_over=hands_over((turn.goal, *_step_texts(turn.instructions)), turn.examples),
        exchanges=tuple(exchanges),
        exchange_terms=tuple(terms_of(exchange.reading, weights, ()) for exchange in exchanges),
        shown_answers=tuple(shown_answers),
        opening=opening_of(turn.examples),
        questions=dict(_questions(callable_books.values())),
        weights=weights,
        threshold=calibrated_threshold(telling_books),
        forbidden=_forbidden(telling_books, exchanges),
        languages=frozenset(_languages(telling_books)),
        acts=CHANGING_ACTS | LOOKING | {act for book in callable_books.values() for act in book.acts},
        learned_tools=tuple(_learned_tool(book) for book in telling_books),
        is_taught=any(book.samples for book in telling_books),
    )


def _questions(books: Iterable[Book]) -> Iterable[tuple[str, tuple[str, Path]]]:
    for book in books:
        for lesson in book.lessons:
            asked = fold(last_sentence(lesson.question))
            if asked:
                yield asked, (book.name, lesson.slot.path)


def _learned_tool(book: Book) -> LearnedTool:
    declaration = book.declaration
    return LearnedTool(
        declaration.name, declaration.action or declaration.name, declaration.description, declaration.input_schema
    )


def has_much(turn: ModelTurn) -> bool:
    """Whether learning a playbook takes more than some milliseconds."""
    if len(turn.declarations) > _FEW_FUNCTIONS or sum(len(each.entries) for each in turn.examples) > _FEW_ENTRIES:
        return True
    texts = chain((turn.goal,), _step_texts(turn.instructions), (each.description for each in turn.declarations))
    return any(total > _FEW_CHARACTERS for total in accumulate(map(len, texts)))


def _languages(books: Iterable[Book]) -> Iterable[str]:
    for book in books:
        yield read(book.declaration.description).language
        yield from (sample.reading.language for sample in book.samples)


def _keys_of(book: Book) -> set[str]:
    return {*book.about, *book.parameter_keys, *_sample_keys(book)}


def _sample_keys(book: Book) -> set[str]:
    """Keys of what users say around the values."""
    return {
        token.key
        for sample in book.samples
        for token in sample.reading.words
        if not any(start <= token.start and token.end <= end for start, end, _ in sample.places)
    }


def _forbidden(books: Iterable[Book], exchanges: Sequence[WordExchange]) -> frozenset[str]:
    books = list(books)
    used = {key for book in books for key in _keys_of(book)}
    used |= {token.key for exchange in exchanges for token in exchange.reading.words}
    values = {
        token.key
        for book in books
        for lesson in book.lessons
        for value in lesson.known.values()
        for token in read(str(value)).words
    }
    return frozenset(used - values)


def _known_names(turn: ModelTurn) -> frozenset[str]:
    """Words that an answer may hold although no call gave them: the agent's own texts have them.

    Languages that capitalise nouns make no difference between a name and a noun, so there every word an example's
    agent says counts as its own.
    """
    texts = [turn.goal, turn.playbook, *_step_texts(turn.instructions)]
    for declaration in turn.declarations:
        if declaration.as_question is not None:
            continue
        texts += [declaration.description, declaration.reference, str(declaration.input_schema)]
    if turn.language_code[:2].casefold() == "de":
        texts += [entry.text for example in turn.examples for entry in example.entries if isinstance(entry, AgentText)]
    return frozenset(word for text in texts for word in words_in(text))


def _step_texts(steps: Iterable[InstructionStep]) -> Iterable[str]:
    for step in steps:
        yield step.text
        yield from _step_texts(step.steps)


@dataclass(frozen=True, slots=True)
class _Source:
    """All of a turn that an index is built from."""

    declarations: tuple[Declaration, ...]
    examples: tuple[ExampleDialogue, ...]
    instructions: tuple[InstructionStep, ...]
    words: tuple[str, str, str]
    """The playbook's name, its goal, the language."""


@dataclass(frozen=True, slots=True)
class _Kept:
    source: _Source
    index: PlaybookIndex


_Key: TypeAlias = tuple[int, int, int, tuple[str, str, str]]


class IndexCache:
    """The latest indexes, by identity of what they were built from (which is immutable)."""

    def __init__(self) -> None:
        self._kept: OrderedDict[_Key, _Kept] = OrderedDict()

    def known(self, turn: ModelTurn) -> PlaybookIndex | None:
        """The index of the turn's playbook, if it was built already."""
        key = _key(turn)
        entry = self._kept.get(key)
        if entry is not None:
            self._kept.move_to_end(key)
            return entry.index
        source = _source(turn)
        equal = next((entry.index for entry in self._kept.values() if entry.source == source), None)
        return None if equal is None else self.keep(turn, equal)

    def keep(self, turn: ModelTurn, index: PlaybookIndex) -> PlaybookIndex:
        """Know the index that was built of the turn's playbook; the same index."""
        # The entry holds the tuples, so that their ids are not given to others while it is kept.
        self._kept[_key(turn)] = _Kept(_source(turn), index)
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return index


def _words(turn: ModelTurn) -> tuple[str, str, str]:
    return turn.playbook, turn.goal, turn.language_code


def _key(turn: ModelTurn) -> _Key:
    return id(turn.declarations), id(turn.examples), id(turn.instructions), _words(turn)


def _source(turn: ModelTurn) -> _Source:
    return _Source(turn.declarations, turn.examples, turn.instructions, _words(turn))
