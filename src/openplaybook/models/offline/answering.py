"""Rules for a user who answers a question of ours."""

from openplaybook.models.offline.assign import assign
from openplaybook.models.offline.calling import attempt
from openplaybook.models.offline.decision import Decision
from openplaybook.models.offline.lesson_book import Book
from openplaybook.models.offline.lessons import Lesson
from openplaybook.models.offline.lexicon import CANCEL, NO, YES
from openplaybook.models.offline.short_answers import short_answer
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.smalltalk import kind_of
from openplaybook.models.offline.state import Pending, PlannerState

_MOST_QUESTIONS = 2
_SWITCH = 0.6
"""Likeness to another function from which on the user has changed the subject."""


def answer_to_question(situation: Situation) -> Decision | None:
    """Take the words as the answer that we wait for; None when we wait for none or they are something else."""
    pending = situation.state.pending
    book = situation.index.books.get(pending.function) if pending else None
    if pending is None or book is None or _changes_subject(situation, book, pending):
        return None
    kind = kind_of(situation.text)
    if kind == CANCEL or (kind == NO and (pending.is_confirmation or _is_open(book, pending))):
        return Decision("called_off", _dropped(situation), text=situation.wording.dropped)
    if pending.is_confirmation:
        return _confirmed(situation, book, kind)
    if pending.path not in book.paths:
        return None
    return _filled(situation, book, book.paths[pending.path], pending, kind)


def _is_open(book: Book, pending: Pending) -> bool:
    lesson = book.paths.get(pending.path)
    return lesson is None or lesson.slot.type != "boolean"


def _changes_subject(situation: Situation, book: Book, pending: Pending) -> bool:
    best = next(iter(situation.candidates), None)
    if best is None or best.book is book or not best.has_word:
        return False
    return best.score >= max(_SWITCH, situation.threshold) and not _only_answers(situation, book, pending)


def _only_answers(situation: Situation, book: Book, pending: Pending) -> bool:
    """Whether the words are a value for what was asked, and words about it: "named Tim"."""
    lesson = book.paths.get(pending.path)
    if lesson is None:
        return False
    given = [one for one in assign(book.lessons, situation.words, asked=pending.path) if one.slot is lesson.slot]
    used = [place for proposal in given for place in proposal.places]
    return bool(given) and all(
        token.is_stop
        or token.key in lesson.slot.cue_keys
        or any(start <= token.start and token.end <= end for start, end in used)
        for token in situation.words.reading.words
    )


def _dropped(situation: Situation) -> PlannerState:
    state = situation.state
    name = state.pending.function if state.pending else ""
    rest = {function: value for function, value in state.filled.items() if function != name}
    return PlannerState(None, rest, state.last, state.last_arguments)


def _confirmed(situation: Situation, book: Book, kind: str) -> Decision | None:
    earlier = situation.state.filled.get(book.name, {})
    if kind == YES:
        return attempt(situation, book, (), "confirmed", earlier=earlier, confirmed=True)
    changes = assign(book.lessons, situation.words)
    return attempt(situation, book, changes, "changed", earlier=earlier) if changes else None


def _filled(situation: Situation, book: Book, lesson: Lesson, pending: Pending, kind: str) -> Decision | None:
    is_small_talk = bool(kind) and not lesson.slot.options and lesson.slot.type != "boolean"
    # "Hello" is nobody's name: small talk is a value only where the schema lists it.
    proposals = [] if is_small_talk else list(assign(book.lessons, situation.words, asked=lesson.slot.path))
    if all(proposal.slot is not lesson.slot for proposal in proposals):
        proposals += short_answer(lesson, situation.words.reading.text)
    if not proposals and pending.times >= _MOST_QUESTIONS:
        return None
    if not proposals and kind and kind not in (YES, NO):
        return None
    return attempt(situation, book, proposals, "answer_to_question", earlier=situation.state.filled.get(book.name))
