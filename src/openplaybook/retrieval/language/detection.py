"""Which language a text is in: by its script, and among languages of the Latin script by a vote of stop words."""

import re
from collections import Counter
from collections.abc import Collection
from functools import lru_cache

from openplaybook.retrieval.language.scripts import language_of_script
from openplaybook.retrieval.language.stop_words import STOP_WORDS

_READ = 2_000
"""Characters that are looked at; a text says what it is by then."""

_LONGEST_CODE = 35
"""Characters of a code that is remembered (RFC 5646, 4.4.1)."""

_WORD = re.compile(r"[^\W\d_]+")
_ASCII_LETTERS = "".join(chr(code) if chr(code).isalpha() else " " for code in range(128))
"""A table for `str.translate`, much faster than the pattern."""
_OTHER_SCRIPTS = {"ar", "el", "hi", "ru"}

_VOTERS: dict[str, tuple[str, ...]] = {}
for _language, _words in STOP_WORDS.items():
    if _language not in _OTHER_SCRIPTS:
        for _word in _words:
            _VOTERS[_word] = (*_VOTERS.get(_word, ()), _language)

_LETTERS = {
    "ß": "de", "ä": "de", "ñ": "es", "¿": "es", "¡": "es", "ã": "pt", "õ": "pt", "ğ": "tr", "ı": "tr", "ş": "tr",
    "ă": "ro", "ț": "ro", "ș": "ro", "ą": "pl", "ł": "pl", "å": "sv", "ø": "da", "æ": "da", "ơ": "vi", "ư": "vi",
    "ạ": "vi", "ế": "vi", "ệ": "vi", "ộ": "vi", "đ": "vi", "ê": "fr", "è": "fr", "ù": "fr", "ò": "it", "ì": "it",
}  # fmt: skip
"""Letters that speak for a language, half as loud as a stop word that no other language has."""


def primary_subtag(code: str) -> str:
    """`pt` of `pt-BR`; the old codes of Hebrew and Indonesian, and those of Norwegian, as they are written now."""
    return _known_subtag(code) if len(code) <= _LONGEST_CODE else _subtag(code)


def _subtag(code: str) -> str:
    tag = re.split("[-_]", code.strip().lower(), maxsplit=1)[0]
    return {"iw": "he", "in": "id", "nb": "no", "nn": "no", "cmn": "zh", "yue": "zh", "fil": "tl"}.get(tag, tag)


_known_subtag = lru_cache(maxsize=1024)(_subtag)
"""Of one that is not long: each document of an import asks anew."""


def detected(text: str, declared: str = "", among: Collection[str] = ()) -> str:
    """The language of a text as a primary subtag of BCP-47; empty where nothing speaks for one.

    A declared language is believed. `among` are those that it may have; all that are known where it is empty.
    """
    if declared:
        return primary_subtag(declared)
    text = text[:_READ]
    script = language_of_script(text)
    if script:
        return script if not among or script in among else ""
    return _elected(text.lower(), among)


def _elected(text: str, among: Collection[str]) -> str:
    """Who gets most votes, nobody where two get as many: a word votes for each language that has it, the fewer they are
    the louder."""
    votes: Counter[str] = Counter()
    words = text.translate(_ASCII_LETTERS).split() if text.isascii() else _WORD.findall(text)
    # Each voter once, however often it comes: a document has many words, and few that differ have a vote.
    for word, times in Counter(filter(_VOTERS.__contains__, words)).items():
        languages = _VOTERS[word]
        loud = times * (12 // len(languages) or 1)
        for language in languages:
            votes[language] += loud
    if not text.isascii():
        for letter, language in _LETTERS.items():
            votes[language] += 6 * text.count(letter)
    allowed = sorted(
        (count, language) for language, count in votes.items() if count and (not among or language in among)
    )
    if not allowed or (len(allowed) > 1 and allowed[-1][0] == allowed[-2][0]):
        return ""
    return allowed[-1][1]
