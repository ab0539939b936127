"""Whether the user asked for what a function does: by its own words, or by an example's."""

from collections.abc import Sequence
from enum import Enum

from openplaybook.models.base import Effect
from openplaybook.models.offline.candidates import Candidate
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.language.lexicon import LOOKING, word_set
from openplaybook.models.offline.language.tokenizer import Reading, fold
from openplaybook.models.offline.requests import says_more
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.smalltalk import kind_of
from openplaybook.models.offline.speech.clauses import Clause
from openplaybook.models.offline.speech.forces import Force
from openplaybook.models.offline.speech.withdrawals import Withdrawal

_LIKE_AN_EXAMPLE = 0.6
_NEAR = 0.05
_NO = frozenset((Force.QUESTION, Force.SUPPOSED, Force.DENIED, Force.REPORTED))
_NOT_ASKED = frozenset((Force.SUPPOSED, Force.DENIED))
_HALF = frozenset((Force.TENTATIVE, Force.CONDITIONAL))
_SELF = word_set("""i i'm we it it's there my ich wir es mein meine je j' nous c'est yo ya me lo la mi""")


class Consent(Enum):
    """What the user's words say about calling a function."""

    GIVEN = "GIVEN"
    UNSURE = "UNSURE"
    """It may be meant: the user is asked before it is called."""
    REFUSED = "REFUSED"
    """It is not asked for: only asked about, denied, supposed or reported."""


def consent_to(situation: Situation, candidate: Candidate) -> Consent:
    """Whether the latest words ask for a candidate. What only reads needs none."""
    book, speech = candidate.book, situation.speech
    if not book.is_careful or _is_an_examples(situation, book):
        return Consent.GIVEN
    acting = speech.with_any(book.acts)
    judged = acting or speech.saying
    is_clients = book.declaration.effect is Effect.CLIENT
    refusing = _NOT_ASKED if is_clients and not acting else _NO
    if any(clause.force in refusing for clause in judged):
        asked_beside = acting and any(clause.force not in refusing for clause in judged)
        return Consent.UNSURE if asked_beside else Consent.REFUSED
    if is_clients and not acting:
        return Consent.GIVEN
    if _is_qualified(speech.saying, judged, situation.words.reading) or situation.is_cut:
        return Consent.UNSURE
    if speech.looking and not book.acts & LOOKING:
        # "Check order 7 first, then cancel it": what is seen may change what is wanted.
        return Consent.UNSURE
    if _has_rival(situation, candidate):
        return Consent.UNSURE
    shown = bool(candidate.example) and candidate.has_word and candidate.score >= _LIKE_AN_EXAMPLE
    is_asked = acting or (shown and not _speaks_of_another(situation, book)) or is_clients
    is_more = not is_clients and says_more(situation, candidate)
    return Consent.GIVEN if is_asked and not is_more else Consent.UNSURE


def _is_an_examples(situation: Situation, book: Book) -> bool:
    """Whether the words are those with which an example began to do this, said again."""
    if situation.is_cut or kind_of(situation.text):
        return False  # a "yes" means something only where it answers something
    said = fold(situation.words.reading.text)
    return any(fold(sample.reading.text) == said for sample in book.samples)


def _is_qualified(saying: Sequence[Clause], judged: Sequence[Clause], reading: Reading) -> bool:
    """Whether a condition, a doubt or a change of mind stands beside what is asked for."""
    for clause in saying:
        if clause.force in _HALF or clause.withdraws is Withdrawal.CHANGED_MIND:
            return True
        words = [word.casefold() for word in reading.text[clause.start : clause.end].strip(" ,;-").split()[:1]]
        if clause.force in _NO and clause not in judged and not _SELF.intersection(words):
            return True
    return False


def _has_rival(situation: Situation, candidate: Candidate) -> bool:
    """Whether another function that changes something is as likely, and asked for by the same clause."""
    clauses = situation.speech.with_any(candidate.book.acts)
    return any(
        other.book is not candidate.book
        and other.book.is_careful
        and other.score >= candidate.score - _NEAR
        and situation.speech.with_any(other.book.acts) == clauses
        for other in situation.candidates
    )


def _speaks_of_another(situation: Situation, book: Book) -> bool:
    """Whether the words have an act of another function, and none of this one."""
    keys = {token.key for token in situation.words.reading.words}
    return bool(keys & (situation.index.acts - book.vocabulary))
