"""Names: runs of capitalised words."""

from collections.abc import Iterator

from openplaybook.models.offline.language.lexicon import FOREIGN, PREPOSITION_CUES, STOP_WORDS, SYNONYMS
from openplaybook.models.offline.language.small_talk import SMALL_TALK
from openplaybook.models.offline.language.tokenizer import Reading, WordToken
from openplaybook.models.offline.spans.typed_span import Span, SpanKind

_ORDINARY = STOP_WORDS | {word for phrases in SMALL_TALK.values() for phrase in phrases for word in phrase.split()}
_SENTENCE_ENDS = frozenset(".!?:")


def find_names(reading: Reading) -> Iterator[Span]:
    """Runs of capitalised words that are no function words; weak at the beginning of a sentence, and where a
    language that capitalises nouns shows no preposition before them."""
    run: list[WordToken] = []
    before = first_before = "."
    followers = (*reading.tokens[1:], None)
    for token, follower in zip(reading.tokens, followers, strict=False):
        if _is_name(token, reading.language) or (not run and _opens(token, follower, before, reading.language)):
            first_before = first_before if run else before
            run.append(token)
        elif run and not _joins(token, run[-1]):
            yield _span(reading, run, first_before)
            run = []
        before = token.key
    if run:
        yield _span(reading, run, first_before)


def _is_name(token: WordToken, language: str) -> bool:
    return _is_capitalised(token) and not _is_ordinary(token, language) and token.text.casefold() not in SYNONYMS


def _opens(token: WordToken, follower: WordToken | None, before: str, language: str) -> bool:
    """Whether a word that has a meaning of its own begins a name, as in "New York"."""
    inside = before not in _SENTENCE_ENDS and _is_capitalised(token) and not _is_ordinary(token, language)
    return inside and language != "de" and follower is not None and _is_name(follower, language)


def _is_capitalised(token: WordToken) -> bool:
    return token.is_word and token.text[0].isupper()


def _is_ordinary(token: WordToken, language: str) -> bool:
    plain = token.text.casefold().replace("’", "'").split("'")[0]
    return plain in _ORDINARY or (language in FOREIGN and plain in FOREIGN[language])


def _joins(token: WordToken, last: WordToken) -> bool:
    """Whether a mark stands inside a name: the dash of "Jean-Luc", the point of "J. Smith"."""
    return token.start == last.end and (token.text == "-" or (token.text == "." and len(last.text) <= 2))


def _span(reading: Reading, run: list[WordToken], before: str) -> Span:
    start, end = run[0].start, run[-1].end
    if reading.text[start:end].endswith(("'s", "’s")):
        end -= 2
    is_noun = reading.language == "de" and before not in PREPOSITION_CUES
    words = reading.text[start:end]
    return Span(start, end, SpanKind.NAME, words, words, is_noun or before in _SENTENCE_ENDS)
