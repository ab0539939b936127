"""An answer without a model: the sentences of the passages that say most to the question, as they stand."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from openplaybook.retrieval.answers.back_references import back_references, openers
from openplaybook.retrieval.answers.base import Snippet
from openplaybook.retrieval.answers.figure_index import FigureIndex
from openplaybook.retrieval.answers.quantities import figures
from openplaybook.retrieval.answers.question_coverage import MOST_ASKED, akin_term, holds_question
from openplaybook.retrieval.answers.structured_text import TextTable, is_record, record_answer, tables_in
from openplaybook.retrieval.answers.terms import TermWeights, terms, topics
from openplaybook.retrieval.base import WordCounts
from openplaybook.retrieval.language.detection import primary_subtag
from openplaybook.retrieval.language.sentences import sentences

MAX_ANSWER = 700
"""Characters of an answer; its first sentence may have more."""
_WITHOUT_BLANKS = {"zh", "ja", "th"}
_MAX_PASSAGES = 5
_MAX_PASSAGE = 12_000
"""Characters of a passage that are looked at."""

_RANK = (1.0, 0.9, 0.85, 0.8, 0.78)
"""What a sentence counts for by the position of its passage."""
_NEIGHBOUR = 0.35
"""What words of the question count for that stand in the sentence before, or in the title."""
_NUMBER = 0.15
"""Added, for a question that asks for a number or a time, where the sentence has one that the question has not."""
_NEXT = 0.6
"""A sentence that follows is taken along where it is so good for the best one."""

_LONGEST_HEADING = 100
"""Characters of a heading in a passage."""

_ASKS_NUMBER = re.compile(
    r"\b(?:how (?:many|much|long|old|far|high|large|big|often|fast)|when|what (?:year|percent\w*|number|date|time)|"
    r"which year|wie ?(?:viele?|lange|alt|weit|hoch|groß|oft|schnell)|wann|in welchem jahr|cu[aá]nt[oa]s?|cu[aá]ndo|"
    r"qué (?:año|porcentaje)|combien|quand|quelle année|quant[aeio]s?|quando|che anno|que ano|hoeveel|wanneer|сколько|"
    r"когда|в каком году|kaç|ne zaman|πόσ\w+|πότε|كم|متى|कितन\w+|कब)\b"
    r"|多少|几|幾|何時|什么时候|いくつ|いつ|何年|何人|몇|얼마|언제|กี่|เท่าไร|เมื่อไร",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Extract:
    """A sentence that is part of the answer."""

    text: str
    source: int
    """Position of its passage in those that were given."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    source: int
    position: int
    """In its passage."""
    terms: frozenset[str]
    score: float = 0.0
    table: str = ""
    """All of the table that it is a row of."""
    is_heading: bool = False

    @property
    def stands_alone(self) -> bool:
        """Whether no sentence beside it belongs to it."""
        return bool(self.table) or self.is_heading


def extracted(
    query: str, passages: Sequence[Snippet], language: str, counts: WordCounts | None = None
) -> tuple[Extract, ...]:
    """One to three sentences of one passage, in its order, that answer a question; none where nothing fits it.

    Passages are given best first. A sentence that points back takes the one before it along. Of a table it is one row
    with the names of its columns, of a record the fields that are asked for. `counts` say how rare words are.
    """
    best = _best(query, passages, language, counts)
    if best is None:
        return ()
    chosen, around = best
    chosen = _below(chosen, around)
    source = passages[chosen.source]
    if is_record(source):
        return (Extract(record_answer(query, source, language, MAX_ANSWER), chosen.source),)
    if chosen.table:
        return (Extract(_row_or_table(chosen, around.values()), chosen.source),)
    taken = [chosen]
    before = around.get(chosen.position - 1)
    if before is not None and not before.stands_alone and _points_back(chosen.text, language):
        taken.insert(0, before)
    behind = around.get(chosen.position + 1)
    if (
        behind is not None
        and not behind.stands_alone
        and (behind.score >= _NEXT * chosen.score or _points_back(behind.text, language))
    ):
        taken.append(behind)
    while len(taken) > 1 and sum(len(each.text) for each in taken) > MAX_ANSWER:
        taken.remove(taken[-1] if taken[-1] is not chosen else taken[0])
    return tuple(Extract(each.text, each.source) for each in taken)


def _below(chosen: _Sentence, around: Mapping[int, _Sentence]) -> _Sentence:
    """The sentence that was chosen; in place of a heading the first one below it, where there is one."""
    below = (around[position] for position in sorted(around) if position > chosen.position)
    return next((each for each in below if not each.is_heading), chosen) if chosen.is_heading else chosen


def _row_or_table(chosen: _Sentence, around: Iterable[_Sentence]) -> str:
    """The row that was chosen; all of its table where the question tells no row from another."""
    rows = [each.score for each in around if each.table == chosen.table]
    is_told = len(rows) == 1 or any(each < chosen.score for each in rows)
    return chosen.text if is_told or len(chosen.table) > MAX_ANSWER else chosen.table


def joined(extracts: Sequence[Extract], language: str) -> str:
    """Sentences as one text, with a blank between them where the language writes any."""
    return ("" if primary_subtag(language) in _WITHOUT_BLANKS else " ").join(each.text for each in extracts)


def best_sentence(
    query: str,
    passages: Sequence[Snippet],
    language: str,
    counts: WordCounts | None = None,
    *,
    least: float | None = None,
) -> Extract | None:
    """The sentence that says most to the question; None where nothing fits it, or `least` of the question, by default
    what its language needs, is not held by any passage."""
    best = _best(query, passages, language, counts, least)
    chosen = best and _below(*best)
    return chosen and Extract(chosen.text, chosen.source)


def _best(
    query: str,
    passages: Sequence[Snippet],
    language: str,
    counts: WordCounts | None = None,
    least: float | None = None,
) -> tuple[_Sentence, dict[int, _Sentence]] | None:
    """The best sentence, and all of its passage by position."""
    if not holds_question(query, passages, language, counts, least):
        return None
    wanted = frozenset(topics(query, language)) or frozenset(terms(query, language))
    plain = [_sentences(each.text, number, language) for number, each in enumerate(passages[:_MAX_PASSAGES])]
    weights = TermWeights.of([each.terms for passage in plain for each in passage], language)
    known = frozenset(weights.frequencies)
    if len(wanted) <= MOST_ASKED:
        wanted = frozenset(akin_term(each, known, language) for each in wanted)
    question = _Question(wanted, weights, bool(_ASKS_NUMBER.search(query)), query, language)
    scored = [list(question.scored(sentences_of, passages[number].title)) for number, sentences_of in enumerate(plain)]
    everything = [each for passage in scored for each in passage]
    if not everything:
        return None
    # The earlier of two equals, so that the answer is always the same.
    chosen = max(everything, key=lambda each: (each.score, -each.source, -each.position))
    if not chosen.score:
        return None
    return chosen, {each.position: each for each in scored[chosen.source]}


@dataclass(frozen=True, slots=True)
class _Question:
    """What sentences are held against."""

    wanted: Set[str]
    weights: TermWeights
    asks_number: bool
    query: str
    language: str

    def scored(self, passage: Sequence[_Sentence], title: str) -> Iterator[_Sentence]:
        """The sentences of a passage with their scores."""
        heading = frozenset(terms(title, self.language))
        previous: Set[str] = frozenset()
        asked = FigureIndex((figures(self.query, self.language),))
        rank = _RANK[min(passage[0].source, len(_RANK) - 1)] if passage else 0.0
        for each in passage:
            score = self.weights.coverage(self.wanted, each.terms)
            lent = self.weights.coverage(self.wanted - each.terms, heading | previous) * (1 - score)
            score += _NEIGHBOUR * lent
            if self.asks_number and asked.lacks(figures(each.text, self.language)):
                score += _NUMBER
            yield replace(each, score=rank * score)
            previous = each.terms


def _sentences(text: str, source: int, language: str) -> list[_Sentence]:
    shown = text[:_MAX_PASSAGE]
    # A short paragraph without a sign at its end, below which another one stands.
    paragraphs = (each.strip() for each in shown.split("\n\n")[:-1])
    headings = {each for each in paragraphs if each[-1:].isalnum() and len(each) <= _LONGEST_HEADING}
    return [
        _Sentence(each, source, position, frozenset(terms(compared, language)), 0.0, table, each in headings)
        for position, (each, compared, table) in enumerate(_units(shown, primary_subtag(language)))
    ]


def _units(text: str, language: str) -> Iterator[tuple[str, str, str]]:
    """Sentences and rows of tables, in order: what is shown, what is compared, and the table of a row."""
    begin = 0
    for table in (*tables_in(text), TextTable(len(text), len(text), ())):
        between = text[begin : table.start]
        yield from ((between[start:end], between[start:end], "") for start, end in sentences(between, language))
        yield from ((row.text, row.compared, text[table.start : table.end]) for row in table.rows)
        begin = table.end


def _points_back(sentence: str, language: str) -> bool:
    """Whether a sentence begins with what only the one before it explains."""
    start = sentence.lstrip("\"'“„«([").lower()
    first = re.match(r"[\w'’]+", start)
    code = primary_subtag(language)
    if first is not None and first[0] in back_references(code):
        return True
    return any(re.match(rf"{re.escape(each)}\b", start) for each in openers(code))
