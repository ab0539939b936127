"""Which of the declared functions the user's words ask for."""

from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.offline.antecedents import Antecedents
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.knowledge.likeness import SAYS_NOTHING, description_likeness, nearest
from openplaybook.models.offline.knowledge.playbook_index import PlaybookIndex
from openplaybook.models.offline.knowledge.term_weights import Terms, coverage, similarity, terms_of
from openplaybook.models.offline.knowledge.word_exchanges import WordExchange
from openplaybook.models.offline.language.lexicon import CHANGING_ACTS
from openplaybook.models.offline.slots.assignment import assign
from openplaybook.models.offline.slots.proposals import Proposal, RecognisedWords
from openplaybook.models.offline.spans.typed_span import SpanKind

_MOST_LOOKED_AT = 6
_OTHER_ACT = 0.6
"""What is left of a likeness when the words speak of changing something that the function does not speak of."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A function that may be meant."""

    book: Book
    score: float
    """0 to about 1."""
    proposals: tuple[Proposal, ...]
    """The values for it that the words give."""
    example: str
    """Display name of the likest example; empty when the description decided."""
    has_word: bool
    """Whether at least one word speaks for it, not only a value."""

    def evidence(self) -> JsonObject:
        """The candidate for the trace."""
        return {"name": self.book.name, "score": round(self.score, 3), "example": self.example}


def rank(
    index: PlaybookIndex, words: RecognisedWords, antecedents: Antecedents, *, is_foreign: bool
) -> list[Candidate]:
    """The likeliest functions, best first; those that nothing speaks for are left out."""
    terms = terms_of(words.reading, index.weights, ())
    promises = [(_promise(book, terms), book) for book in index.books.values()]
    # Where no word speaks for a function, no value in the words makes it the one that is meant.
    near = sorted((one for one in promises if one[0] > 0), key=lambda one: -one[0])[:_MOST_LOOKED_AT]
    candidates = [_candidate(index, book, words, terms, antecedents, is_foreign=is_foreign) for _, book in near]
    return sorted((one for one in candidates if one.score > 0), key=lambda candidate: -candidate.score)


def _promise(book: Book, terms: Terms) -> float:
    """A cheap upper guess, before values are looked for."""
    samples = max(book.postings.similarities(terms), default=0.0)
    return max(samples, coverage(terms, book.about, book.parameter_keys))


def _candidate(
    index: PlaybookIndex,
    book: Book,
    words: RecognisedWords,
    terms: Terms,
    antecedents: Antecedents,
    *,
    is_foreign: bool,
) -> Candidate:
    proposals = antecedents.unpicked(assign(book.lessons, words))
    proposals += tuple(antecedents.proposals(book, words, proposals))
    places = [(*place, ".".join(one.slot.path)) for one in proposals for place in one.places]
    names = {span.start for span in words.spans if span.kind is SpanKind.NAME and not span.is_weak}
    # What is asked for by its act may be described in another language than the agent speaks.
    is_unread = words.reading.language not in index.languages and not book.acts.isdisjoint(terms.weights)
    terms = terms_of(words.reading, index.weights, places, names=names, is_foreign=is_foreign or is_unread)
    likeness, example, has_word = nearest(book, terms)
    described = description_likeness(book, terms)
    best, other = max(likeness, described), min(likeness, described)
    is_other_act = any(act in terms.weights and act not in book.vocabulary for act in CHANGING_ACTS)
    return Candidate(
        book=book,
        score=min(1.0, best + 0.1 * other) * (_OTHER_ACT if is_other_act else 1.0),
        proposals=proposals,
        example=example if likeness >= described else "",
        has_word=has_word or not SAYS_NOTHING.issuperset((book.about | book.parameter_keys) & terms.weights.keys()),
    )


def nearest_exchange(index: PlaybookIndex, words: RecognisedWords) -> tuple[float, WordExchange | None]:
    """The likest exchange of words alone in the examples, and how like it is."""
    terms = terms_of(words.reading, index.weights, ())
    best: tuple[float, WordExchange | None] = (0.0, None)
    for exchange, exchange_terms in zip(index.exchanges, index.exchange_terms, strict=True):
        score = similarity(terms, exchange_terms)
        if score > best[0]:
            best = (score, exchange)
    return best
