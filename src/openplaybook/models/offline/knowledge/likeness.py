"""How like an utterance is to what a function's examples and description say, and how like is like enough."""

from collections.abc import Sequence

from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.knowledge.term_weights import Terms, coverage
from openplaybook.models.offline.language.lexicon import word_set

_DESCRIPTION = 0.85
"""A description speaks less surely than an example."""
_NAME, _FEWEST_NAME_WORDS = 0.75, 2
_UNFILLED = 0.7
"""What is left of a likeness to an example whose values are all missing in the user's words."""
SAYS_NOTHING = word_set("a an the and or of it its this that these those i me my number please")
"""Words that say nothing of what is wanted where they are all that is shared: "and the 12?"."""
_LOWEST, _MIDDLE, _HIGHEST = 0.4, 0.43, 0.55


def description_likeness(book: Book, terms: Terms) -> float:
    """How much of an utterance the function's description speaks of, 0 to 0.85.

    For a function without examples its name counts too: how much of it the utterance says, two words at least.
    """
    described = _DESCRIPTION * coverage(terms, book.about, book.parameter_keys)
    if book.samples:
        return described
    title_words = sum(key in terms.weights for key in book.title)
    return max(described, _NAME * title_words / len(book.title)) if title_words >= _FEWEST_NAME_WORDS else described


def nearest(book: Book, terms: Terms, skip: int = -1) -> tuple[float, str, bool]:
    """How like the likest example utterance is, whose it is, and whether a word is shared; `skip` leaves one out."""
    best, name, has_word = 0.0, "", False
    for position, similar in enumerate(book.postings.similarities(terms)):
        if similar <= best or position == skip:
            continue
        sample_terms = book.sample_terms[position]
        score = similar * _filled(terms, sample_terms)
        if score > best:
            shared = (terms.weights.keys() & sample_terms.weights.keys()) - terms.slots
            best, name, has_word = score, book.samples[position].example, bool(shared - SAYS_NOTHING)
    return best, name, has_word


def _filled(terms: Terms, sample: Terms) -> float:
    wanted = sample.slots
    if not wanted:
        return 1.0
    return _UNFILLED + (1 - _UNFILLED) * len(wanted & terms.slots) / len(wanted)


def calibrated_threshold(books: Sequence[Book]) -> float:
    """The likeness from which on a function is taken to be meant, from the examples themselves.

    Every example utterance is compared with the others, as if it were new: the bar is set where most of them
    would still be understood. Without examples the descriptions decide, at the middle of the range.
    """
    own = sorted(_left_out(books))
    if not own:
        return _MIDDLE
    return min(_HIGHEST, max(_LOWEST, 0.9 * own[len(own) // 4]))


def _left_out(books: Sequence[Book]) -> Sequence[float]:
    scores: list[float] = []
    for book in books:
        for position, terms in enumerate(book.sample_terms):
            scores.append(max(nearest(book, terms, skip=position)[0], description_likeness(book, terms)))
    return scores
