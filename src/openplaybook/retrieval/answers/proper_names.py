"""Names in a sentence, by the rules that each language has for capitals.

Where sentences begin and German nouns stand, a capital tells nothing; scripts without capitals have foreign words.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from openplaybook.retrieval.answers.terms import terms
from openplaybook.retrieval.language.detection import primary_subtag
from openplaybook.retrieval.language.scripts import DENSE
from openplaybook.retrieval.language.stop_words import is_stop_word

_WORD = re.compile(r"[^\W_][\w'’\-]*(?:\.[^\W_]+)*")
_FOREIGN = re.compile(rf"(?<![^\W{DENSE}])[A-Za-zÀ-ɏ][A-Za-z0-9À-ɏ\-]*[A-Za-z0-9À-ɏ]|[ァ-ヴー]{{3,}}")
_OPENING = re.compile(r"[.:!?;…\"“„«(]\s*\Z")
_HAS_MIXED = re.compile(r"[^\W\d_]\d|\d[^\W\d_]|[a-zа-я][A-ZА-Я]")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s|er|ten|te|ª|º)?\Z", re.IGNORECASE)
_LONG_NAME = re.compile(
    r"\b(?:[^\W\d_a-zа-я]\w{1,40}\s{1,3}(?:(?:of|for|and|the|de|del|la|für|der|и)\s{1,3})?){1,6}[^\W\d_a-zа-я]\w"
)
_NOUN = re.compile(r"(?:ung|heit|keit|schaft|tion|tät|ismus|nis|chen|lein|tum|ling)(?:en|e|s|er)?\Z")
_BEFORE_NOUN = re.compile(
    r"(?:d(?:er|ie|as|em|en|es)|(?:k|m|d|s)?ein(?:e[mnrs]?)?|(?:ihr|unser|dies|jed|jen|welch|viel|wenig|all|mehrer)"
    r"(?:e[mnrs]?)?|zu[mr]|[ia]m|vom|beim|ins|ans|\w{3,}(?:ische|liche|ige|are|ale|ive|ende)[mnrs]?)",
    re.IGNORECASE,
)
_NOUN_LANGUAGES = {"de", "lb"}
"""Languages that write all nouns with a capital."""
_WITHOUT_CAPITALS = {"ar", "hi", "zh", "ja", "ko", "th", "fa", "he"}


@dataclass(frozen=True, slots=True)
class ProperName:
    """A word that is, or may be, a name or a part of one."""

    text: str
    is_certain: bool
    """False where a capital tells nothing: at the beginning of a sentence, and in nouns of German."""


def proper_names(sentence: str, language: str) -> tuple[ProperName, ...]:
    """Names in a sentence as they are written, word by word. `language` is a BCP-47 code, or empty."""
    code = primary_subtag(language)
    if code in _WITHOUT_CAPITALS:
        return tuple(ProperName(found[0], is_certain=True) for found in _FOREIGN.finditer(sentence))
    return tuple(_capitalised(sentence, code))


def missing_names(sentence: str, known: Set[str], short: Set[str], language: str) -> tuple[ProperName, ...]:
    """Names of a sentence that facts do not have, whose terms are `known` and whose names' initials are `short`."""
    return tuple(
        each
        for each in dict.fromkeys(proper_names(sentence, language))
        if not (set(terms(each.text, language)) <= known or each.text.replace(".", "") in short)
    )


def initials(text: str) -> frozenset[str]:
    """Short forms of the names of several words in a text, such as `WHO`."""
    return frozenset(
        "".join(word[0] for word in name.split() if word[0].isupper()) for name in _LONG_NAME.findall(text)
    )


def _capitalised(sentence: str, language: str) -> Iterator[ProperName]:
    words = list(_WORD.finditer(sentence))
    for at, found in enumerate(words):
        word = found[0]
        if _is_marked(word):
            yield ProperName(word, is_certain=True)
        elif word[0].isupper() and len(word) > 1 and not is_stop_word(word.lower(), language):
            begins = at == 0 or bool(_OPENING.search(sentence, max(0, found.start() - 4), found.start()))
            is_doubtful = begins or (language in _NOUN_LANGUAGES and _is_noun(words, at))
            yield ProperName(word, not is_doubtful or _has_capital_beside(words, at, language))


def _is_noun(words: Sequence[re.Match[str]], at: int) -> bool:
    """Whether a German word is no name for sure: an ending of nouns, or an article or adjective before it."""
    return bool(_NOUN.search(words[at][0]) or _BEFORE_NOUN.fullmatch(words[at - 1][0]))


def _is_marked(word: str) -> bool:
    """Whether the letters of a word alone say that it is a name: `NFL`, `NL63`, `iPhone`."""
    if _ORDINAL.match(word):
        return False
    return bool(_HAS_MIXED.search(word)) or (len(word) > 1 and word.isupper() and not word.isdigit())


def _has_capital_beside(words: Sequence[re.Match[str]], at: int, language: str) -> bool:
    """Whether the word is a part of a name of several: a neighbour has a capital, too, and is no stop word."""
    sentence = words[at].string
    for other in (at - 1, at + 1):
        if not 0 <= other < len(words):
            continue
        left, right = sorted((at, other))
        between = sentence[words[left].end() : words[right].start()]
        word = words[other][0]
        if language in _NOUN_LANGUAGES and _is_marked(word):
            continue
        if between == " " and word[0].isupper() and not is_stop_word(word.lower(), language):
            return True
    return False
