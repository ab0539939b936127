"""Small sets of our own in nine languages: passages, questions that they answer, and some that they do not.

Each set is a table `sets/LANGUAGE.tsv`. `P id text` is a passage; `Q id answer question` a question in other
inflections than those of the passage that answers it, with a part of the sentence that does; `N - - question` one on
another matter. Every other question was looked at while the analysis of languages was worked on, the others only at
its end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from openplaybook.retrieval.answers.base import Snippet
from openplaybook.retrieval.answers.extractive import best_sentence, extracted
from openplaybook.retrieval.base import Passage, SearchEngine, SearchRequest, StoreDocument

SETS = Path(__file__).parent / "sets"
_STORE = "projects/p/locations/l/collections/default_collection/dataStores/"


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a set."""

    text: str
    passage: str = ""
    """Id of the passage that answers it; empty where none does."""
    answer: str = ""
    """A part of the sentence that answers it."""


@dataclass(frozen=True, slots=True)
class LanguageSet:
    """A set as it is in its file."""

    language: str
    passages: Sequence[StoreDocument]
    questions: Sequence[Question]
    """Those that can be answered."""
    others: Sequence[Question]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a question."""

    question: str
    is_found: bool
    """Whether the first hit is the passage that answers it."""
    is_right: bool
    """Whether the best sentence answers it."""
    is_answered: bool
    """Whether it is answered at all."""


def language_set(language: str) -> LanguageSet:
    """Read a set."""
    rows = [line.split("\t") for line in (SETS / f"{language}.tsv").read_text(encoding="utf-8").splitlines()]
    return LanguageSet(
        language,
        [StoreDocument(row[1], "", "", (Passage(row[2]),), language=language) for row in rows if row[0] == "P"],
        [Question(row[3], row[1], row[2]) for row in rows if row[0] == "Q"],
        [Question(row[3]) for row in rows if row[0] == "N"],
    )


async def outcomes(engine: SearchEngine, test: LanguageSet) -> tuple[Sequence[Outcome], Sequence[Outcome]]:
    """Fill a store with a set and ask all of its questions: those that can be answered, and the others."""
    store = f"{_STORE}{test.language}"
    await engine.put(store, test.passages)
    await engine.settle(store)
    return (
        [await _outcome(engine, store, test.language, each) for each in test.questions],
        [await _outcome(engine, store, test.language, each) for each in test.others],
    )


async def _outcome(engine: SearchEngine, store: str, language: str, asked: Question) -> Outcome:
    results = await engine.search(store, SearchRequest(asked.text, limit=10, language=language))
    hits = results.hits
    snippets = [Snippet(hit.title, hit.text, hit.uri) for hit in hits[:5]]
    best = best_sentence(asked.text, snippets, language, results.counts)
    return Outcome(
        asked.text,
        bool(asked.passage and hits and hits[0].document == asked.passage),
        bool(best and asked.answer and asked.answer in best.text),
        bool(extracted(asked.text, snippets, language, results.counts)),
    )
