"""Rules for a user who answers a question of ours."""

from openplaybook.models.offline.call_attempt import CALL, KnownValues, attempt, known_of, waiting_question
from openplaybook.models.offline.consent import Consent
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.language.lexicon import word_set
from openplaybook.models.offline.language.small_talk import CANCEL, NO, YES, after_yes, reply_in
from openplaybook.models.offline.language.tokenizer import key_of
from openplaybook.models.offline.learned_values import more_values
from openplaybook.models.offline.planner_state import Pending, PlannerDecision
from openplaybook.models.offline.short_answers import says_what_is_open, short_answer, takes_sentences
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.assignment import assign
from openplaybook.models.offline.slots.proposals import Proposal
from openplaybook.models.offline.slots.slot_lessons import Lesson
from openplaybook.models.offline.speech.forces import Force

_MOST_QUESTIONS = 2
_BESIDE_NAMES = word_set(
    """the a my on in under der die das ein eine mein meine meinen meinem auf unter el la un una mi a le ma mon mes à
    au"""
)
_SWITCH = 0.6
"""Likeness to another function from which on the user has changed the subject."""


def answer_to_question(situation: Situation) -> PlannerDecision | None:
    """Take the words as the answer that we wait for; None when we wait for none or they are something else."""
    pending = situation.state.pending
    book = situation.index.books.get(pending.function) if pending else None
    if pending is None or book is None or _changes_subject(situation, book, pending):
        return None
    kind = reply_in(situation.text) or situation.speech.kind
    lesson = book.paths.get(pending.path)
    takes_no = lesson is not None and lesson.slot.type == "boolean" and not pending.is_confirmation
    if kind == CANCEL or (kind == NO and not takes_no):
        return called_off(situation)
    if pending.is_confirmation:
        return _confirmed(situation, book, pending, kind)
    return None if lesson is None else _filled(situation, book, lesson, pending, kind)


def called_off(situation: Situation) -> PlannerDecision:
    """Nothing of what was under way is done, and nothing of it is remembered."""
    before = situation.state
    state = before.without(*([before.pending.function] if before.pending else before.filled))
    return PlannerDecision("called_off", state, text=situation.taken_back(situation.user_wording))


def asked_again(situation: Situation, before: str = "") -> PlannerDecision:
    """The question that waits, once more; `before` is said first, and the question that it answers does not count."""
    pending = situation.state.pending
    times = pending.times + (not before) if pending else 1
    waiting = Pending(pending.function, pending.path, times) if pending else None
    text = f"{before} {waiting_question(situation)}".strip()
    return PlannerDecision("asked_again", situation.state.waiting_for(waiting), text=text)


def _changes_subject(situation: Situation, book: Book, pending: Pending) -> bool:
    best = next(iter(situation.candidates), None)
    if best is None or best.book is book or not best.has_word or best.score < situation.threshold:
        return False
    if _only_answers(situation, book, pending):
        return False
    changes = assign(book.lessons, situation.words) if pending.is_confirmation else ()
    if changes:
        # "Tickets for two adults and two children, tomorrow": it has a value for what waits, and more for another.
        is_other = best.score >= _SWITCH and len(best.proposals) > len(changes)
        return is_other or _begins_anew(situation, best.book)
    return best.score >= _SWITCH or _begins_anew(situation, best.book)


def _begins_anew(situation: Situation, other: Book) -> bool:
    """Whether the words begin with what another function does: "show me order 7"."""
    opening = next((token for token in situation.words.reading.words if not token.is_stop), None)
    return opening is not None and opening.key in situation.index.acts and opening.key in other.vocabulary


def _only_answers(situation: Situation, book: Book, pending: Pending) -> bool:
    """Whether the words are a value for what was asked, and words about it: "named Tim"."""
    lesson = book.paths.get(pending.path)
    if lesson is None:
        return False
    values = [one for one in assign(book.lessons, situation.words, asked_slot=pending.path) if one.slot is lesson.slot]
    used = [place for proposal in values for place in proposal.places]
    return bool(values) and all(
        token.is_stop
        or token.key in lesson.slot.cue_keys
        or any(start <= token.start and token.end <= end for start, end in used)
        for token in situation.words.reading.words
    )


def _confirmed(situation: Situation, book: Book, pending: Pending, kind: str) -> PlannerDecision | None:
    known = known_of(situation.state, book)
    proposals = () if kind else assign(book.lessons, situation.words)
    changes = [one for one in proposals if not _is_denied(one, situation) and not _says_nothing(one, situation)]
    # "yes?" asks whether it is so.
    if not changes and "?" not in situation.text and (kind == YES or _agrees(situation) or _says_act(situation, book)):
        return attempt(situation, book, (), "confirmed", known=known, confirmed=True)
    if changes:
        # What is corrected is read back once more, whole.
        sure = [path for path in known.sure if path != CALL]
        return attempt(
            situation, book, changes, "changed", known=KnownValues(known.arguments, sure), consent=Consent.UNSURE
        )
    if any(clause.kind in (NO, CANCEL) or clause.force is Force.DENIED for clause in situation.speech.clauses):
        return called_off(situation)
    if _wonders(situation):
        return asked_again(situation, situation.user_wording.cannot_answer)
    return asked_again(situation) if pending.times < _MOST_QUESTIONS else None


def _wonders(situation: Situation) -> bool:
    return any(clause.is_question for clause in situation.speech.saying)


def _says_nothing(proposal: Proposal, situation: Situation) -> bool:
    """Whether a value is no more than a word of agreement, or stands in a clause that is."""
    clause = situation.speech.at(proposal.start)
    return clause is not None and (bool(clause.kind) or clause.is_tag)


def _agrees(situation: Situation) -> bool:
    """Whether the words begin with a yes, and nothing in them takes it back or adds to it."""
    clauses, speech = situation.speech.clauses, situation.speech
    if not clauses or clauses[0].kind != YES or not speech.is_plain or situation.is_cut:
        return False
    spans = [span for span in situation.words.spans if not span.is_weak]
    return not spans and all(not clause.is_question and clause.kind not in (NO, CANCEL) for clause in clauses)


def _says_act(situation: Situation, book: Book) -> bool:
    """Whether nothing stands behind a yes but what is to be done: "ok, pay it"."""
    said = [token.key for token in situation.words.reading.words if not token.is_stop]
    if not after_yes(situation.text) or not situation.speech.is_plain or situation.is_cut:
        return False
    return book.vocabulary.issuperset(said) and not book.acts.isdisjoint(said)


def _is_denied(proposal: Proposal, situation: Situation) -> bool:
    """Whether a value stands where it is denied: "not 1002"."""
    clause = situation.speech.at(proposal.start)
    return clause is not None and clause.force is Force.DENIED and proposal.slot.type != "boolean"


def _is_asked(proposal: Proposal, situation: Situation) -> bool:
    """Whether a value is no more than words of a question."""
    clause = situation.speech.at(proposal.start)
    return clause is not None and clause.is_question and proposal.source in ("context", "list")


def _filled(situation: Situation, book: Book, lesson: Lesson, pending: Pending, kind: str) -> PlannerDecision | None:
    is_small_talk = bool(kind) and not lesson.slot.options and lesson.slot.type != "boolean"
    known, consent = known_of(situation.state, book), Consent.UNSURE
    if CALL in known.sure:
        consent = Consent.GIVEN
    # "Hello" is nobody's name: small talk is a value only where the schema lists it.
    proposals = [] if is_small_talk or situation.speech.knows_not else _values(situation, book, lesson)
    if not proposals and _wonders(situation):
        return asked_again(situation, situation.user_wording.cannot_answer)
    if not proposals and pending.times >= _MOST_QUESTIONS:
        return None
    if not proposals and kind and kind not in (YES, NO):
        return None
    if not proposals and not kind and not situation.speech.knows_not:
        # What was said may have been meant to take the call back.
        known, consent = KnownValues(known.arguments, [path for path in known.sure if path != CALL]), Consent.UNSURE
    asked_slot = lesson.slot.path
    return attempt(
        situation, book, proposals, "answer_to_question", known=known, consent=consent, asked_slot=asked_slot
    )


def _values(situation: Situation, book: Book, lesson: Lesson) -> list[Proposal]:
    """What the words say for the slot that was asked for, and for others beside it."""
    picked = situation.antecedents.proposals(book, situation.words, ()) if situation.antecedents.picked else []
    if any(one.slot is lesson.slot for one in picked):
        others = situation.antecedents.unpicked(assign(book.lessons, situation.words, asked_slot=lesson.slot.path))
        return [*picked, *(one for one in others if all(one.slot is not each.slot for each in picked))]
    recited = book.recited(situation.words.reading, situation.today)
    if recited and lesson.slot.path in {proposal.slot.path for proposal in recited}:
        return recited
    if _only_names(situation, lesson):
        return []
    assigned = assign(book.lessons, situation.words, asked_slot=lesson.slot.path)
    proposals = [one for one in assigned if not _is_denied(one, situation) and not _is_asked(one, situation)]
    if proposals or assigned:
        return proposals if book.is_careful else [*proposals, *more_values(situation, book, proposals)]
    if not takes_sentences(lesson.slot) and _says_again(situation, book):
        return []
    return short_answer(lesson, situation.words.reading.text)


def _only_names(situation: Situation, lesson: Lesson) -> bool:
    """Whether the words only name what was asked for: "the name"."""
    words = situation.words.reading.words
    content_words = [token.text for token in words if not token.is_stop and token.text.casefold() not in _BESIDE_NAMES]
    if not content_words or lesson.slot.type != "string" or lesson.slot.options:
        return False
    # One word alone seldom tells in which language it is.
    return all(
        any(key in lesson.slot.name_keys or says_what_is_open(key) for key in _keys(word, situation))
        for word in content_words
    )


def _keys(word: str, situation: Situation) -> set[str]:
    return {key_of(word, language) for language in situation.languages}


def _says_again(situation: Situation, book: Book) -> bool:
    """Whether the words only ask once more for what is under way: "I want to add a pet" is no pet's name."""
    best = next(iter(situation.candidates), None)
    is_ranked = best is not None and best.book is book and best.has_word and best.score >= situation.threshold
    return is_ranked and any(clause.force in _ASKING for clause in situation.speech.with_any(book.acts))


_ASKING = (Force.PLAIN, Force.TENTATIVE)
