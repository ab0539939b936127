"""The override by FAQ: where a user asks what an entry asks, the entry's answer is given as it stands."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openplaybook.retrieval.answers.back_references import denies
from openplaybook.retrieval.answers.figure_index import FigureIndex
from openplaybook.retrieval.answers.quantities import figures
from openplaybook.retrieval.answers.terms import TermWeights, terms, topics
from openplaybook.retrieval.base import SearchHit
from openplaybook.retrieval.language.detection import primary_subtag
from openplaybook.retrieval.language.scripts import DENSE, MARKS
from openplaybook.retrieval.language.stop_words import ASKING_PHRASES

LEAST_LIKENESS = 0.66
"""Likeness of two questions from which on they may be the same; measured by `benchmarks.retrieval.answers`."""
LEAST_MARGIN = 0.15
"""How far the next entry with another answer must be behind."""

_ASKED: Mapping[str, str] = {
    "why": """why warum wieso weshalb pourquoi perché perche waarom почему зачем neden niçin γιατί لماذا क्यों 왜""",
    "when": "when wann cuándo quand quando wanneer когда πότε متى कब 언제",
    "where": "where wo wohin dónde où dove onde waar где куда nerede nereye πού أين कहाँ कहां 어디",
    "who": "who whom wer wen wem quién quiénes chi quem кто кому kim ποιος कौन 누구",
}
"""What a question asks for, by the words that say so. `What` and `how` are left out, since one stands for the other."""
_ASKED_BY: Mapping[str, str] = {word: name for name, words in _ASKED.items() for word in words.split()}
_ASKED_IN: Mapping[str, str] = {
    part: name
    for name, parts in {
        "why": "为什么 為什麼 为何 なぜ どうして ทำไม เพราะเหตุใด",
        "when": "什么时候 何时 いつ เมื่อไร เมื่อไหร่",
        "where": "哪里 哪裡 在哪 どこ ที่ไหน",
        "who": "谁 誰 だれ ใคร",
    }.items()
    for part in parts.split()
}
"""The same in languages that set no words apart."""

_SIGNS = re.compile(rf"(?:[^\w{MARKS}{DENSE}]|_)+")


@dataclass(frozen=True, slots=True)
class FaqMatch:
    """An entry that asks what the user asks."""

    position: int
    """In the hits that were given."""
    likeness: float
    """1 for the same words."""


def matching_entry(query: str, hits: Sequence[SearchHit], language: str) -> FaqMatch | None:
    """The entry whose question is the user's; None where none is for sure.

    Two questions are the same in the same words, whatever their signs and capitals; or where they share most of what
    tells them from the other questions that were found, and no other entry is near.
    """
    entries = [(position, hit) for position, hit in enumerate(hits) if hit.question]
    asked = normalised(query)
    for position, hit in entries:
        if asked and normalised(hit.question) == asked:
            return FaqMatch(position, 1.0)
    return _nearest(query, entries, language)


def normalised(question: str) -> str:
    """A question without what does not change it: capitals, signs, widths, and blanks."""
    return " ".join(_SIGNS.sub(" ", unicodedata.normalize("NFKC", question).casefold()).split())


def _nearest(query: str, entries: Sequence[tuple[int, SearchHit]], language: str) -> FaqMatch | None:
    wanted = _told(query, language)
    questions = [_told(hit.question, language) for _, hit in entries]
    weights = TermWeights.of(questions, language)
    likeness = [_likeness(wanted, each, weights) for each in questions]
    order = sorted(range(len(entries)), key=lambda at: -likeness[at])
    if not order or likeness[order[0]] < LEAST_LIKENESS:
        return None
    first = entries[order[0]]
    others = (likeness[at] for at in order[1:] if entries[at][1].text != first[1].text)
    if likeness[order[0]] - next(others, 0.0) < LEAST_MARGIN or _differ(query, first[1].question, language):
        return None
    return FaqMatch(first[0], likeness[order[0]])


def _differ(query: str, question: str, language: str) -> bool:
    """Whether both name numbers, and not the same: `plan 1` is another question than `plan 2`; or ask for other things,
    such as one `when` and the other `where`; or one of them alone asks why, or says `not`.
    """
    asks_mine, asks_theirs = _asks(query), _asks(question)
    if asks_mine and asks_theirs and not asks_mine & asks_theirs:
        return True
    code = primary_subtag(language)
    if ("why" in asks_mine) != ("why" in asks_theirs) or denies(query, code) != denies(question, code):
        return True
    mine, theirs = figures(query, language), figures(question, language)
    if not mine.quantities or not theirs.quantities:
        return False
    return bool(FigureIndex((mine,)).lacks(theirs) or FigureIndex((theirs,)).lacks(mine))


def _told(question: str, language: str) -> frozenset[str]:
    """What a question is compared by: how it asks tells it from others where words are set apart, and otherwise stands
    in pairs that many questions have."""
    told = topics if primary_subtag(language) in ASKING_PHRASES else terms
    return frozenset(told(question, language))


def _asks(question: str) -> frozenset[str]:
    plain = normalised(question)
    found = {_ASKED_BY[word] for word in plain.split() if word in _ASKED_BY}
    return frozenset(found | {name for part, name in _ASKED_IN.items() if part in plain})


def _likeness(left: frozenset[str], right: frozenset[str], weights: TermWeights) -> float:
    """Share of the weight of both questions that they have in common (Dice)."""
    whole = weights.total(sorted(left)) + weights.total(sorted(right))
    return 2 * weights.total(sorted(left & right)) / whole if whole else 0.0
