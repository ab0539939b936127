"""Values for a wish, where the same line says more than the wish."""

import re
from collections.abc import Sequence

from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.language.tokenizer import plain
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.assignment import assign
from openplaybook.models.offline.slots.proposals import EXAMPLE, Proposal, RecognisedWords
from openplaybook.models.offline.speech.clauses import Clause

_INSTEAD = re.compile(
    r"(?:[,.;:!?–—-]\s*|\s)(?:(?:actually|oh|ah|ach|uh|um|no|wait|sorry|oops|rather|nein|halt|moment|doch|non|pardon"
    r"|attends|espera|perdon|digo|mejor)[,\s]+){1,3}(?=\S)|\s(?:i mean|i meant|or rather|make (?:it|that)|ich meine"
    r"|ich meinte|beziehungsweise|quiero decir|je veux dire|ou plutot)[,\s]+"
)


def settled(situation: Situation, book: Book, proposals: Sequence[Proposal]) -> list[Proposal]:
    """The values of a wish that changes something: from the clauses that ask for it, and as corrected last."""
    if not book.is_careful or any(one.source == EXAMPLE for one in proposals):
        return list(proposals)
    return _corrected(situation, book, _from_own_clauses(situation, book, proposals))


def _from_own_clauses(situation: Situation, book: Book, proposals: Sequence[Proposal]) -> list[Proposal]:
    """ "Show me order 7 and cancel 8" cancels 8."""
    speech = situation.speech
    looking = speech.looking
    own = [clause for clause in speech.with_any(book.acts) if clause not in looking]
    foreign = [*looking, *(one for one in speech.with_any(situation.index.acts - book.acts) if one not in own)]
    if not own or not any(_stands_in(one, foreign) for one in proposals):
        return list(proposals)
    words = _blanked(situation, [clause for clause in speech.clauses if clause in foreign])
    by_path = {one.slot.path: one for one in assign(book.lessons, words)}
    return [by_path.get(one.slot.path, one) if _stands_in(one, foreign) else one for one in proposals]


def _corrected(situation: Situation, book: Book, proposals: Sequence[Proposal]) -> list[Proposal]:
    """ "Cancel order 7, no wait, 8" cancels 8."""
    text = situation.words.reading.text
    marks = [match for match in _INSTEAD.finditer(plain(text)) if match.start() > 0]
    current = list(proposals)
    for mark in marks:
        words = situation.recognised(" " * mark.end() + text[mark.end() :])
        later = {one.slot.path: one for one in assign(book.lessons, words)}
        replaced = [
            one for one in current if one.slot.path in later and all(end <= mark.start() + 1 for _, end in one.places)
        ]
        current = [later[one.slot.path] if one in replaced else one for one in current]
    return current


def _stands_in(proposal: Proposal, clauses: Sequence[Clause]) -> bool:
    return any(clause.start <= start < clause.end for clause in clauses for start, _ in proposal.places)


def _blanked(situation: Situation, clauses: Sequence[Clause]) -> RecognisedWords:
    """The user's words, those of some clauses left blank."""
    text = situation.words.reading.text
    for clause in clauses:
        text = text[: clause.start] + " " * (clause.end - clause.start) + text[clause.end :]
    return situation.recognised(text)
