"""Spellings of one word that searches take for the same: width, case, accents, marks of vowels, digits of a script."""

import unicodedata

_DIGITS = {
    first + value: str(value) for first in (0x0660, 0x06F0, 0x0966, 0x09E6, 0x0BE6, 0x0E50) for value in range(10)
}

_BEFORE_STEMS: dict[str, dict[int, str | None]] = {
    "": {**_DIGITS, 0x0640: None, 0x200C: None, 0x200D: None},
    "ar": dict.fromkeys((*range(1552, 1563), *range(1611, 1632), 1648, *range(1750, 1774))),
    "hi": {0x093C: None, 0x0901: "\u0902"},
    "ru": {0x0451: "\u0435"},
    "tr": {0x0130: "i", 0x0049: "\u0131"},
}
"""By language, its empty name for all: characters that are left out or replaced before words are cut to their stems.

Arabic loses the marks of its vowels and the stretched line, Hindi its nukta, which many writers leave out, and has one
sign of the nasal. Turkish has two letters i, whose capitals are other than elsewhere.
"""
TWO_LETTERS_I = frozenset({"tr", "az"})
"""Languages in which lower case of ASCII is other than elsewhere."""

_BEFORE_STEMS["az"] = _BEFORE_STEMS["tr"]


def _bare(character: str) -> str:
    letters = unicodedata.normalize("NFD", character)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


_LATIN_AND_GREEK = (*range(0x00C0, 0x0250), *range(0x0386, 0x03CF), *range(0x1E00, 0x2000))
_AFTER_STEMS: dict[int, str] = {
    **{code: _bare(chr(code)) for code in _LATIN_AND_GREEK if _bare(chr(code)) != chr(code)},
    **str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "ð": "d", "þ": "th", "ı": "i"}),
    # Alif with hamza, alif maqsura, ta marbuta, and the Persian forms of ya and kaf.
    **dict.fromkeys((0x0622, 0x0623, 0x0625, 0x0671), "\u0627"),
    0x0649: "\u064a",
    0x0629: "\u0647",
    0x06CC: "\u064a",
    0x06A9: "\u0643",
    # The sigma at the end of a word.
    0x03C2: "\u03c3",
}

_ACCENTS_MATTER = {"vi"}


def one_width(text: str) -> str:
    """The text in the normal form NFKC, without soft hyphens: width, ligatures and composed letters are one."""
    if "\u00ad" in text:
        text = text.replace("\u00ad", "")
    return text if unicodedata.is_normalized("NFKC", text) else unicodedata.normalize("NFKC", text)


def folded(text: str, language: str) -> str:
    """The text in lower case, without what a language's writers may leave out; stems are made of this."""
    special = _BEFORE_STEMS.get(language)
    if special:
        text = text.translate(special)
    if not text.isascii():
        text = text.translate(_BEFORE_STEMS[""])
    return text.lower()


def without_accents(stems: str, language: str) -> str:
    """Stems as they are searched: accents of Latin and Greek letters are left out, but for Vietnamese, where they make
    other words; letters of Arabic that are confused are one.
    """
    return stems if stems.isascii() or language in _ACCENTS_MATTER else stems.translate(_AFTER_STEMS)
