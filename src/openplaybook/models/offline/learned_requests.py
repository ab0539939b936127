"""A request to a playbook without examples: what was learned from many tools decides."""

from collections.abc import Iterator, Sequence

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.offline.call_attempt import attempt, known_of
from openplaybook.models.offline.candidates import Candidate
from openplaybook.models.offline.consent import Consent, consent_to
from openplaybook.models.offline.dialogue.finders import finder_of
from openplaybook.models.offline.language.lexicon import CHANGING_ACTS
from openplaybook.models.offline.learned.tool_choice import LearnedCall
from openplaybook.models.offline.learned.utterance import utterance_of
from openplaybook.models.offline.learned_values import proposals_of
from openplaybook.models.offline.planner_state import PlannerDecision
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.proposals import Proposal
from openplaybook.models.offline.speech.forces import Force

LEAST_RIGHT = 0.3
"""Chance that a function is meant, below which nothing is done."""
LEAST_EXACT = 0.15
"""Chance that a call is just what is meant, below which its weakest value is asked for."""
_OTHER_ACT = 0.5
_NOT_ASKED = frozenset((Force.REPORTED, Force.DENIED, Force.SUPPOSED))
"""What clauses do that ask for nothing."""


def is_learned(situation: Situation) -> bool:
    """Whether by what was learned from many tools a function that only looks is likely to be meant."""
    books = situation.index.books
    return any(call.right >= LEAST_RIGHT and not books[call.tool.name].is_careful for call in situation.learned[:1])


def learned_request(situation: Situation) -> PlannerDecision | None:
    """Call or ask for the function that is likeliest; None where none is likely enough, where the playbook has
    examples, and where what is said is that something was, or shall not be, done.

    What is likely only by the words of its description is not called before its weakest value was asked for.
    """
    acting = situation.speech.with_any(situation.index.acts)
    if situation.index.is_taught or (acting and all(clause.force in _NOT_ASKED for clause in acting)):
        return None
    meant = _meant(situation)
    if meant is None:
        return None
    call, is_likely = meant
    book = situation.index.books[call.tool.name]
    if situation.only_reads and not book.only_looks:
        return None
    proposals = proposals_of(situation, book, call.filling)
    consent = consent_to(situation, Candidate(book, call.right, tuple(proposals), "", has_word=True))
    if consent is Consent.REFUSED:
        return None
    if not call.filling.choice.missing and not (is_likely and call.exact >= LEAST_EXACT):
        doubted = _weakest(proposals)
        if doubted is None:
            return None
        proposals.remove(doubted)
    known = known_of(situation.state, book)
    decision = attempt(situation, book, proposals, "learned_request", known=known, consent=consent)
    if "missing" in decision.evidence:
        decision = _searched_first(situation, call) or decision
    decision.evidence.update(_evidence(situation.learned))
    return decision


def _searched_first(situation: Situation, call: LearnedCall) -> PlannerDecision | None:
    """Call what finds the thing that a function misses, where all that it needs is said: "Book a house in Oslo"."""
    values = {one.want.path: one.option.value for one in call.filling.choice.values}
    name = finder_of(situation, call.tool.name, values)
    finder = next((one for one in situation.learned if one.tool.name == name), None)
    if finder is None:
        return None
    book = situation.index.books[name]
    proposals = proposals_of(situation, book, finder.filling)
    decision = attempt(situation, book, proposals, "searched_first", consent=Consent.UNSURE)
    return decision if decision.calls else None


def _meant(situation: Situation) -> tuple[LearnedCall, bool] | None:
    """The function that is meant, and whether that is likely by what was learned, not by its description alone."""
    best = next(iter(situation.learned), None)
    if best is not None and best.right * _act_share(situation, best.tool.name) >= LEAST_RIGHT:
        return None if len(situation.learned) > 1 and _says_only_values(situation, best) else (best, True)
    described = next(iter(situation.candidates), None)
    if described is None or described.score < situation.threshold or not described.has_word:
        return None
    name = described.book.name
    call = next((call for call in situation.learned if call.tool.name == name), None)
    return None if call is None else (call, False)


def _says_only_values(situation: Situation, call: LearnedCall) -> bool:
    """Whether nothing is said but a value: "kitchen" alone asks for none of several functions."""
    places = list(_places(situation, call))
    return bool(places) and all(
        token.is_stop or any(start <= token.start and token.end <= end for start, end in places)
        for token in situation.words.reading.words
    )


def _places(situation: Situation, call: LearnedCall) -> Iterator[tuple[int, int]]:
    """Where the values of a call stand in the words."""
    lexemes = utterance_of(situation.words.reading.text).lexemes
    for option in (one.option for one in call.filling.choice.values):
        if option.mention is not None:
            yield option.mention.start, option.mention.end
        elif option.place is not None:
            yield lexemes[option.place[0]].start, lexemes[option.place[1]].end


def _act_share(situation: Situation, name: str) -> float:
    """What is left of a chance where the words speak of changing something that a function does not speak of."""
    said = {token.key for token in situation.words.reading.words}
    changes = CHANGING_ACTS & said
    return 1.0 if changes <= situation.index.books[name].vocabulary else _OTHER_ACT


def _weakest(proposals: Sequence[Proposal]) -> Proposal | None:
    """The needed value that is least sure."""
    needed = [proposal for proposal in proposals if proposal.slot.always_required]
    return min(needed, key=lambda proposal: proposal.score, default=None)


def _evidence(calls: Sequence[LearnedCall]) -> JsonObject:
    """The functions that were looked at, for the trace."""
    return {
        "learned": [
            {"name": call.tool.name, "right": round(call.right, 3), "exact": round(call.exact, 3)} for call in calls
        ]
    }
