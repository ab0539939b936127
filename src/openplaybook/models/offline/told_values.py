"""Functions that are told by the values that the user says, where no other word speaks for one of them."""

from collections.abc import Iterator
from dataclasses import dataclass

from openplaybook.models.base import DeclarationKind
from openplaybook.models.offline.assurance import stands_by_cue
from openplaybook.models.offline.call_attempt import attempt
from openplaybook.models.offline.consent import Consent
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.planner_state import PlannerDecision
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.assignment import assign
from openplaybook.models.offline.slots.proposals import Proposal
from openplaybook.models.offline.speech.forces import Force

_FEWEST_CUED = 2
"""Needed values that stand by their own cues, from which on a change is meant."""
_LEAST_NEEDED, _LEAST_OPTIONAL = 0.5, 0.75
"""Share of a question's words that its values are, where a needed value is one that the schema lists, and elsewhere."""


def told_by_values(situation: Situation) -> PlannerDecision | None:
    """A question that names a value which only one function lists: it is looked up. Or a wish with several needed
    values by their cues: "number 12 for three days, in the name of Kim"; what changes something is read back."""
    if not situation.index.is_taught or (situation.is_part and not situation.only_reads):
        return None
    speech = situation.speech
    asks = speech.is_question or bool(speech.looking)
    if not asks and (situation.only_reads or any(clause.force is not Force.PLAIN for clause in speech.saying)):
        return None
    found = sorted(_weighed(situation, asks=asks), key=lambda one: -one.weight)
    if not found or (len(found) > 1 and found[0].weight == found[1].weight):
        return None
    return attempt(situation, found[0].book, found[0].proposals, "told_by_values", consent=Consent.UNSURE)


@dataclass(frozen=True, slots=True)
class _Told:
    """A function that values tell, and how clearly."""

    weight: float
    book: Book
    proposals: list[Proposal]


def _weighed(situation: Situation, *, asks: bool) -> Iterator[_Told]:
    """The functions that some values tell: of a question those that only look, else those that change something."""
    for book in situation.index.books.values():
        if book.declaration.kind is not DeclarationKind.TOOL or book.takes_any_words or book.only_looks != asks:
            continue
        proposals = list(assign(book.lessons, situation.words))
        weight = _asked_share(situation, proposals) if asks else _cued(situation, book, proposals)
        if weight:
            yield _Told(weight, book, proposals)


def _asked_share(situation: Situation, proposals: list[Proposal]) -> float:
    """The share of a question's words that its values are; 0 where that is too little, or none of them is listed."""
    listed = [one for one in proposals if one.slot.options and one.source == "option"]
    telling = [token for token in situation.words.reading.words if not token.is_stop]
    if not listed or not telling:
        return 0.0
    places = [place for one in proposals for place in one.places]
    share = sum(any(start <= token.start < end for start, end in places) for token in telling) / len(telling)
    is_needed = any(one.slot.always_required for one in listed)
    return share if share >= (_LEAST_NEEDED if is_needed else _LEAST_OPTIONAL) else 0.0


def _cued(situation: Situation, book: Book, proposals: list[Proposal]) -> float:
    """How many needed values stand by their own cues; 0 where these are too few."""
    cued = [one for one in proposals if one.slot.always_required and stands_by_cue(book, one, situation.words)]
    return float(len(cued)) if len(cued) >= _FEWEST_CUED else 0.0
