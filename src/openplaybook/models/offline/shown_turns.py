"""Turns that an example shows: how its agent opens, and what comes of words that reply to its agent's."""

from collections.abc import Iterator

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import AgentText, DeclarationKind, FunctionCall, FunctionResult, UserText
from openplaybook.models.offline.call_attempt import attempt, known_of
from openplaybook.models.offline.consent import Consent
from openplaybook.models.offline.end_calls import shown_end
from openplaybook.models.offline.knowledge.answer_templates import Facts, fill
from openplaybook.models.offline.knowledge.learned_answers import facts_of
from openplaybook.models.offline.knowledge.result_outcome import read_outcome
from openplaybook.models.offline.knowledge.term_weights import similarity, terms_of
from openplaybook.models.offline.knowledge.word_exchanges import WordExchange
from openplaybook.models.offline.language.local_tables import forms_for
from openplaybook.models.offline.language.small_talk import NO, YES, kind_of
from openplaybook.models.offline.language.tokenizer import fold, last_sentence
from openplaybook.models.offline.planner_state import PlannerDecision
from openplaybook.models.offline.questions import offer
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.assignment import assign
from openplaybook.models.offline.slots.slot_values import leaves, scalars, spoken
from openplaybook.models.offline.slots.value_contexts import find_words

_SAME = 1.1
_MOST_CHARACTERS = 2000
_LIKE_THE_REPLY = 0.5
"""Likeness to an example's words from which on they are taken for the same, where they reply to the same."""


def entered(situation: Situation) -> PlannerDecision | None:
    """A playbook that was entered for words that it does not know: they have told that it is meant, so it begins.

    It opens as an example does; else with the one function that it has, which asks for what it lacks; else it says
    what can be done here.
    """
    if situation.is_part or not _has_just_begun(situation):
        return None
    index = situation.index
    if index.opening:
        return PlannerDecision("entered", situation.state, index.opening, evidence={"opening": "of an example"})
    books = [book for book in index.books.values() if book.declaration.kind is DeclarationKind.TOOL]
    if len(books) == 1 and not books[0].takes_any_words:
        proposals = assign(books[0].lessons, situation.words)
        return attempt(situation, books[0], proposals, "entered", consent=Consent.UNSURE)
    text = offer(index, situation.turn.goal, situation.wording)
    return None if text == situation.wording.not_understood else PlannerDecision("entered", situation.state, text)


def _has_just_begun(situation: Situation) -> bool:
    """Whether another playbook gave way to this one for the user's latest words."""
    is_spoken = any(isinstance(entry, AgentText | FunctionCall) for entry in situation.entries)
    return bool(situation.turn.preceding_conversation) and not is_spoken


def shown_turn(situation: Situation) -> PlannerDecision | None:
    """The agent has asked what an example's agent asks, and the user replies like the example's user: what comes of
    it there comes of it here. A call that changes something is read back before."""
    asked = fold(last_sentence(situation.agent_text))
    if not asked or situation.is_part:
        return None
    kind = kind_of(situation.text)
    for shown in situation.index.shown_answers:
        book = situation.index.books.get(shown.function)
        if book is not None and (shown.after, shown.kind) == (asked, kind):
            known = known_of(situation.state, book)
            if not shown.paths <= {path for path, _ in leaves(known.arguments)}:
                continue
            # A yes to the author's own question is one to a call that has no values.
            is_agreed = kind == YES and not known.arguments
            return attempt(situation, book, (), "shown_turn", known=known, consent=Consent.UNSURE, confirmed=is_agreed)
    exchange, score = _reply_to(situation, asked, kind)
    text = None if exchange is None else reply_of(situation, exchange)
    if exchange is None or text is None:
        return None
    evidence: JsonObject = {"example": exchange.example, "likeness": round(score, 3)}
    return PlannerDecision("shown_turn", situation.state, text, shown_end(situation, exchange.ends), evidence)


def _reply_to(situation: Situation, asked: str, kind: str) -> tuple[WordExchange | None, float]:
    best: tuple[WordExchange | None, float] = (None, 0.0)
    terms = terms_of(situation.words.reading, situation.index.weights, ())
    for exchange, its_terms in zip(situation.index.exchanges, situation.index.exchange_terms, strict=True):
        if exchange.after != asked:
            continue
        is_same = fold(exchange.reading.text) == fold(situation.text)
        is_like = kind in (YES, NO) and kind == exchange.kind
        score = (
            _SAME if is_same else 1.0 if is_like else 0.0 if exchange.needs_context else similarity(terms, its_terms)
        )
        if score >= _LIKE_THE_REPLY and score > best[1]:
            best = exchange, score
    return best


def fits_here(situation: Situation, exchange: WordExchange) -> bool:
    """Whether an exchange may be taken: one whose words mean something only behind the agent's needs these."""
    return not exchange.needs_context or exchange.after == fold(last_sentence(situation.agent_text))


def reply_of(situation: Situation, exchange: WordExchange) -> str | None:
    """What an example's agent says, with today's values; None where it would tell the example's: of a result that is
    not there, or of words that nobody said here."""
    facts = Facts({}, None, None)
    if exchange.source:
        latest = next((each for each in _earlier(situation) if each[1].name == exchange.source), None)
        outcome = None if latest is None else read_outcome(latest[1])
        if latest is None or outcome is None or outcome.is_error:
            return None
        facts = facts_of(latest[0].arguments, outcome, forms_for(situation.turn.language_code))
    if exchange.own:
        known = "\n".join(_known_texts(situation))
        if not all(find_words(value, known) for value in exchange.own):
            return None
    return fill(exchange.parts, facts)


def _known_texts(situation: Situation) -> Iterator[str]:
    """What the user said, and what calls and results hold."""
    for entry in situation.entries:
        if isinstance(entry, UserText):
            yield entry.text[:_MOST_CHARACTERS]
        elif isinstance(entry, FunctionCall | FunctionResult):
            held = entry.arguments if isinstance(entry, FunctionCall) else entry.output
            yield from (spoken(value) for value in scalars(held))


def _earlier(situation: Situation) -> Iterator[tuple[FunctionCall, FunctionResult]]:
    """Calls with results, the latest first."""
    calls = {entry.id: entry for entry in situation.entries if isinstance(entry, FunctionCall)}
    for entry in reversed(situation.entries):
        if isinstance(entry, FunctionResult) and entry.id in calls:
            yield calls[entry.id], entry
