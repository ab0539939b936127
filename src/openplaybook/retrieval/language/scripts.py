"""Scripts of characters: which languages they point to, and which of them write no blanks between words."""

import re
from collections.abc import Sequence

_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_KANA = "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_THAI = "\u0e01-\u0e3a\u0e40-\u0e4e"

DENSE = f"{_HAN}{_KANA}{_HANGUL}{_THAI}\u0e80-\u0eff\u1780-\u17d3\u1000-\u109f"
"""Inside of a character class: letters of scripts that are searched by pairs of characters (Korean, whose words take
many endings, among them; Lao, Khmer and Burmese as Thai)."""

MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u0900-\u0963\u0966-\u096f\u0971-\u0dff"
    "\u0f18-\u0fbc\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u200c\u200d"
)
"""Inside of a character class: marks that belong to the letter before them, which `\\w` of Python leaves out, and the
blocks from Devanagari to Sinhala as a whole."""

_LANGUAGES: Sequence[tuple[str, "re.Pattern[str]"]] = (
    ("ko", re.compile(f"[{_HANGUL}]")),
    ("zh", re.compile(f"[{_HAN}]")),
    ("th", re.compile(f"[{_THAI}]")),
    ("ar", re.compile("[\u0621-\u064a\u0671-\u06d3]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("he", re.compile("[\u05d0-\u05ea]")),
    ("bn", re.compile("[\u0980-\u09ff]")),
    ("ta", re.compile("[\u0b80-\u0bff]")),
)
_KANA_LETTER = re.compile(f"[{_KANA}]")
_NOT_LATIN = re.compile("|".join(letters.pattern for _, letters in _LANGUAGES) + f"|{_KANA_LETTER.pattern}")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_LETTERS_A_WORD = 4
"""Letters of an alphabet that weigh as one of the script of Chinese, of which two make a word."""


def language_of_script(text: str) -> str:
    """The language that the script of most of the text points to; empty for Latin script, and where there are no
    letters.

    One script stands for one language: that with most writers among those that searches analyse. Text in Han with
    Kana is Japanese.
    """
    # Most texts that are not ASCII are of Latin letters with accents: one look is enough.
    if text.isascii() or not _NOT_LATIN.search(text):
        return ""
    counts = {language: len(letters.findall(text)) for language, letters in _LANGUAGES}
    kana = len(_KANA_LETTER.findall(text))
    if kana and kana * 10 >= counts["zh"]:
        counts["ja"] = kana + counts.pop("zh")
    for language in ("zh", "ja", "ko"):
        counts[language] = counts.get(language, 0) * _LETTERS_A_WORD // 2
    language = max(counts, key=lambda name: counts[name])
    return language if counts[language] > len(_LATIN.findall(text)) else ""
