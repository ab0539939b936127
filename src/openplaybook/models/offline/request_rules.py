"""Rules for a user who says something of their own accord."""

import re
from collections.abc import Sequence
from dataclasses import replace

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Effect
from openplaybook.models.offline.assurance import stands_by_cue
from openplaybook.models.offline.call_attempt import KnownValues, Utterance, asked, attempt, known_of
from openplaybook.models.offline.candidates import nearest_exchange, rank
from openplaybook.models.offline.clause_values import settled
from openplaybook.models.offline.consent import Consent, consent_to
from openplaybook.models.offline.end_calls import early_end, end_arguments, shown_end
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.language.handover import ESCALATED, asks_for_person
from openplaybook.models.offline.language.lexicon import CHANGING_ACTS, LOOKING
from openplaybook.models.offline.language.small_talk import (
    CANCEL,
    FAREWELL,
    GREETING,
    NO,
    THANKS,
    YES,
    kind_in_place,
    kind_of,
)
from openplaybook.models.offline.language.tokenizer import fold, plain
from openplaybook.models.offline.learned_requests import is_learned
from openplaybook.models.offline.learned_values import completed
from openplaybook.models.offline.planner_state import PlannerDecision
from openplaybook.models.offline.questions import offer
from openplaybook.models.offline.short_answers import short_answer
from openplaybook.models.offline.shown_turns import fits_here, reply_of
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.assignment import assign
from openplaybook.models.offline.slots.proposals import Proposal
from openplaybook.models.offline.slots.slot_values import pick
from openplaybook.models.offline.speech.forces import Force
from openplaybook.models.offline.speech.speech_acts import speech_of

LIKE_AN_EXAMPLE = 0.6
_LEAST_IN_FOLLOW_UP = 0.3
_OFFER = re.compile(
    r"(?:shall|should|may|can) i\b|(?:do you want|would you like) me to\b|soll ich\b|darf ich\b", re.IGNORECASE
)
_FOLLOW_UP = re.compile(
    r"(?:and )?(?:what|how) about (?:in |for |the )?|(?:und )?was ist mit |and (?:in |for )", re.IGNORECASE
)
_GOES_ON = re.compile(r"(?:and|or|what|how|und|oder|was|wie|y|o|et|ou)\b", re.IGNORECASE)
_CORRECTION = re.compile(
    r"^(?:no|nope|sorry|oops|wait|actually|rather|nein|entschuldigung|halt|moment|perdon|espera|non|pardon|desole"
    r"|attends|nao|desculpe|espere|scusi|scusa|aspetta|anzi)\b"
    r"|^(?:いや|いえ|いいえ|違|ちがい|すみません|아니|아뇨|잠깐|죄송)"
    r"|\b(?:i meant|i mean|make (?:it|that)|change (?:it|that) to|instead|ich meinte|ich meine|stattdessen"
    r"|statt dessen"
    r"|mach\w* (?:es|das|daraus)|queria decir|me refiero|me referia|en vez|mejor|que sea[n]?|je voulais dire"
    r"|plutot|qu(?:is|ero|eria) dizer|em vez|volevo dire|intendevo|invece)\b|じゃなくて|ではなく|말고"
)
_ALWAYS_CORRECTS = re.compile(
    r"\b(?:meant|mean|make (?:it|that)|instead|meinte|stattdessen|decir|referia|voulais dire|dizer|volevo dire"
    r"|intendevo)\b|じゃなくて|ではなく|말고"
)
_NOT_FOLLOWING = (Force.DENIED, Force.SUPPOSED, Force.REPORTED)
_SHORT = 5
"""Words of what corrects by its opening alone."""
_BEYOND_LATIN = "\u0250"
"""First letter of what is written in other letters, whose questions are not known as such."""
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")


def opening(situation: Situation) -> PlannerDecision | None:
    """The user has said nothing yet: open as an example does, else greet."""
    if situation.text.strip():
        return None
    text = situation.index.opening or _small_talk_text(situation, GREETING)
    return PlannerDecision("opening", situation.state, text=text)


def claimed(situation: Situation) -> PlannerDecision | None:
    """The words are a task for a function as they stand: arithmetic, an equation, code."""
    for declaration in situation.turn.declarations:
        arguments = None if declaration.claims is None else declaration.claims(situation.whole_text)
        if arguments is not None:
            state = replace(situation.state, pending=None, last=declaration.name, last_arguments=arguments)
            return PlannerDecision("claimed", state, calls=((declaration.name, arguments),))
    return None


def small_talk(situation: Situation) -> PlannerDecision | None:
    """The words are nothing but small talk: answer as an example does, or in our own words."""
    kind = kind_in_place(situation.text, begins=not situation.agent_text)
    if not kind or (kind == YES and _offered(situation)):
        return None
    state = replace(situation.state, pending=None)
    text = _small_talk_text(situation, kind)
    if kind in (FAREWELL, NO, CANCEL, THANKS):
        arguments = end_arguments(situation, "CANCELLED" if kind == CANCEL else "OK", None)
        if arguments is not None and situation.index.end is not None:
            return PlannerDecision(
                "small_talk_and_end", state, text, ((situation.index.end.name, arguments),), {"kind": kind}
            )
    if kind == FAREWELL and situation.index.close is not None:
        return PlannerDecision("small_talk_and_end", state, text, early_end(situation, "OK"), {"kind": kind})
    return PlannerDecision("small_talk", state, text, evidence={"kind": kind})


def _small_talk_text(situation: Situation, kind: str) -> str:
    exchanges = [exchange for exchange in situation.index.exchanges if fits_here(situation, exchange)]
    same = [exchange for exchange in exchanges if exchange.kind == kind]
    exact = [exchange for exchange in exchanges if fold(exchange.reading.text) == fold(situation.text)]
    for exchange in (*exact, *same):
        shown = reply_of(situation, exchange)
        if shown is not None:
            return shown
    opening_words = situation.index.opening
    if kind == GREETING and opening_words and not situation.agent_text:
        return opening_words
    wording = situation.wording
    can_help = offer(situation.index, situation.turn.goal, wording)
    own = {
        GREETING: f"{wording.hello} {wording.how_help if can_help == wording.not_understood else can_help}",
        THANKS: wording.welcome,
        FAREWELL: wording.goodbye,
        NO: wording.anything_else,
        CANCEL: situation.taken_back(wording),
    }
    return own.get(kind, can_help)


def wanted_function(situation: Situation) -> PlannerDecision | None:
    """The likeliest function, when it is likely enough, a word speaks for it, and it is asked for.

    Where it is only asked about, the likeliest of those that change nothing.
    """
    for book in situation.index.books.values():
        recited = book.recited(situation.words.reading, situation.today)
        if recited and not (situation.only_reads and not book.only_looks) and not _is_ranked(situation, book, recited):
            return attempt(situation, book, recited, "wanted_function")
    for candidate in situation.candidates:
        if not (situation.index.is_taught or candidate.book.is_careful) and is_learned(situation):
            # Of functions that only look and that no example shows, what was learned of many tells more.
            break
        if candidate.score < situation.threshold or not candidate.has_word:
            break
        consent = consent_to(situation, candidate)
        if consent is not Consent.REFUSED and not (situation.only_reads and not candidate.book.only_looks):
            known = known_of(situation.state, candidate.book)
            proposals = completed(situation, candidate.book, settled(situation, candidate.book, candidate.proposals))
            return attempt(situation, candidate.book, proposals, "wanted_function", known=known, consent=consent)
        if not situation.speech.is_question and _is_denied(situation, candidate.book):
            return PlannerDecision("not_wanted", situation.state.without(), text=situation.user_wording.dropped)
    return None


def _is_ranked(situation: Situation, book: Book, recited: Sequence[Proposal]) -> bool:
    """Whether the likeliest function is this one, needs no asking, and has these values by the words alone."""
    best = next(iter(situation.candidates), None)
    if best is None or best.book is not book or book.is_careful or best.score < situation.threshold:
        return False
    return {one.slot.path: one.value for one in best.proposals} == {one.slot.path: one.value for one in recited}


def _is_denied(situation: Situation, book: Book) -> bool:
    speech = situation.speech
    return any(clause.force is Force.DENIED for clause in speech.with_any(book.acts) or speech.saying)


def corrected(situation: Situation) -> PlannerDecision | None:
    """Another value for the call made last: "no, I meant order 7". What changes something is read back first."""
    book = situation.index.books.get(situation.state.last)
    text = plain(situation.text)
    if book is None or book.declaration.as_question is not None:
        return None
    if situation.state.pending or not _CORRECTION.search(text) or situation.speech.is_question:
        return None
    others = {act for other in situation.index.books.values() if other is not book for act in other.acts | LOOKING}
    if situation.speech.with_any(others - book.acts):
        return None
    proposals = [one for one in changes_in(situation, book) if not _stands_denied(situation, one)]
    if not proposals or not (_ALWAYS_CORRECTS.search(text) or len(situation.words.reading.words) <= _SHORT):
        return None
    known = KnownValues(situation.state.last_arguments)
    return attempt(situation, book, proposals, "corrected", known=known, consent=Consent.UNSURE)


def changes_in(situation: Situation, book: Book) -> list[Proposal]:
    """The values that the words give; a bare number is rather a count than another thing: "make it two"."""
    proposals = assign(book.lessons, situation.words)
    bare = [one for one in proposals if one.slot.is_identifier and not stands_by_cue(book, one, situation.words)]
    others = [lesson for lesson in book.lessons if not lesson.slot.is_identifier]
    counts = assign(others, situation.words, least_optional=_LEAST_IN_FOLLOW_UP) if bare else ()
    if not any(one.overlaps(other) and other.slot.type in ("integer", "number") for one in bare for other in counts):
        return list(proposals)
    return [
        one
        for one in (*proposals, *counts)
        if one not in bare and (one in counts or not any(map(one.overlaps, counts)))
    ]


def _stands_denied(situation: Situation, proposal: Proposal) -> bool:
    clause = situation.speech.at(proposal.start)
    return clause is not None and clause.force is Force.DENIED


def follow_up(situation: Situation) -> PlannerDecision | None:
    """Only a new value for the last function: "what about number 5?"."""
    book = situation.index.books.get(situation.state.last)
    if book is None or book.declaration.effect is Effect.CHANGES or book.about & CHANGING_ACTS:
        # What changes something is not done a second time on a hint.
        return None
    if book.declaration.as_question is not None:
        return None
    if any(clause.force in _NOT_FOLLOWING for clause in situation.speech.saying):
        return None
    proposals = assign(book.lessons, situation.words, least_optional=_LEAST_IN_FOLLOW_UP) or _bare_value(
        situation, book
    )
    if not proposals or _says_more(situation, book, proposals) or not _goes_on(situation, proposals):
        return None
    return attempt(situation, book, proposals, "follow_up", known=KnownValues(situation.state.last_arguments))


def _bare_value(situation: Situation, book: Book) -> tuple[Proposal, ...]:
    """What stands behind "what about", for the one slot of the last call that takes any words."""
    text = situation.words.reading.text
    opening = _FOLLOW_UP.match(text)
    used = [lesson for path, lesson in book.paths.items() if pick(situation.state.last_arguments, path) is not None]
    if opening is None or len(used) != 1:
        return ()
    shift = opening.end()
    return tuple(
        replace(proposal, places=tuple((start + shift, end + shift) for start, end in proposal.places))
        for proposal in short_answer(used[0], text[shift:].rstrip("?! "))
    )


def _goes_on(situation: Situation, proposals: tuple[Proposal, ...]) -> bool:
    """Whether the words go on with the subject: "great" alone is a comment, though it stands where "Oslo" stood."""
    is_guess = all(proposal.source == "context" and str(proposal.value).islower() for proposal in proposals)
    return not is_guess or _GOES_ON.match(situation.words.reading.text) is not None


def _says_more(situation: Situation, book: Book, proposals: tuple[Proposal, ...]) -> bool:
    """Whether there are content words beside the values that have nothing to do with the function."""
    used = [place for proposal in proposals for place in proposal.places]
    familiar = book.about | book.parameter_keys
    return any(
        not token.is_stop
        and token.key not in familiar
        and not any(start <= token.start and token.end <= end for start, end in used)
        for token in situation.words.reading.words
    )


def accepted_offer(situation: Situation) -> PlannerDecision | None:
    """A yes to something that we offered to do: do it."""
    offered = _offered(situation)
    if not offered or kind_of(situation.text) != YES:
        return None
    words = situation.recognised(offered.rstrip("? "))
    best = next(iter(rank(situation.index, words, situation.antecedents, is_foreign=False)), None)
    if best is None or best.score < situation.threshold:
        return None
    utterance = Utterance(words, speech_of(words.reading, situation.languages, situation.index.acts))
    return attempt(situation, best.book, best.proposals, "accepted_offer", utterance=utterance)


def _offered(situation: Situation) -> str:
    """What the agent's last sentence offered to do; empty when it offered nothing."""
    sentences = [match.group().strip() for match in _SENTENCE.finditer(situation.agent_text)]
    match = _OFFER.match(sentences[-1]) if sentences else None
    return sentences[-1][match.end() :].strip() if match else ""


def like_an_example(situation: Situation) -> PlannerDecision | None:
    """An example shows what to say to this."""
    score, exchange = nearest_exchange(situation.index, situation.words)
    if exchange is None or score < LIKE_AN_EXAMPLE or not fits_here(situation, exchange):
        return None
    text = reply_of(situation, exchange)
    if text is None:
        return None
    evidence: JsonObject = {"example": exchange.example, "likeness": round(score, 3)}
    state, calls = replace(situation.state, pending=None), shown_end(situation, exchange.ends)
    return PlannerDecision("like_an_example", state, text, calls, evidence)


def wanted_person(situation: Situation) -> PlannerDecision | None:
    """The user wants a person, and the playbook knows of one."""
    calls = early_end(situation, ESCALATED)
    if not calls or not situation.index.hands_over or not asks_for_person(situation.text):
        return None
    return PlannerDecision(
        "wanted_person", replace(situation.state, pending=None), situation.wording.handed_over, calls
    )


_FOR_OPERATORS = (
    "The offline model goes by the playbook's tools and examples alone. Add an example with such words, or start the "
    "server with another --model (docs/models.md)."
)
"""For the trace: never said to a user."""


def asked_store(situation: Situation) -> PlannerDecision | None:
    """Nothing else is meant, and something that takes questions is there: it is asked. Of several, the one that the
    words speak for, else the one that was asked last."""
    takers = [book for book in situation.index.books.values() if book.declaration.as_question is not None]
    said = situation.words.reading.words
    # Of a language that sets no words apart, none may have been made out.
    says_nothing = bool(said) and all(token.is_stop for token in said)
    if not takers or says_nothing or not any(map(str.isalpha, situation.text)):
        return None
    last = next((book for book in takers if book.name == situation.state.last), takers[0])
    likely = next((each.book for each in situation.candidates if each.book in takers), last)
    return asked(situation, likely, "asked_store")


def says_nothing_known(situation: Situation) -> bool:
    """Whether the words ask no question, as far as they can be read, and are not likest to what takes questions."""
    if situation.speech.is_question or any(each >= _BEYOND_LATIN for each in situation.text if each.isalpha()):
        return False
    best = next(iter(situation.candidates), None)
    return best is None or best.book.declaration.as_question is None


def not_understood(situation: Situation) -> PlannerDecision:
    """Say so, and what can be done here; not a second time what the agent has just said can be done."""
    wording = situation.wording
    can_help = offer(situation.index, situation.turn.goal, wording)
    is_told = can_help == wording.not_understood or can_help in situation.agent_text
    text = wording.not_understood if is_told else f"{wording.not_understood} {can_help}"
    evidence: JsonObject = {"hint": f"{_FOR_OPERATORS}{_nearest(situation)}"}
    return PlannerDecision("not_understood", replace(situation.state, pending=None), text, evidence=evidence)


def _nearest(situation: Situation) -> str:
    """What an example would have to show, where a function is near."""
    best = next(iter(situation.candidates), None)
    if best is None or best.score >= situation.threshold:
        return ""
    return (
        f" The nearest function is {best.book.name}: its likeness is {best.score:.2f}, and it takes "
        f"{situation.threshold:.2f}. If it is meant, give the playbook an example of it with such words."
    )
