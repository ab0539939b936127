"""Whether the planner can follow a playbook, judged by what it plans from: declarations, examples, instructions."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, islice

from openplaybook.models.base import ModelTurn, UserText
from openplaybook.models.offline.candidates import nearest_exchange
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.knowledge.playbook_index import PlaybookIndex, build_index
from openplaybook.models.offline.language.handover import hands_over
from openplaybook.models.offline.language.own_sentences import LANGUAGES
from openplaybook.models.offline.language.tokenizer import is_unspaced
from openplaybook.models.offline.plain_turns import PlainTurns
from openplaybook.models.offline.request_rules import LIKE_AN_EXAMPLE
from openplaybook.models.offline.situation import Situation
from openplaybook.resources.compiled_forms import InstructionStep, ReferenceKind

_NO_DAY = date(2000, 1, 1)
_TALK = re.compile(
    r"\b(?:greet|greeting|welcome|introduce yourself|say (?:hello|goodbye)|farewell|thank|begrüß\w*|verabschied\w*"
    r"|salud\w*|despíde\w*|accueill\w*|salue\w*)\b",
    re.IGNORECASE,
)
"""Lines that ask for small talk, which the planner has words of its own for."""
_MARKUP = re.compile(r"<[^<>]*>")
_REFERENCE = re.compile(r"[$]\{[^{}]*\}|\{@[^{}]*\}")
_FLOW = ReferenceKind.FLOW
_WORD = re.compile(r"\w+")
_FEWEST_WORDS, _MOST_NAMED = 3, 3
_MOST_LINES, _FEWEST_LINES, _MOST_COMPARED = 200, 20, 60_000
"""Lines that are looked at, and comparisons of a line with a function."""
_SYLLABLE = re.compile(r"[\u3041-\u30ff\uac00-\ud7af]")
"""Of Japanese and Korean."""
_FIRST_BEYOND_LATIN = "\u0250"
_LANGUAGE = "the offline model speaks English, German, Spanish, French, Portuguese, Italian, Japanese and Korean only"
_NOTHING = "it has no tool, no other playbook and no example that the offline model could go by"


def _go_on() -> None:
    """The checkpoint of callers that have all the time."""


def shortfall(turn: ModelTurn, checkpoint: Callable[[], None] = _go_on) -> str:
    """Why the planner cannot follow the playbook of a turn, in some words; empty where it can.

    It can where it speaks the language and knows when a function is meant, or what to say: because examples show it,
    because the function takes any question, or because it understands the goal or a line of the instructions as it
    would understand a user. Besides, examples show all of its functions, or at least half of the lines are covered:
    name a function that it knows when to call, ask for a value of one, are like what an example's user says, or are
    small talk.

    Each line is compared with each function, which takes much longer than compiling the playbook: not for the event
    loop. `checkpoint` is called before each line; what it raises ends the work.
    """
    if not _speaks(turn):
        return _LANGUAGE
    turn = PlainTurns().plain(turn)
    index = build_index(turn)
    books = index.books.values()
    if not (books or index.exchanges):
        return _NOTHING
    if books and all(_is_plain(book) for book in books):
        return ""
    most = lines_looked_at(len(books))
    goal, lines = (
        [_rehearsed(line, turn, index, checkpoint) for line in islice(_lines(steps), most)]
        for steps in ([InstructionStep(turn.goal)], turn.instructions)
    )
    known = {book.name for book in books if _is_plain(book)} | {
        name for line in (*goal, *lines) for name in line.wanted
    }
    if not (index.exchanges or known):
        named = _listed([book.name for book in books])
        return f"neither goal, instructions nor examples tell the offline model when to use {named}"
    prose = sum(not line.is_shown(known) for line in lines)
    if 2 * prose <= len(lines):
        return ""
    return f"{prose} of {len(lines)} lines of its instructions are not covered by a tool, playbook or example"


def _is_plain(book: Book) -> bool:
    """Whether it is known when a function is meant, whatever the instructions say."""
    return bool(book.samples) or book.declaration.as_question is not None


def lines_looked_at(functions: int) -> int:
    """How many lines of the instructions are looked at, the first ones, where so many functions are compared."""
    return min(_MOST_LINES, max(_FEWEST_LINES, _MOST_COMPARED // max(1, functions)))


def _listed(names: Sequence[str]) -> str:
    first_names = ", ".join(names[:_MOST_NAMED])
    return f"{first_names} and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else first_names


def _speaks(turn: ModelTurn) -> bool:
    """Whether the planner speaks the agent's language, and reads the writing of its texts."""
    if turn.language_code and turn.language_code[:2].casefold() not in LANGUAGES:
        return False
    texts = chain([turn.goal], (step.text for step in turn.instructions))
    # Counted, not collected: instructions may be as large as a package.
    letters = Counter(_script(each) for text in texts for each in text if each.isalpha())
    # Chinese characters without a syllable of Japanese between them are Chinese.
    unread = letters["other"] + (0 if letters["syllable"] else letters["character"])
    return unread <= letters.total() - unread


def _script(letter: str) -> str:
    if letter < _FIRST_BEYOND_LATIN:
        return "latin"
    return "syllable" if _SYLLABLE.match(letter) else "character" if is_unspaced(letter) else "other"


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    named: frozenset[str]
    """The tools and playbooks that it refers to, as they are written there."""


def _lines(steps: Iterable[InstructionStep]) -> Iterator[_Line]:
    """What instructions say, line by line; headings and markup that say nothing are left out."""
    for step in steps:
        start = 0
        for text in step.text.splitlines(keepends=True):
            end = start + len(text)
            named = frozenset(
                each.name for each in step.references if start <= each.start < end and each.kind is not _FLOW
            )
            if named or len(_WORD.findall(_MARKUP.sub(" ", text))) >= _FEWEST_WORDS:
                yield _Line(text, named)
            start = end
        yield from _lines(step.steps)


class _Rehearsed:
    """A line of the instructions, understood as if a user had said it."""

    def __init__(self, line: _Line, turn: ModelTurn, index: PlaybookIndex) -> None:
        self._line = line
        self._index = index
        user_text = UserText(_REFERENCE.sub(" ", line.text))
        situation = Situation(replace(turn, conversation=(user_text,)), index, _NO_DAY)
        self._words = situation.words
        candidates = [each for each in situation.candidates if each.score >= situation.threshold and each.has_word]
        self.wanted = frozenset(each.book.name for each in candidates)
        """Names of the functions that it would be understood to mean."""

    def is_shown(self, known: Collection[str]) -> bool:
        """Whether the planner does what the line says, where it knows when the functions of these names are meant."""
        text = self._line.text
        if self.wanted or _TALK.search(text) or hands_over([text], ()):
            return True
        books = self._index.books.values()
        if any(book.name in known and self._line.named & _spellings(book) for book in books):
            return True
        content_keys = {token.key for token in self._words.reading.words if not token.is_stop}
        if any(content_keys & book.parameter_keys for book in books if book.name in known):
            return True
        return nearest_exchange(self._index, self._words)[0] >= LIKE_AN_EXAMPLE


def _rehearsed(line: _Line, turn: ModelTurn, index: PlaybookIndex, checkpoint: Callable[[], None]) -> _Rehearsed:
    checkpoint()
    return _Rehearsed(line, turn, index)


def _spellings(book: Book) -> set[str]:
    """How instructions refer to what a book is of."""
    declaration = book.declaration
    return {declaration.reference, f"{declaration.reference}_{declaration.action}"}
