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
from typing import TYPE_CHECKING, Protocol, cast

from openplaybook.retrieval.language.folding import folded, one_width, without_accents
from openplaybook.retrieval.language.scripts import DENSE, MARKS

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

ANALYSIS_VERSION = 1
"""Grows whenever the same text gives other terms: indexes of another version are made anew."""

LONGEST_TERM = 200
"""Bytes of UTF-8; a longer term is not indexed."""

_ENGINE_STEMMERS = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish", "fi": "finnish",
    "fr": "french", "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip
_OWN_STEMMERS = {"ca": "catalan", "hi": "hindi", "id": "indonesian", "lt": "lithuanian"}

_WORDS = re.compile(rf"[\w{MARKS}{DENSE}]+")
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

    def __init__(self, language: str) -> None:
        """`language` is a primary subtag; of one that is unknown, and of none, words are kept as they are."""
        self.language = language
        self._stems = _stems(language)
        stemmer = _ENGINE_STEMMERS.get(language)
        may_differ = language in ("tr", "az") or language in _OWN_STEMMERS
        self._plain = None if may_differ else _engine_analyzer(stemmer, is_whole=True)

    def indexed(self, text: str) -> str:
        """Terms of a document's text, in its order, with blanks between them."""
        if self._plain is not None and text.isascii():
            return " ".join(self._plain.analyze(text))
        return " ".join(self._terms(_units(one_width(text))))

    def asked(self, text: str) -> Sequence[AskedTerm]:
        """Terms of a request, in its order; in each language there are as many."""
        units = _units(one_width(text))
        terms = self._terms(units)
        if len(terms) != len(units):
            units = terms
        return [AskedTerm(unit, term) for unit, term in zip(units, terms, strict=True)]

    def _terms(self, units: Sequence[str]) -> Sequence[str]:
        words = folded(" ".join(units), self.language)
        return without_accents(" ".join(self._stems(words)), self.language).split()


def analysis_of(language: str) -> TextAnalysis:
    """The calling thread's own analysis of a language, made once."""
    made: dict[str, TextAnalysis] = _of_thread.__dict__
    found = made.get(language)
    if found is None:
        found = made[language] = TextAnalysis(language)
    return found


_of_thread = threading.local()


def _units(text: str) -> list[str]:
    """Words of a text, and pairs of characters of scripts that are searched by pairs; one alone stands for itself."""
    words: list[str] = _WORDS.findall(text.replace("_", " "))
    if text.isascii() or not _DENSE_RUN.search(text):
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


def _stems(language: str) -> Callable[[str], Sequence[str]]:
    """What gives the stems of words with blanks between them."""
    own = _OWN_STEMMERS.get(language)
    if own is not None:
        stem = _own_stem(own)
        return lambda words: [stem(word) for word in words.split()]
    stemmer = _ENGINE_STEMMERS.get(language)
    if stemmer is None:
        return str.split
    return _engine_analyzer(stemmer, is_whole=False).analyze


def _own_stem(algorithm: str) -> Callable[[str], str]:
    # Dozens of modules, for a few languages only.
    import snowballstemmer

    make = cast("Callable[[str], _WordStemmer]", snowballstemmer.stemmer)  # pyright: ignore[reportUnknownMemberType]
    return lru_cache(maxsize=50_000)(make(algorithm).stemWord)


def _engine_analyzer(stemmer: str | None, *, is_whole: bool) -> "TextAnalyzer":
    """The engine's analyser: of words that are prepared, or (`is_whole`) of plain ASCII text, which needs no more."""
    # Heavy: a server without stores loads no engine.
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    builder = TextAnalyzerBuilder(Tokenizer.simple() if is_whole else Tokenizer.whitespace())
    if is_whole:
        builder = builder.filter(Filter.lowercase())
    if stemmer is not None:
        builder = builder.filter(Filter.stemmer(stemmer))
    return builder.build()
