"""Terms of a text: what documents are found by, and what a request is cut into.

Words are cut to their stems where the language is known to us; scripts without blanks, and Korean, are cut into pairs
of neighbouring characters. Terms of a document are kept as one text with blanks between them, so that the index has
nothing to know of languages.
"""

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, cast

from openplaybook.retrieval.language.scripts import DENSE, MARKS
from openplaybook.retrieval.language.spellings import TWO_LETTERS_I, folded, one_width, without_accents

ANALYSIS_VERSION = 1
"""Grows whenever the same text gives other terms: indexes of another version are made anew."""

LONGEST_TERM = 200
"""Bytes of UTF-8; a longer term is not indexed."""

_MOST_KNOWN = 20_000
"""Words whose stems a thread remembers, of all languages together, some 4 MB. The commonest words of a language come
first; to remember rarer ones takes as long as to make their stems, as the memory of them fits no cache."""
_MOST_MISSED = 1_000_000
"""Words whose stems were made again, after which what is remembered is forgotten: it may be of other texts."""
_MOST_OWN = 50_000
"""Words whose stems are remembered besides, in each of the languages of `_OWN_STEMMERS`."""

_ENGINE_STEMMERS = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish", "fi": "finnish",
    "fr": "french", "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip
_OWN_STEMMERS = {"ca": "catalan", "hi": "hindi", "id": "indonesian", "lt": "lithuanian"}

_WORDS = re.compile(rf"[\w{MARKS}{DENSE}]+")
_ASCII_WORDS = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
"""A table for `str.translate`, much faster than a pattern: whatever parts words is a blank."""
_LOWER_ASCII_WORDS = _ASCII_WORDS.lower()
"""The same with small letters for large ones."""
_DENSE_RUN = re.compile(f"([{DENSE}]+)")


@dataclass(frozen=True, slots=True)
class AskedTerm:
    """A term of a request."""

    written: str
    """The word, or the pair of characters, as the request has it."""
    term: str
    """What it is searched by."""


class _WordStemmer(Protocol):
    """What we use of an untyped library."""

    def stemWord(self, word: str) -> str: ...


class TextAnalysis:
    """Cuts text of one language into terms. Not for several threads at once: `analysis_of` gives each its own."""

    def __init__(self, language: str, remembered: dict[str, dict[str, str]]) -> None:
        """`language` is a primary subtag; of one that is unknown, and of none, words are kept as they are.

        `remembered` has stems by word, by language; this analysis adds its own.
        """
        self.language = language
        self._stems = _stems(language)
        self._remembered = remembered
        self._known = remembered.setdefault(language, {})
        self._missed = 0

    def indexed(self, text: str) -> str:
        """Terms of a document's text, in its order, with blanks between them."""
        if text.isascii() and self.language not in TWO_LETTERS_I:
            return " ".join(self._terms(text.translate(_LOWER_ASCII_WORDS).split()))
        return " ".join(self._terms(self._words(_units(text))))

    def asked(self, text: str) -> Sequence[AskedTerm]:
        """Terms of a request, in its order; in each language there are as many."""
        units = _units(text)
        words = self._words(units)
        terms = self._terms(words)
        if len(words) != len(units):
            units = words
        return [AskedTerm(unit, term) for unit, term in zip(units, terms, strict=True)]

    def _words(self, units: Sequence[str]) -> Sequence[str]:
        return folded(" ".join(units), self.language).split()

    def _terms(self, words: Sequence[str]) -> Sequence[str]:
        terms = [*map(self._known.get, words)]
        if None in terms:
            places = [at for at, term in enumerate(terms) if term is None]
            strange = [words[at] for at in places]
            stems = self._spelt(strange, self._stems(strange))
            self._remember(strange, stems)
            for at, stem in zip(places, stems, strict=True):
                terms[at] = stem
        return cast("list[str]", terms)

    def _spelt(self, words: Sequence[str], stems: Sequence[str]) -> Sequence[str]:
        """Stems as they are searched; the word itself where nothing would be left."""
        if "".join(stems).isascii() and "" not in stems:
            return stems
        return [without_accents(stem, self.language) or word for word, stem in zip(words, stems, strict=True)]

    def _remember(self, words: Sequence[str], stems: Sequence[str]) -> None:
        if sum(map(len, self._remembered.values())) + len(words) <= _MOST_KNOWN:
            self._known.update(zip(words, stems, strict=True))
            return
        self._missed += len(words)
        if self._missed > _MOST_MISSED:
            self._missed = 0
            for known in self._remembered.values():
                known.clear()


class _OfThread(threading.local):
    """What one thread has made."""

    def __init__(self) -> None:
        self.analyses: dict[str, TextAnalysis] = {}
        self.remembered: dict[str, dict[str, str]] = {}


_of_thread = _OfThread()


def analysis_of(language: str) -> TextAnalysis:
    """The calling thread's own analysis of a language, made once."""
    made = _of_thread.analyses
    found = made.get(language)
    if found is None:
        found = made[language] = TextAnalysis(language, _of_thread.remembered)
    return found


def forget_words() -> None:
    """Give back the memory of the words that the calling thread knows; it learns them again as they come."""
    for known in _of_thread.remembered.values():
        known.clear()


def _units(text: str) -> list[str]:
    """Words of a text, and pairs of characters of scripts that are searched by pairs; one alone stands for itself."""
    if text.isascii():
        return text.translate(_ASCII_WORDS).split()
    text = one_width(text)
    words: list[str] = _WORDS.findall(text.replace("_", " "))
    if not _DENSE_RUN.search(text):
        return words
    units: list[str] = []
    for word in words:
        for at, run in enumerate(_DENSE_RUN.split(word)):
            if at % 2:
                units += [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
            elif run:
                units.append(run)
    return units


def is_single_character(unit: str) -> bool:
    """Whether a unit of a request is one character of a script that is searched by pairs, so that no pair is asked."""
    return len(unit) == 1 and _DENSE_RUN.match(unit) is not None


def _stems(language: str) -> Callable[[Sequence[str]], Sequence[str]]:
    """What gives the stem of each word."""
    own = _OWN_STEMMERS.get(language)
    if own is not None:
        # Made in Python, a hundred times slower than the others.
        stem = lru_cache(_MOST_OWN)(_own_stem(own))
        return lambda words: [stem(word) for word in words]
    stemmer = _ENGINE_STEMMERS.get(language)
    return (lambda words: words) if stemmer is None else _engine_stems(stemmer)


def _own_stem(algorithm: str) -> Callable[[str], str]:
    # Dozens of modules, for a few languages only.
    import snowballstemmer

    make = cast("Callable[[str], _WordStemmer]", snowballstemmer.stemmer)  # pyright: ignore[reportUnknownMemberType]
    return make(algorithm).stemWord


def _engine_stems(algorithm: str) -> Callable[[Sequence[str]], Sequence[str]]:
    # Heavy: a server without stores loads no engine.
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    stemmer = TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.stemmer(algorithm)).build()
    return lambda words: stemmer.analyze(" ".join(words))
